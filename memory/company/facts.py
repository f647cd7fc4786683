"""A fact on its way into the memory, and one that is held, as plain data; how sure the companion still is of one, and until when.

Confidence is stored as of the last confirmation. Nothing ever writes a faded value over it, so reading twice, or late,
or never, cannot fade a fact twice. What is good for as long as nobody says otherwise (a decision, a preference) does
not fade; the others have lost half when their time is over. Nothing deletes what has expired; it is in no default read.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from uuid import UUID

import numpy as np

from companion_site.language import fold_words
from memory.company.params import COMPANY


@dataclass(frozen=True, kw_only=True)
class Fact:
    """What is said of a company. `said_at`: when somebody last vouched for it; what was said later wins over what was said earlier."""

    category: str
    content: str
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
    """What somebody said that is worth believing. `confidence`: 0 to 1, of the reading."""

    language: str
    confidence: float
    conversation: UUID | None = None
    message: UUID | None = None
    said_by: UUID | None = None


@dataclass(frozen=True, kw_only=True)
class HeldFact(Fact):
    """A fact of the memory, to compare something new with. `vector`: (d,) float32 at unit length."""

    id: UUID
    vector: np.ndarray


def fingerprint(content: str) -> str:
    """Return by what the same words are known again, however they are cased and spaced."""
    return sha256(fold_words(content).strip(" .!…").encode("utf-8", "surrogatepass")).hexdigest()


def present_confidence(
    confidence: float,
    confirmed_at: datetime,
    now: datetime,
    category: str,
) -> float:
    """Return how sure a fact is at `now`: `confidence * 0.5 ** (age / ttl)`.

    Args:
        confidence: as of the last confirmation, 0 to 1.
        confirmed_at: that confirmation. Later than `now` (clocks of two machines differ) counts as now.
        category: one of CompanyFact.Category; without a time to live a fact does not fade.
    """
    half_life = COMPANY.ttl_of(category)
    if half_life is None:
        return confidence
    age = max((now - confirmed_at).total_seconds(), 0.0)
    faded: float = confidence * 2.0 ** (-age / half_life.total_seconds())
    return faded


def boosted_confidence(present: float) -> float:
    """Return the confidence to store when a fact is confirmed: a share of what is missing to certainty is added.

    Args:
        present: as `present_confidence` gives it for this moment, 0 to 1.

    Returns:
        Never above 1 and never below `present`.
    """
    return min(1.0, present + COMPANY.confirmation_boost * (1.0 - present))


def expiry_of(category: str, *, since: datetime) -> datetime | None:
    """Return when a fact that was said or confirmed at `since` expires; None: never."""
    ttl = COMPANY.ttl_of(category)
    return None if ttl is None else since + ttl


def renewed_expiry(expires_at: datetime | None, category: str, *, since: datetime) -> datetime | None:
    """Return when a fact expires once it was confirmed at `since`: never earlier than it did."""
    return later_expiry(expires_at, expiry_of(category, since=since))


def later_expiry(*moments: datetime | None) -> datetime | None:
    """Return the latest of some; None stands for never."""
    known = [moment for moment in moments if moment is not None]
    return max(known) if len(known) == len(moments) else None
