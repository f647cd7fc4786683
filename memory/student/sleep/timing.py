"""When a memory falls asleep, and asking for it: one run at a time for each space, by whomever it is asked.

It does some hours after the last thing taken in, and never much later than the first. The time stands on the space, outside its rows,
so that the clock finds what is due in one query without any key. While a sleep is queued or carried out, the time says when to look
again whether it was done.
"""

from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.conf import settings
from django.db.models import Max, Min

from companion_site.accounts.models import Person
from companion_site.audit.services import record_event
from companion_site.jobs import enqueue
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import await_key
from memory.models import MemoryNode, SleepRun
from memory.querysets import NodeQuerySet
from memory.student.params import SLEEP
from memory.student.runs import create_run, find_open, is_stuck, let_worker_in, lock_run, start_run

logger = structlog.get_logger(__name__)

#: how long after the last thing taken in
AFTER = timedelta(hours=SLEEP.after_hours)
#: However long a person goes on, sleep comes this long after the first thing it has yet to look at.
LONGEST = timedelta(hours=24)
#: After so long a queued sleep that nobody began is queued again.
PATIENCE = timedelta(hours=1)
TASK = "memory.tasks.sleep_space"
#: What the record says of a run that worker after worker died over.
CUT_SHORT = "sleep.cut-short"
#: spaces queued by one look at the clock; what is left is found by the next
MOST_QUEUED = 500


def plan_sleep(space: UUID, *, now: datetime) -> None:
    """Plan the sleep of a space into which something was taken. In the transaction that did it, with its lock."""
    first = _fresh(space).aggregate(at=Min("formed_at"))["at"]
    if first is None:
        return
    latest = [first + LONGEST]
    planned = Space.objects.filter(pk=space).values_list("next_sleep_at", flat=True).get()
    if planned is not None:
        latest.append(planned)
    set_next(space, min(now + AFTER, max(latest)))


def plan_next(space: UUID, *, now: datetime) -> None:
    """Plan the sleep after one that has ended, for what it left and what came in meanwhile; none where nothing waits."""
    if not has_memory_on(space):
        set_next(space, None)
        return
    fresh = _fresh(space).aggregate(first=Min("formed_at"), last=Max("formed_at"))
    times = []
    if fresh["first"] is not None:
        times.append(min(fresh["last"] + AFTER, fresh["first"] + LONGEST))
    if awaiting(space).filter(sleep_tries__gt=0).exists():
        times.append(now + AFTER)
    set_next(space, min(times, default=None))


def plan_left(space: UUID, *, now: datetime) -> None:
    """Plan a sleep for what waits for one where none is planned. Inside the space's scope."""
    unplanned = Space.objects.filter(pk=space, closed_at__isnull=True, next_sleep_at__isnull=True)
    if unplanned.exists() and sleeps(space):
        unplanned.update(next_sleep_at=now + AFTER)


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


def request_sleep(space: UUID, *, now: datetime) -> SleepRun:
    """Return the run of `space` that waits or works; a new one, queued, where there is none. Asked for by the person.

    Where the worker cannot be given the key, the space notes that work is due, and the next unlock queues it.
    """
    with space_scope(space):
        run = find_open(SleepRun, space)
        if run is None or is_stuck(run, now=now):
            run = run or _begin(space, trigger=SleepRun.Trigger.REQUESTED, now=now)
            if let_worker_in(space, now=now):
                _queue(space, run, now=now)
        return run


def begin_run(space: UUID, *, trigger: SleepRun.Trigger | str, now: datetime) -> SleepRun:
    """Return the run of `space` that waits or works, made where there is none; the caller carries it out."""
    with space_scope(space):
        return find_open(SleepRun, space) or _begin(space, trigger=trigger, now=now)


def queue_due(*, now: datetime) -> int:
    """Queue the sleep of every space that is due; return how many. Needs no key."""
    due = Space.objects.filter(next_sleep_at__lte=now, closed_at__isnull=True).order_by("next_sleep_at")
    return sum(_queue_if_due(space, now=now) for space in due.values_list("pk", flat=True)[:MOST_QUEUED])


