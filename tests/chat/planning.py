"""Builders of what plans are made from."""

from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from chat.turn.curate import CurateInput
from chat.turn.inputs import Minded
from chat.turn.intentions import Heard, listen_step
from chat.turn.life import Before, Life
from chat.turn.snapshot import Candidate
from companion_site.embeddings.service import embed_question_with, get_embedder
from memory.algorithms.moods import MeanDay
from memory.student.life.feelings import EmotionState, MoodTrend
from memory.student.life.wishes import PersonWishes
from tests.factories import NOW

#: of a life, all but what is made candidates of
LIVED = {field.name for field in fields_of(Life)} - {"goals", "gratitude"}
SAD = EmotionState(
    primary_emotion="sadness",
    intensity="high",
    energy="low",
    social_need="wants_connection",
    valence=-0.8,
    confidence=0.9,
)
GLAD = replace(SAD, primary_emotion="joy", energy="high", valence=0.9, social_need="unknown")
ANXIOUS = replace(SAD, primary_emotion="anxiety", energy="medium", intensity="medium")
CALM = replace(GLAD, primary_emotion="calm", intensity="medium", energy="medium", valence=0.5)
PLAIN = replace(
    SAD, primary_emotion="neutral", intensity="low", energy="medium", social_need="unknown", valence=0.0
)

FALLING = MoodTrend(
    days=tuple(
        MeanDay(
            day=(NOW - timedelta(days=3 - day)).date(),
            valence=0.3 - 0.3 * day,
            count=1,
            emotion="sadness",
        )
        for day in range(4)
    ),
    declining_days=3,
)


@dataclass(frozen=True, kw_only=True)
class Due:
    """Something open, as `memory.student.life.facts` tells it."""

    id: UUID
    kind: str = "medication"
    text: str = "I take my blood pressure pills at five"
    priority: str = "high"
    due: datetime | None = NOW + timedelta(hours=3)
    is_all_day: bool = False
    is_past: bool = False


def due(**fields) -> Due:
    return Due(id=uuid4(), **fields)


def candidate(text: str, kind: str = "fact", **fields) -> Candidate:
    return Candidate(id=uuid4(), kind=kind, text=text, **fields)


def curate_input(**fields) -> CurateInput:
    """Return what there is to choose from; what is named of a life is put into one."""
    life = {name: fields.pop(name) for name in LIVED & fields.keys()}
    return CurateInput(**{"emotion": PLAIN, "now": NOW, "life": Life(**life), **fields})


def heard(intent: str = "tell", **fields) -> Heard:
    """Return a message by which somebody surely wants one thing."""
    return Heard(**{"text": "I saw the otters today", "intents": {intent: 0.9}, **fields})


def hear(text: str) -> Heard:
    """Return what a message is read as."""
    return listen_step(text, vector=embed_question_with(get_embedder(), text))


def minded(
    *, calm: bool = False, trend: MoodTrend | None = None, before: Before | None = None, **fields
) -> Minded:
    """Return what was read of a message; unless it is said otherwise, somebody tells something."""
    life = Life(trend=trend or MoodTrend(), before=before or Before())
    known = {"emotion": PLAIN, "heard": heard(), "wishes": PersonWishes(calm=calm), "life": life}
    return Minded(now=NOW, **{**known, **fields})
