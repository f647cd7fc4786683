"""What a turn knows of its person when everything that can be read side by side has been read: plain data for the rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from chat.turn.curate import CurateInput
from chat.turn.earlier import Earlier
from chat.turn.intentions import Heard
from chat.turn.life import Before, Life
from chat.turn.recall import CalledToMind, Met, Vectors
from chat.turn.snapshot import Candidate
from chat.turn.topics import LEAST, Avoider, Nearness, make_avoider
from companion_site.embeddings.service import get_embedder
from companion_site.llm.types import Care
from ledger.models import LedgerEntry
from memory.packs.relevance import Material, load_everyday
from memory.reading.service import Danger
from memory.student.life.feelings import UNKNOWN, EmotionState
from memory.student.life.goals import ShownGoal
from memory.student.life.wishes import PersonWishes
from memory.student.recall.ranking import Recalled
from memory.student.selectors import NodeData

INSTRUCTION = LedgerEntry.Category.INSTRUCTION


@dataclass(frozen=True, kw_only=True)
class Minded:
    """All that was read.

    Attributes:
        now: where the person is, so that days and hours are those of their clock.
        wishes: None where they are not known: memory is off, or they could not be read. Then nothing remembered may
            enter the request, since a topic to avoid might.
        vector: (d,) of the message.
        vectors: of texts that could enter the request, by text.
        packs: what mounted packs hold on the message.
        care: how to answer where danger is spoken of, or was shortly before.
        forgotten: what was put away at the person's word; asked_to_forget: whether they asked for it, found or not.
    """

    now: datetime
    met: Met = field(default_factory=Met)
    called: CalledToMind = field(default_factory=CalledToMind)
    life: Life = field(default_factory=Life)
    wishes: PersonWishes | None = None
    heard: Heard = field(default_factory=Heard)
    emotion: EmotionState = UNKNOWN
    earlier: Earlier | None = None
    vector: np.ndarray | None = field(default=None, repr=False)
    vectors: Vectors = field(default_factory=dict, repr=False)
    packs: Sequence[Material] = ()
    care: Care | None = None
    forgotten: NodeData | None = None
    asked_to_forget: bool = False

    @property
    def danger(self) -> Danger | None:
        """How surely the message is about danger."""
        return self.care.danger if self.care is not None else None

    @property
    def calm(self) -> bool:
        """Whether high energy is disliked; where nobody knows, it is not presumed to be liked."""
        return self.wishes is None or self.wishes.calm

    @property
    def before(self) -> Before:
        return self.life.before


def texts_to_place(wishes: PersonWishes, life: Life, earlier: Earlier | None) -> list[str]:
    """Return the texts whose vectors the rules need: of goals always, of everything where a topic is avoided."""
    if not wishes.avoid:
        return [goal.text for goal in life.goals]
    summary = earlier.summary.splitlines() if earlier is not None else []
    return [*wishes.avoid, *life.texts, *summary]


def find_topics(wishes: PersonWishes, vectors: Vectors) -> Avoider:
    """Return what looks for the topics that the person avoids; without vectors by their words alone."""
    if not wishes.avoid:
        return Avoider()
    if any(topic not in vectors for topic in wishes.avoid):
        return make_avoider(wishes.avoid)
    embedder = get_embedder()
    near = Nearness.of(
        np.stack([vectors[topic] for topic in wishes.avoid]),
        everyday=np.concatenate([*load_everyday(embedder.embed, model=embedder.model).values()]),
        least_cosine=float(embedder.calibration.cosine(LEAST)),
    )
    return make_avoider(wishes.avoid, near=near)


def curate_input(minded: Minded, avoider: Avoider) -> CurateInput:
    """Return what there is to choose from."""
    life, called = minded.life, minded.called
    return CurateInput(
        emotion=minded.emotion,
        now=minded.now,
        trend=life.trend,
        mode=life.before.mode or "small_talk",
        avoider=avoider,
        vectors={**minded.vectors, **called.vectors},
        facts=[_fact(memory, lifts=memory.id in called.lifting) for memory in called.recalled],
        good=[_fact(memory, lifts=True) for memory in called.good],
        goals=[_goal(goal, minded) for goal in life.goals],
        gratitude=[
            Candidate(id=one.id, kind="gratitude", text=one.text, at=one.at) for one in life.gratitude
        ],
        open_loops=life.open_loops,
        portrait=life.portrait,
        today=life.today,
        talked=life.talked,
        last_positive=life.last_positive,
        # How they wish to be helped goes along always, and is called by nothing.
        calls=bool(called.recalled) or any(entry.category != INSTRUCTION for entry in called.entries),
        asks=minded.heard.only_asks,
        asks_widely=called.asks_widely,
    )


def _fact(memory: Recalled, *, lifts: bool) -> Candidate:
    return Candidate(
        id=memory.id,
        kind="fact",
        text=memory.text,
        relevance=memory.score,
        lifts=lifts,
        at=datetime.fromtimestamp(memory.said_at, UTC),
    )


def _goal(goal: ShownGoal, minded: Minded) -> Candidate:
    return Candidate(
        id=goal.id,
        kind="goal",
        text=goal.text,
        relevance=_nearness(goal.text, minded),
        at=goal.updated_at,
        last_word=goal.notes[0].text if goal.notes else "",
    )


def _nearness(text: str, minded: Minded) -> float:
    """Return the calibrated similarity of a text and the message; 0 where either has no vector."""
    vector = minded.vectors.get(text)
    if vector is None or minded.vector is None:
        return 0.0
    return float(get_embedder().calibration.similarity(float(vector @ minded.vector)))