def begin_due(space: UUID, *, now: datetime) -> UUID | None:
    """Return the run that whoever has just got the key has to carry out; None where nothing is due.

    What waits without a plan, as after memory was off, gets one.
    """
    with space_scope(space):
        plan_left(space, now=now)
        run = find_open(SleepRun, space)
        due = Space.objects.filter(pk=space, next_sleep_at__lte=now)
        if run is None and due.exists() and sleeps(space):
            run = _begin(space, trigger=SleepRun.Trigger.SCHEDULED, now=now)
        return run.pk if run is not None else None


def awaits_sleep(space: UUID) -> bool:
    """Tell whether a sleep of `space` is planned, waits or runs, or has yet to be planned. Inside its scope; needs no key."""
    planned = Space.objects.filter(pk=space, next_sleep_at__isnull=False)
    return planned.exists() or find_open(SleepRun, space) is not None or sleeps(space)


def claim(space: UUID, run: UUID, *, now: datetime) -> SleepRun | None:
    """Take a waiting run to work on it, or one whose worker died; None where it is another's or ended.

    What a worker died over counts as a try; after the last the run has failed.

    Raises:
        NotFound: the space has no such run.
    """
    with space_scope(space):
        row = lock_run(SleepRun, space, run, now=now)
        if row is None:
            return None
        left_behind = row.state == SleepRun.State.RUNNING
        if left_behind and row.attempt >= SLEEP.most_tries:
            end_failed(space, row, CUT_SHORT, now=now)
            return None
        row.attempt += left_behind
        start_run(row, now=now)
        look_again(space, now=now)
        return row


def end_failed(space: UUID, run: SleepRun, code: str, *, now: datetime) -> None:
    """Say on the record why a try came to nothing, and plan the next one soon, or another sleep after the last. Inside the space's scope."""
    run.state, run.finished_at, run.error = SleepRun.State.FAILED, now, code
    run.save()
    is_last = run.attempt >= SLEEP.most_tries
    set_next(space, now + (AFTER if is_last else timedelta(minutes=SLEEP.backoff_minutes[run.attempt - 1])))
    data = {"error": code, "attempt": run.attempt}
    record_event("memory.sleep_failed", chain=space, subject=run, data=data, now=now)
    logger.warning(
        "memory.sleep_failed", space=str(space), run=str(run.pk), **data, duration_ms=run.duration_ms
    )


def go_on(space: UUID, *, now: datetime, queue: bool) -> SleepRun:
    """Begin the next run of a sleep that has work left. In the transaction that ended the one before."""
    run = _begin(space, trigger=SleepRun.Trigger.CONTINUED, now=now)
    if queue:
        _queue(space, run, now=now)
    return run


def _begin(space: UUID, *, trigger: str, now: datetime) -> SleepRun:
    """Make a waiting run. After a try that failed it is the next try at the same batch."""
    last = SleepRun.objects.for_space(space).order_by("-id").first()
    attempt = 1
    if last is not None and last.state == SleepRun.State.FAILED and last.attempt < SLEEP.most_tries:
        attempt = last.attempt + 1
        trigger = last.trigger if trigger == SleepRun.Trigger.SCHEDULED else trigger
    return create_run(SleepRun, space, trigger=trigger, attempt=attempt, requested_at=now)


def _queue_if_due(space: UUID, *, now: datetime) -> bool:
    """Queue one space's sleep, unless another look did, somebody works on it, or nothing is left to do.

    A space to which nobody has the key says so, and is not looked at again before its person comes.
    """
    with space_scope(space):
        due = Space.objects.filter(pk=space, next_sleep_at__lte=now)
        if not due.update(next_sleep_at=now + PATIENCE):
            return False
        run = find_open(SleepRun, space)
        if run is None and not sleeps(space):
            set_next(space, None)
            return False
        run = run or _begin(space, trigger=SleepRun.Trigger.SCHEDULED, now=now)
        if run.state == SleepRun.State.RUNNING and not is_stuck(run, now=now):
            look_again(space, now=now)
            return False
        if not _can_be_opened(space, now=now):
            set_next(space, None)
            await_key(space, now=now)
            return False
        _queue(space, run, now=now)
        return True


def _queue(space: UUID, run: SleepRun, *, now: datetime) -> None:
    set_next(space, now + PATIENCE)
    enqueue(TASK, space, run.pk)


def _can_be_opened(space: UUID, *, now: datetime) -> bool:
    leases = KeySlot.objects.for_space(space).of_kind(KeySlot.Kind.LEASE).valid(now)
    return leases.exists() or Space.objects.filter(pk=space, sealed=False).exists()
