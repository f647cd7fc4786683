"""What a message asks of memory itself: to keep what it says, to put something away, to put something right."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.errors import EmbeddingError
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.language import as_sentence
from memory.reading.heads import Told, UnusableWeights
from memory.reading.params import READING
from memory.reading.questions import find_same_kind
from memory.reading.service import ASKS, get_heads
from memory.reading.splitter import split, split_sentences
from memory.reading.words import find_words, table, write_out

MemoryRequest = Literal["remember_this", "forget_this", "correct"]
#: What somebody wants who tells nothing.
ASKING = frozenset(
    {*ASKS, "about_conversation", "about_companion", "explain", "practise", "do_task", "advice"}
)


def find_request(
    text: str,
    *,
    vector: NDArray[np.floating],
    embedder: Embedder | None = None,
    before: Sequence[str] = (),
) -> MemoryRequest | None:
    """Return what a message surely asks of memory; None where it asks for nothing of the kind.

    Args:
        vector: (d,) of the message.
        before: what the person stated just before it.
    """
    told = get_heads(embedder).read_texts("intent", [text], vector[None])["intent"]
    return _request_of(text, told, embedder=embedder, before=before)


def _request_of(
    text: str, told: Told, *, embedder: Embedder | None, before: Sequence[str]
) -> MemoryRequest | None:
    chances: dict[MemoryRequest, float] = {
        request: told.of(request) for request in ("remember_this", "forget_this", "correct")
    }
    if _must_not_be_forgotten(text):
        chances = {"remember_this": chances["remember_this"] + chances["forget_this"]}
    bars: dict[MemoryRequest, float] = {
        "remember_this": READING.asks_to_remember,
        "forget_this": READING.asks_to_forget,
        "correct": READING.asks_to_correct,
    }
    sure = next((request for request, chance in chances.items() if chance >= bars[request]), None)
    if sure is None and _puts_right(text, before, told, embedder):
        return "correct"
    return sure


def _puts_right(text: str, before: Sequence[str], told: Told, embedder: Embedder | None) -> bool:
    """Tell whether a message puts right what was said just before it: few words that give another value, where either head hears it.

    "sorry, I mean Friday" hardly sounds like a correction, and the head on pairs sees another day. What says more is no slip of the
    tongue: "I am afraid of dogs, but not of Bosse" sounds like one, and puts nothing right in "I sing in a band with Mira".
    """
    place = find_same_kind(text, before) if before and _is_short(text) else None
    if place is None or told.of("correct") >= READING.corrects_what_was_just_said:
        return place is not None
    pair = before[place], text
    vectors = (embedder or get_embedder()).embed([*map(as_sentence, pair)])
    judged = get_heads(embedder).read_pairs([pair], vectors[None])
    return judged.of("replaces", 0) >= READING.probably_replaces


def is_no_more_than_a_value(text: str, before: Sequence[str]) -> bool:
    """Tell whether a message that puts something right says little but another value than was given just before."""
    return _is_short(text) and find_same_kind(text, before) is not None


def _is_short(text: str) -> bool:
    """Tell whether a message is one sentence of few words, and no question."""
    if len(find_words(text)) > READING.words_of_a_value or len(split_sentences(text)) != 1:
        return False
    return not any("asked" in clause.frames for clause in split(text))


def _must_not_be_forgotten(text: str) -> bool:
    """Tell whether a message denies forgetting: "don't forget", "glöm inte"; one word turns its meaning round, and nearness does not see it."""
    words = find_words(text)
    pairs = ({word, following} for word, following in pairwise(words))
    return any(pair & table("forgetting") and pair & table("denying") for pair in pairs)


def find_purposes(
    texts: Sequence[str], embedder: Embedder, before: Sequence[Sequence[str]] = ()
) -> list[MemoryRequest | Literal["ask"] | None]:
    """Return the same of each of several messages, and which of them only ask; None for all where they cannot be read.

    Args:
        before: what was stated just before each; () where that does not matter.
    """
    try:
        vectors = embedder.embed([write_out(text) for text in texts]) if texts else ()
        told = zip(texts, vectors, before or [()] * len(texts), strict=True)
        return [_purpose_of(text, vector, embedder=embedder, before=stated) for text, vector, stated in told]
    except (EmbeddingError, UnusableWeights):
        return [None] * len(texts)


def _purpose_of(
    text: str, vector: NDArray[np.floating], *, embedder: Embedder, before: Sequence[str]
) -> MemoryRequest | Literal["ask"] | None:
    told = get_heads(embedder).read_texts("intent", [write_out(text)], vector[None])["intent"]
    asks = told.likeliest() in ASKING and told.of("tell") < READING.tells_beside
    return _request_of(text, told, embedder=embedder, before=before) or ("ask" if asks else None)
