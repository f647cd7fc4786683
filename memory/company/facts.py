"""A fact on its way into the memory, and one that is held, as plain data."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from uuid import UUID

import numpy as np

from companion_site.language import fold_words
from memory.models import CompanyFact


@dataclass(frozen=True, kw_only=True)
class Fact:
    """What is said of a company.

    Attributes:
        confidence: 0 to 1, of the reading.
        said_at: when somebody last vouched for it; what was said later wins over what was said earlier.
    """

    category: str
    content: str
    language: str
    confidence: float
    said_at: datetime

    @property
    def is_open(self) -> bool:
        return self.category == "unresolved"

    @cached_property
    def words(self) -> str:
        """By what the same words are known again."""
        return fingerprint(self.content)


@dataclass(frozen=True, kw_only=True)
class NewFact(Fact):
    """What somebody said that is worth believing."""

    conversation: UUID | None = None
    message: UUID | None = None
    said_by: UUID | None = None


@dataclass(frozen=True, kw_only=True)
class HeldFact(Fact):
    """A fact of the memory, to compare something new with.

    Attributes:
        vector: (d,) float32 at unit length.
    """

    id: UUID
    vector: np.ndarray

    @classmethod
    def of(
        cls, fact: NewFact | CompanyFact, *, id: UUID, said_at: datetime, vector: np.ndarray
    ) -> "HeldFact":
        """Return a new fact, or a row of the memory, as what others are compared with."""
        said = {name: getattr(fact, name) for name in ("category", "content", "language", "confidence")}
        return cls(id=id, said_at=said_at, vector=vector, **said)


def fingerprint(content: str) -> str:
    """Return by what the same words are known again, however they are cased and spaced."""
    return sha256(fold_words(content).strip(" .!…").encode("utf-8", "surrogatepass")).hexdigest()
