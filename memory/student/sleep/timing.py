"""When a memory falls asleep: some hours after the last thing taken in, and never much later than the first.

The time stands on the space, outside its rows, so that the clock finds what is due in one query without any key. While a
sleep is queued or carried out, the time says when to look again whether it was done.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Max, Min

from companion_site.accounts.models import Person
from companion_site.vault.models import Space
from memory.models import MemoryNode
from memory.querysets import NodeQuerySet
from memory.student.sleep.params import SLEEP

#: However long a person goes on, sleep comes this long after the first thing it has yet to look at.
LONGEST = timedelta(hours=24)
#: After so long a queued sleep that nobody began is queued again.
PATIENCE = timedelta(hours=1)


def plan_sleep(space: UUID, *, now: datetime) -> None:
    """Plan the sleep of a space into which something was taken. In the transaction that did it, with its lock."""
    first = _fresh(space).aggregate(at=Min("formed_at"))["at"]
    if first is None:
        return
    latest = [first + LONGEST]
    planned = Space.objects.filter(pk=space).values_list("next_sleep_at", flat=True).get()
    if planned is not None:
        latest.append(planned)
    set_next(space, min(now + _after(), max(latest)))


def plan_next(space: UUID, *, now: datetime) -> None:
    """Plan the sleep after one that has ended, for what it left and what came in meanwhile; none where nothing waits."""
    if not has_memory_on(space):
        set_next(space, None)
        return
    fresh = _fresh(space).aggregate(first=Min("formed_at"), last=Max("formed_at"))
    times = []
    if fresh["first"] is not None:
        times.append(min(fresh["last"] + _after(), fresh["first"] + LONGEST))
    if awaiting(space).filter(sleep_tries__gt=0).exists():
        times.append(now + _after())
    set_next(space, min(times, default=None))


def plan_again(space: UUID, *, attempt: int, now: datetime) -> None:
    """Plan what follows a try that failed: the next one soon, or another sleep after the last."""
    if attempt < SLEEP.most_tries:
        set_next(space, now + timedelta(minutes=SLEEP.backoff_minutes[attempt - 1]))
    else:
        set_next(space, now + _after())


def plan_left(space: UUID, *, now: datetime) -> None:
    """Plan a sleep for what waits for one where none is planned. Inside the space's scope."""
    unplanned = Space.objects.filter(pk=space, closed_at__isnull=True, next_sleep_at__isnull=True)
    if unplanned.exists() and sleeps(space):
        unplanned.update(next_sleep_at=now + _after())


def look_again(space: UUID, *, now: datetime) -> None:
    """Have the clock look whether a sleep that was begun has ended, once its job has had all its time."""
    set_next(space, now + timedelta(seconds=settings.JOB_RETRY_S))


def set_next(space: UUID, at: datetime | None) -> None:
    Space.objects.filter(pk=space, closed_at__isnull=True).update(next_sleep_at=at)


def awaiting(space: UUID) -> NodeQuerySet:
    """Return the memories that sleep has yet to take in, the first formed first; inside the space's scope."""
    rows = MemoryNode.objects.for_space(space).active()
    return rows.filter(tier=MemoryNode.Tier.SHORT_TERM, slept_over_at__isnull=True).order_by(
        "formed_at", "id"
    )


def sleeps(space: UUID) -> bool:
    """Tell whether anything is to be done for a space: something waits, and its person's memory is on. In its scope."""
    return awaiting(space).exists() and has_memory_on(space)


def has_fresh(space: UUID, *, by: datetime) -> bool:
    """Tell whether anything formed by then that no sleep has looked at. In the space's scope."""
    return _fresh(space).filter(formed_at__lte=by).exists() and has_memory_on(space)


def has_memory_on(space: UUID) -> bool:
    return not Person.objects.filter(space_id=space, memory_on=False).exists()


def _fresh(space: UUID) -> NodeQuerySet:
    """Return what no sleep has looked at."""
    return awaiting(space).filter(sleep_tries=0)


def _after() -> timedelta:
    return timedelta(hours=SLEEP.after_hours)
