"""What a person said, before it is a row: its words as they are kept, what they speak of, a title, and how it was said."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import structlog
from django.conf import settings

from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import embed_question_with, get_embedder
from companion_site.errors import EmptyMessage, InvalidInput, MessageTooLong
from companion_site.language import Language, as_language, sanitise
from companion_site.shortening import shorten
from memory.reading.params import READING, READING_AT_WORK
from memory.reading.service import Danger, find_danger

logger = structlog.get_logger(__name__)

TITLE_LENGTH = 60
#: what a conversation is called that begins with danger
NEUTRAL_TITLES: dict[Language, str] = {"en": "A conversation", "sv": "Ett samtal"}
#: As what a message of pictures or files alone is read.
WORDLESS: dict[Language, str] = {"en": "Have a look at this.", "sv": "Titta på det här."}


def check_text(text: Any, *, may_be_empty: bool = False) -> str:
    """Return a message's text as it will be stored.

    Args:
        may_be_empty: pictures or files go with it, which need no words.

    Raises:
        InvalidInput: not text. EmptyMessage, MessageTooLong: as named.
    """
    if not isinstance(text, str):
        raise InvalidInput()
    if len(text) > settings.MESSAGE_MAX_CHARS:
        raise MessageTooLong(settings.MESSAGE_MAX_CHARS)
    clean = sanitise(text).strip()
    if not clean and not may_be_empty:
        raise EmptyMessage()
    return clean


def read_as(text: str | None, *, language: str) -> str:
    """Return as what a person's message is read: its words, or a request to look at what was sent without any."""
    return text or WORDLESS[as_language(language)]


def is_wordless(text: str) -> bool:
    """Tell whether a message, as it is read, has no words of the person's own."""
    return text in WORDLESS.values()


@dataclass(frozen=True, kw_only=True, eq=False)
class Sensed:
    """What a message's words speak of, before anything is made of them.

    Attributes:
        vector: (d,), zeros where the embedder is away; None of words of our own, which are embedded when they are answered.
        danger: how surely it is about danger.
        is_read: False where nobody could tell that, because the embedder is away; it counts as none, and nothing is noted.
    """

    vector: np.ndarray | None = None
    danger: Danger | None = None
    is_read: bool = True


def sense(
    text: str,
    *,
    vector: np.ndarray | None = None,
    embedder: Embedder | None = None,
    at_work: bool = False,
) -> Sensed:
    """Return what a message speaks of; embeds, so never inside a transaction.

    Args:
        vector: (d,) of the text, where somebody has it already.
        embedder: the site's, where no other is given.
        at_work: whether it is said to a company's companion.
    """
    embedder = embedder or get_embedder()
    if vector is None:
        vector = embed_question_with(embedder, text)
    try:
        params = READING_AT_WORK if at_work else READING
        return Sensed(
            vector=vector, danger=find_danger(text, vector=vector, embedder=embedder, params=params)
        )
    except EmbeddingError as error:
        logger.warning("danger.unread", reason=error.code)
        return Sensed(vector=vector, is_read=False)


def make_title(text: str, sensed: Sensed, *, language: Language) -> str:
    """Return a conversation's first title: its first line, shortened at a word; never of what may be about danger."""
    if sensed.danger is not None or not sensed.is_read:
        return NEUTRAL_TITLES[language]
    return shorten(text.splitlines()[0], TITLE_LENGTH)


def is_made_of(title: str, text: str) -> bool:
    """Tell whether a title may be the one that was made of a text, and none that the person gave."""
    return bool(text) and title in (shorten(text.splitlines()[0], TITLE_LENGTH), *NEUTRAL_TITLES.values())
