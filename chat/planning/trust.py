"""How well two know each other, from how long and how much they have talked. Pure."""

from dataclasses import dataclass
from datetime import datetime

from chat.planning.kinds import TrustLevel

#: Days since the first message, and messages of the person: below either of the first they have just met.
GROWING_DAYS, GROWING_MESSAGES = 3, 20
TRUSTED_DAYS, TRUSTED_MESSAGES = 30, 150


@dataclass(frozen=True, kw_only=True)
class Talked:
    """How much a person has said, since when."""

    since: datetime | None = None
    messages: int = 0


def trust_level(talked: Talked, *, now: datetime) -> TrustLevel:
    """Return how far the two have come: both time and talk are needed."""
    if talked.since is None:
        return "new"
    days = (now - talked.since).days
    if days >= TRUSTED_DAYS and talked.messages >= TRUSTED_MESSAGES:
        return "trusted"
    return "growing" if days >= GROWING_DAYS and talked.messages >= GROWING_MESSAGES else "new"
