"""What can be told of a new fact: the same, a contradiction, or news, about what, and by what it was found."""

from dataclasses import dataclass
from enum import Enum
from uuid import UUID


class Relation(Enum):
    SAME = "same"
    CONTRADICTS = "contradicts"
    DOUBTS = "doubts"
    DIFFERENT = "different"


class FoundBy(Enum):
    """What told: the same words, the reader that finds the same or a change, or a model."""

    WORDS = "words"
    MEANING = "meaning"
    READER = "reader"
    MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class Discerned:
    """What one new fact is to what is believed.

    Attributes:
        about: the held fact, or the place of another new one before it; None where it is different from all.
        is_later: that the new one was said after, or together with, the one it is about.
        resolved: that of the two the one said earlier is an open item, which the other settles.
        reason: a word for what differs, for the row and the auditor.
        doubt: how likely the later one takes the earlier one's place, where that is in doubt.
        also: what else it is the same as, contradicts or puts in doubt, the surest first.
    """

    relation: Relation
    about: UUID | int | None = None
    is_later: bool = True
    resolved: bool = False
    found_by: FoundBy | None = None
    reason: str = ""
    similarity: float = 0.0
    doubt: float = 0.0
    also: tuple["Discerned", ...] = ()


NEWS = Discerned(relation=Relation.DIFFERENT)
