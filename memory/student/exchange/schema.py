"""What a model is shown of an exchange, and the one form of its answer.

The form that the model is given is narrow; what is accepted is wide, so that one bad item is dropped by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal, get_args
from uuid import UUID

from pydantic import BaseModel, Field, WithJsonSchema

from companion_site.language import Language
from memory.models import LifeFact
from memory.student.ledger_promotion.promotion import Entry
from memory.student.life.feelings import EMOTIONS, LEVELS, SOCIAL_NEEDS

#: Why something that was formed was never meant as said.
Why = Literal["quoted", "supposed", "played", "ironic"]
UNMEANT: tuple[Why, ...] = get_args(Why)
ActionType = Literal["set_goal", "update_goal", "log_gratitude"]
ACTION_TYPES: tuple[ActionType, ...] = get_args(ActionType)
LIFE_KINDS: tuple[str, ...] = tuple(LifeFact.Kind.values)
LEDGER_KINDS: tuple[Entry, ...] = (
    "promise",
    "secret",
    "debt",
    "threat",
    "fact",
    "instruction",
    "observation",
)


def _one_of(*values: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": list(values)})


class ReadFact(BaseModel):
    """One thing to be kept, as a model gave it."""

    message: int
    quote: str = Field(description="The person's own words that say it, copied exactly.")
    text: str = Field(description="The same as one sentence that stands alone.")
    life: list[Annotated[str, _one_of(*LIFE_KINDS)]] = []
    ledger: Annotated[str, _one_of("", *LEDGER_KINDS)] = ""
    replaces: list[int] = []


class ReadUnmeant(BaseModel):
    """A memory that formed of what was not meant as said."""

    memory: int
    quote: str
    why: Annotated[str, _one_of(*UNMEANT)]


class ReadAction(BaseModel):
    """Something that the person asks to be noted; what does not belong to its type is left out."""

    message: int
    type: Annotated[str, _one_of(*ACTION_TYPES)]
    words: str = Field(description="Copied exactly from the message.")
    goal: int = 0
    change: Annotated[str, _one_of("note", "done", "dropped")] = "note"


class ReadFeeling(BaseModel):
    """How the person feels in one message."""

    message: int
    emotion: Annotated[str, _one_of(*EMOTIONS)]
    intensity: Annotated[str, _one_of(*LEVELS)] = "medium"
    energy: Annotated[str, _one_of(*LEVELS)] = "medium"
    social_need: Annotated[str, _one_of(*SOCIAL_NEEDS)] = "unknown"


class ReadExchange(BaseModel):
    facts: list[ReadFact]
    unmeant: list[ReadUnmeant] = []
    actions: list[ReadAction] = []
    feelings: list[ReadFeeling] = []
    title: str = Field(
        "", description="What the conversation is about, in two to five words of its language."
    )


@dataclass(frozen=True, kw_only=True)
class Line:
    """One message of an exchange.

    Attributes:
        number: its position in the conversation, by which the model names it.
        text: sanitised.
        is_new: the person said it since the last reading: it is read, the others help to understand.
        of_danger: it perhaps speaks of danger: what was formed of it stays, and nothing of it is noted or felt.
        may_keep: it may leave memories; what asks to be forgotten may not.
    """

    id: UUID
    number: int
    text: str
    language: Language
    said_at: datetime
    is_person: bool
    is_new: bool = False
    of_danger: bool = False
    may_keep: bool = True


@dataclass(frozen=True, kw_only=True)
class Held:
    """One memory that the model is shown by a number.

    Attributes:
        of_message: the message of this exchange that it formed from; None for what was known before.
        spans: where in that message.
        may_change: it comes from there alone, so that it may be put away, and reworded.
        in_ledger: it stands in the ledger word for word, so it keeps its words.
    """

    id: UUID
    text: str
    said_at: datetime
    of_message: UUID | None = None
    spans: Sequence[tuple[int, int]] = ()
    may_change: bool = False
    in_ledger: bool = False


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What is read at once.

    Attributes:
        lines: in their order.
        held: what formed of the new messages, then what is nearest to them; their numbers begin with 1.
        goals: what the person pursues; their numbers begin with 1.
        settled: message, first and last character of what formed there and was forgotten, put right or replaced since:
            it does not come back.
    """

    lines: Sequence[Line]
    held: Sequence[Held] = ()
    goals: Sequence[tuple[UUID, str]] = ()
    settled: Sequence[tuple[UUID, int, int]] = ()

    @property
    def new(self) -> list[Line]:
        return [line for line in self.lines if line.is_new]
