"""What is open in somebody's life, in the order in which it matters, and what of it cannot wait. Pure."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from chat.planning.snapshot import Loop

PRIORITIES = {"high": 0, "medium": 1, "low": 2}
#: how early something open comes up before it is due
AHEAD = timedelta(days=7)
#: so near, what is open is worth a reminder
DUE_SOON = timedelta(hours=24)
#: so many days ahead, today counted as none, what is open is known whatever is spoken of
NEAR_DAYS = 2


def order_loops(loops: Iterable[Loop], *, now: datetime) -> list[Loop]:
    """Return what is open and comes up soon: the most important first, then what is due first."""
    latest = now + AHEAD
    near = [loop for loop in loops if loop.due is None or loop.due <= latest]
    return sorted(near, key=lambda loop: (PRIORITIES.get(loop.priority, 3), loop.due or latest))


def is_soon(loop: Loop, *, now: datetime) -> bool:
    """Tell whether something is due within a day."""
    return loop.due is not None and loop.due <= now + DUE_SOON and not loop.is_past


def is_near(loop: Loop, *, now: datetime) -> bool:
    """Tell whether something is due today or within two days; `now` is local."""
    if loop.due is None or loop.is_past:
        return False
    return (loop.due.astimezone(now.tzinfo).date() - now.date()).days <= NEAR_DAYS


def cannot_wait(loop: Loop, *, now: datetime) -> bool:
    """Tell whether something is brought before somebody even on a bad day."""
    return loop.priority == "high" or is_soon(loop, now=now)
