"""The message of a turn, what the model is asked, and what a side of the companion has to do with either."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property, partial
from typing import Any
from uuid import UUID

import numpy as np
import structlog
from django.utils import timezone

from chat.access import ChatAccess
from chat.models import Message
from chat.notebook.calculator import calculate
from chat.said import Sensed, is_wordless, sense
from chat.turn.answers import find_kept, write_last_talk
from chat.turn.brief import Brief
from chat.turn.steps import Steps
from chat.vectors import SpaceEmbedder, space_embedders
from companion_site.accounts.models import Person
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import EmbedOnce, embed_question
from companion_site.language import Language, as_language, as_sentence, find_names
from companion_site.llm.chain import Gateway
from companion_site.llm.help_lines import lines_for
from companion_site.llm.types import Care, ChatRequest
from companion_site.vault import unlocked
from memory.packs.relevance import Material
from memory.reading.words import find_words, table
from overlay.guard import Fog

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The message of a turn.

    Attributes:
        sensed: what its words speak of, where that is known already.
        gateway: who is asked where a step asks a model; None: no step does.
    """

    access: ChatAccess
    message: Message
    text: str
    memory_on: bool
    now: datetime
    sensed: Sensed | None = None
    gateway: Gateway | None = None

    @property
    def language(self) -> Language:
        return as_language(self.message.language)

    @cached_property
    def is_worked_out(self) -> bool:
        """Whether it is a sum, a conversion or a question of the calendar, and of nobody: then it needs no memory."""
        if not calculate(self.text, language=self.language, now=timezone.localtime(self.now)):
            return False  # as is any long message, before it is read for names
        return not find_names(self.text) and table("self").isdisjoint(find_words(self.text))

    @cached_property
    def embedder(self) -> SpaceEmbedder:
        """Who embeds what this turn compares: parts of its message, what was said before, what is known."""
        with unlocked(self.access.space, self.access.key):
            return space_embedders.get(self.access.space)

    def request(
        self, *, language: Language, now: datetime, embedder: Embedder, brief: Brief | None, **rest: Any
    ) -> ChatRequest:
        """Return a request of either side: this has what the companion without a model finds by the message alone.

        Args:
            language: to reply in; now: the person's local time.
            rest: what the request says itself, as `ChatRequest` names it.
        """
        kept = partial(find_kept, self.text, embedder=embedder, language=language)
        return ChatRequest(
            language=language,
            work_out=partial(calculate, self.text, language=language, now=now),
            find_kept=cache(kept) if self.memory_on else tuple,
            last_talk=write_last_talk(brief, language=language, now=now),
            is_wordless=is_wordless(self.text),
            memory_on=self.memory_on,
            **rest,
        )

    def embedder_knowing(self, statements: Mapping[str, np.ndarray]) -> Embedder:
        """Return the same, knowing the (d,) vectors of statements, which are embedded as sentences."""
        known = {as_sentence(text): vector for text, vector in statements.items()}
        return EmbedOnce(self.embedder, known)

    async def embed(self) -> np.ndarray:
        """Return the message's (d,) vector: what was sensed already, else made now."""
        known = self.sensed.vector if self.sensed is not None else None
        vector = await embed_question(self.text) if known is None else known
        if vector.any():
            self.embedder.hold({self.text: vector})
        return vector


@dataclass(frozen=True, kw_only=True)
class Composed:
    """What the model is asked, what of the world its reply may name, and what of memory stands in it.

    Attributes:
        recalled: the memories in the request, most relevant first, with how relevant they are.
        terms: of each of them, what that number is made of.
        memory_tokens: of the request's memory, by estimate.
        materials: the nodes of packs in the request.
    """

    request: ChatRequest
    fog: Fog
    recalled: Mapping[UUID, float] = field(default_factory=dict)
    terms: Mapping[UUID, Mapping[str, float]] = field(default_factory=dict)
    memory_tokens: int = 0
    materials: Sequence[Material] = ()


@dataclass
class Side(ABC):
    """The part of a turn that knows what is remembered.

    Attributes:
        outcome: what the steps came to, in words; None where nothing of it is kept.
    """

    asked: Asked
    steps: Steps = field(init=False)
    outcome: dict[str, Any] | None = None
    #: of the message, (d,), where it was embedded
    vector: np.ndarray | None = field(default=None, repr=False)
    _sensed: Sensed | None = None

    def __post_init__(self) -> None:
        self.steps = Steps(str(self.asked.message.pk))

    @abstractmethod
    async def compose(self) -> Composed:
        """Return what the model is asked."""

    @abstractmethod
    async def after_reply(self) -> None:
        """Note what was of use; the reply stands whether or not that succeeds."""

    def sense(self) -> Sensed:
        """Return what the message speaks of; found out once a turn, and never inside a transaction."""
        if self._sensed is None:
            asked = self.asked
            self._sensed = asked.sensed or sense(
                asked.text, vector=self.vector, embedder=asked.embedder, at_work=asked.access.at_work
            )
        return self._sensed

    def find_care(self, *, after_danger: bool) -> Care | None:
        """Return how the message is answered where danger is spoken of in it, or was shortly before; None elsewhere.

        Reads the person's school, so it is called in a thread.
        """
        danger, person = self.sense().danger, self.asked.access.person
        if danger is None:
            return Care() if after_danger else None
        is_young = person.role == Person.Role.STUDENT
        school = person.school
        lines = lines_for(
            country=school.country if school is not None else "",
            own=school.help_lines if school is not None else "",
            is_young=is_young,
            is_sure=danger == "sure",
        )
        return Care(danger=danger, lines=lines, is_young=is_young)

    def _log(self, count: int) -> None:
        asked, timings = self.asked, self.steps.timings_ms()
        logger.info(
            "memory.recalled",
            space=str(asked.access.space),
            person=str(asked.access.person.pk),
            message=str(asked.message.pk),
            count=count,
            embed_ms=timings["embed"],
            duration_ms=round(timings["embed"] + timings["recall"], 1),
        )
