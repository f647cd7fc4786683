"""Until when a fact is believed without being confirmed. Nothing deletes what has expired; it is in no default read."""

from datetime import datetime

from memory.company.params import COMPANY


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
