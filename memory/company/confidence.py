"""How sure the companion still is of a company's fact, and until when it believes it; computed where it is read.

Confidence is stored as of the last confirmation. Nothing ever writes a faded value over it, so reading twice, or late,
or never, cannot fade a fact twice. What is good for as long as nobody says otherwise (a decision, a preference) does
not fade; the others have lost half when their time is over. Nothing deletes what has expired; it is in no default read.
"""

from datetime import datetime

from memory.company.params import COMPANY


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


def later_expiry(one: datetime | None, other: datetime | None) -> datetime | None:
    """Return the later of two; None stands for never."""
    return None if one is None or other is None else max(one, other)
