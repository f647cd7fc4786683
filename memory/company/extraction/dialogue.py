"""A part of a conversation as it is read for facts, as plain data."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message of a conversation.

    Attributes:
        position: its place in the conversation, from 1.
        text: the words, sanitised.
        is_person: whether a person said it; what the companion said is never a source.
        speaker: who said it, where that is known.
    """

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
        until: the last position of this part.
    """

    conversation: UUID
    lines: tuple[Line, ...]
    after: int
    until: int

    @property
    def sources(self) -> tuple[Line, ...]:
        """Return what a person said in this part: all that a fact may come from."""
        return tuple(line for line in self.lines if line.is_person and line.position > self.after)
