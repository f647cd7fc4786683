"""A part of a conversation as it is read for facts, what a model answers about it, and what a reading comes to.

The form that the model is given is narrow; what is accepted is wide, so that one bad fact is refused by itself and
by name, and does not spoil the others.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field, WithJsonSchema

from memory.company.facts import NewFact
from memory.models import CompanyFact, CompanyRefusal

CATEGORIES = tuple(CompanyFact.Category.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message of a conversation. `is_person`: whether a person said it; what the companion said is never a source."""

    id: UUID
    position: int
    text: str
    language: str
    said_at: datetime
    is_person: bool
    speaker: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """The part of a conversation that is to be read, in order, after some lines that only help to understand it.

    Attributes:
        after: the position up to which everything has been read.
    """

    conversation: UUID
    lines: tuple[Line, ...]
    after: int
    until: int

    @property
    def sources(self) -> tuple[Line, ...]:
        """Return what a person said in this part: all that a fact may come from."""
        return tuple(line for line in self.lines if line.is_person and line.position > self.after)


class ReadFact(BaseModel):
    """One fact as a model gave it."""

    category: Annotated[str, WithJsonSchema({"type": "string", "enum": list(CATEGORIES)})]
    content: str = Field(description="One short sentence in the person's own words and language.")
    confidence: float = Field(description="From 0 to 1: how plainly the person said it.")
    message: int = Field(description="The number of the message of the person that says it.")


class ReadFacts(BaseModel):
    facts: list[ReadFact]


class Candidate(ReadFact):
    """A fact that was read and has not been checked yet; its message is a position, its confidence any float.

    Attributes:
        beside: the positions of other messages that it puts right, whose words stand in it.
    """

    beside: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What one reading found.

    Attributes:
        refused: what is not taken, and why; not saved, and nobody's yet.
        provider, model: who read; "offline" and nothing without a model.
    """

    facts: list[NewFact] = field(default_factory=list)
    refused: list[CompanyRefusal] = field(default_factory=list)
    provider: str = ""
    model: str = ""
