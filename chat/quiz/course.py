"""What a quiz is about and how it goes on: it is begun by a message, answered by the next, and over with the first that is no answer.

Where it stands is kept with the reply that asked, sealed, and with nothing else: whatever process answers next reads it there, and a
reply that was set aside has asked nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Literal
from uuid import UUID

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from chat.quiz.items import QUIZ, Item, embed_items, find_named, terms_of
from companion_site.embeddings.service import get_embedder
from companion_site.language import Language, tokens
from companion_site.llm.types import QuizTurn, Verdict
from memory.algorithms.isotropy import unit_rows
from memory.packs.relevance import measure_distinctness
from memory.reading.service import get_heads
from memory.reading.vector_cache import Embed, embed_own, once_for_each_model
from overlay.algorithms.repetition import Place

#: under this name the sealed outcome of a reply keeps it
KEPT = "quiz"
Asks = Literal["name", "description", "lesson"]
#: every so manieth question asks for an explanation, and so does what lies in this box or beyond
EXPLAINED_EVERY, EXPLAINED_FROM = 3, 2


class Standing(BaseModel):
    """Where a quiz stands after a reply.

    Attributes:
        item: what was asked, by its key; asks: for what.
        waiting: what is asked after it, in order.
        again: what came or comes a second time.
        right, count: the score.
        language: in which it is held, whatever language a name is in.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    item: str
    asks: Asks
    waiting: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    right: int = 0
    count: int = 0
    language: Language


@dataclass(frozen=True)
class Asked:
    """A question that is open: where the quiz stands, and the reply that asked."""

    standing: Standing
    reply: UUID


def read_asked(outcome: Mapping[str, Any] | None, reply: UUID) -> Asked | None:
    """Return the question that a reply asked, by its outcome; None where it asked none."""
    try:
        return Asked(Standing.model_validate((outcome or {})[KEPT]), reply)
    except (KeyError, ValidationError):
        return None


#: requests without a topic
BARE = (
    "Quiz me",
    "Ask me some questions",
    "Test me, please",
    "Can you quiz me on what is due?",
    "Quiz me on everything I know",
    "Förhör mig",
    "Ställ några frågor till mig",
    "Kan du förhöra mig?",
    "Förhör mig på det som ska repeteras",
    "Förhör mig på allt jag kan",
    "Let's do a quiz",
    "I want to revise",
    "Jag vill öva",
    "Kan vi repetera lite?",
    "Testa mig",
    "Next question",
)


@dataclass
class Topic:
    """The topic of one request.

    Attributes:
        text: the request; vector: (d,) of it.
        ranks: of what is on the topic, how closely: 0 is named, 1 has a word of its name, 2 belongs to the same area, 3 is near in meaning.
    """

    text: str
    vector: np.ndarray = field(repr=False)
    language: Language
    ranks: dict[str, int] = field(default_factory=dict)

    def choose(self, items: Sequence[Item]) -> list[Item]:
        """Return what is on the topic: everything where none is named, nothing where what is named is none of these. May embed."""
        self.ranks = self._by_words(items) or self._by_meaning(items)
        if self.ranks:
            return [item for item in items if item.key in self.ranks]
        return list(items) if self._is_bare() else []

    def rank(self, item: Item) -> int:
        return self.ranks.get(item.key, 0)

    def _by_words(self, items: Sequence[Item]) -> dict[str, int]:
        said = set(tokens(self.text, self.language))
        ranks = dict.fromkeys(find_named(self.text, items), 0)
        ranks |= {item.key: 1 for item in items if item.key not in ranks and said & terms_of(item.names)}
        areas = {item.area for item in items if item.key in ranks or said & terms_of([item.area])}
        return ranks | {item.key: 2 for item in items if item.key not in ranks and item.area in areas}

    def _by_meaning(self, items: Sequence[Item]) -> dict[str, int]:
        some = items[: QUIZ.most_items]
        vectors = embed_items(some)
        far = measure_distinctness(vectors, self.vector, language=self.language, embedder=get_embedder())
        return {item.key: 3 for item, far_out in zip(some, far.tolist(), strict=True) if far_out >= QUIZ.far}

    def _is_bare(self) -> bool:
        embedder = get_embedder()
        centre = get_heads(embedder).projection.centre
        bare = unit_rows(_load_bare(embedder.embed, model=embedder.model) - centre)
        return float((bare @ unit_rows((self.vector - centre)[None])[0]).max()) >= QUIZ.bare


@once_for_each_model
def _load_bare(embed: Embed, model: str) -> np.ndarray:
    """Return (m, d) of the requests without a topic."""
    return embed_own(BARE, embed=embed, model=model)


@dataclass
class Quiz:
    """What a quiz comes to at one message.

    Attributes:
        items: all that can be asked, by key; places: where it lies in the boxes.
        asked: the question that was open; verdict: how the message answers it, None where it does not.
        begins: whether the message asks for a quiz; topic: about what.
        language: of the message.
        has_more: whether the message wants anything besides the end of the quiz.
        avoids: whether a text is about what the person does not want to speak of.
        following: where the quiz stands after the reply; None before `go_on`, and where it is over.
        has_spoken: whether the reply went by it.
    """

    items: Mapping[str, Item]
    places: Mapping[str, Place]
    today: date
    language: Language
    asked: Asked | None = None
    verdict: Verdict | None = None
    begins: bool = False
    topic: Topic | None = None
    has_more: bool = True
    avoids: Callable[[str], bool] = lambda text: False
    following: Standing | None = None
    has_spoken: bool = False

    @property
    def asks_for_name(self) -> bool:
        """Whether the open question gives a description and asks what it is of."""
        return self.asked is not None and self.asked.standing.asks == "name"

    @property
    def reply_language(self) -> Language:
        """The language to reply in."""
        if self.asked is not None and self.verdict is not None:
            return self.asked.standing.language
        return self.language

    def go_on(self) -> QuizTurn | None:
        """Return what the reply says of it, and keep where it stands then; None where the message has to do with no quiz."""
        before = self.asked.standing if self.asked is not None else None
        self.has_spoken = True
        if before is not None and self.verdict is not None:
            return self._answered(before)
        if self.begins:
            return self._begin(before)
        if before is None:
            return None
        return QuizTurn(right=before.right, count=before.count, stands_aside=self.has_more)

    def _answered(self, before: Standing) -> QuizTurn:
        item = self.items[before.item]
        waiting, again = list(before.waiting), before.again
        if self.verdict in {"wrong", "unknown"} and item.key not in again:
            waiting.insert(min(QUIZ.again_after, len(waiting)), item.key)
            again = (*again, item.key)
        standing = before.model_copy(
            update={
                "right": before.right + (self.verdict == "right"),
                "count": before.count + 1,
                "again": again,
            }
        )
        turn = QuizTurn(
            verdict=self.verdict,
            answer=(item.name, item.description),
            right=standing.right,
            count=standing.count,
        )
        return self._ask(waiting, standing, turn)

    def _begin(self, before: Standing | None) -> QuizTurn:
        allowed = [one for one in self.items.values() if not self._is_avoided(one)]
        if not allowed:
            return QuizTurn(is_empty=True)
        chosen = self.topic.choose(allowed) if self.topic is not None else allowed
        if not chosen:
            return QuizTurn(offers=tuple(dict.fromkeys(one.area for one in allowed if one.area))[:3])
        waiting = [one.key for one in sorted(chosen, key=self._turn_of)][: QUIZ.most_asked]
        turn = QuizTurn() if before is None else QuizTurn(right=before.right, count=before.count)
        return self._ask(waiting, Standing(item="", asks="name", language=self.language), turn)

    def _turn_of(self, item: Item) -> tuple[int, int, date]:
        """Return by what things are asked in turn: the topic's own first, then what is due, what is new, and what is not due yet."""
        place = self.places.get(item.key)
        nearness = self.topic.rank(item) if self.topic is not None else 0
        if place is None:
            return nearness, 1, self.today
        return nearness, 0 if place.due_on <= self.today else 2, place.due_on

    def _ask(self, waiting: Sequence[str], standing: Standing, turn: QuizTurn) -> QuizTurn:
        """Return the turn with its next question; without one where nothing is left."""
        for number, key in enumerate(waiting):
            item = self.items.get(key)
            asks = self._form_of(item, standing) if item is not None and not self._is_avoided(item) else None
            if item is None or asks is None:
                continue  # it is gone meanwhile, or cannot be asked
            self.following = standing.model_copy(
                update={"item": key, "asks": asks, "waiting": tuple(waiting[number + 1 :])}
            )
            return replace(turn, asks=asks, question=item.veiled if asks == "name" else item.name)
        return replace(turn, is_empty=not turn.count)

    def _form_of(self, item: Item, standing: Standing) -> Asks | None:
        if item.is_lesson:
            return "lesson"
        place = self.places.get(item.key)
        is_known = place is not None and place.box >= EXPLAINED_FROM
        is_turn = standing.count % EXPLAINED_EVERY == EXPLAINED_EVERY - 1
        if not item.veiled or is_known or is_turn or item.key in standing.again:
            return "description"
        return "name"

    def _is_avoided(self, item: Item) -> bool:
        return any(map(self.avoids, (item.name, item.description, item.area)))
