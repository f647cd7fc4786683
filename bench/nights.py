"""Spaces that fall asleep all at once, and how their sleeps went."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from companion_site.jobs import enqueue
from companion_site.vault.scope import lock_space, space_scope
from memory.models import SleepRun
from memory.student.runs import find_open
from memory.student.sleep.timing import awaiting, plan_sleep


@dataclass
class Night:
    """How the sleeps of spaces went that fell asleep together.

    Attributes:
        took_s: from the look at the clock that found them due to the end of the last run.
        batch_s, commit_ms: of each run that had something to do.
        states: how many runs ended how.
        waiting: memories that no sleep took in.
    """

    took_s: float = 0.0
    batch_s: list[float] = field(default_factory=list)
    commit_ms: list[float] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    waiting: int = 0


def fall_asleep(spaces: Sequence[UUID]) -> datetime:
    """Make all of them due and queue the look at the clock that finds them; return when that was."""
    now = timezone.now()
    for space in spaces:
        with space_scope(space):
            lock_space(space)
            plan_sleep(space, now=now - timedelta(days=1))
    with transaction.atomic():
        enqueue("memory.tasks.queue_sleep")
    return now


def until_asleep(spaces: Sequence[UUID]) -> Iterator[bool]:
    """Yield at each step whether all of them are asleep, having looked at one: a look must not cost what is measured."""
    awake = list(spaces)
    for space in cycle(spaces):
        if space in awake and _is_asleep(space):
            awake.remove(space)
        yield not awake


def tell_night(spaces: Sequence[UUID], *, since: datetime) -> Night:
    """Return how it went, by the runs' own records."""
    night = Night()
    for space in spaces:
        with space_scope(space):
            runs = list(SleepRun.objects.for_space(space))
            night.waiting += awaiting(space).count()
        night.states.update(str(run.state) for run in runs)
        night.batch_s += [(run.duration_ms or 0) / 1000 for run in runs if run.processed]
        night.commit_ms += [float(run.commit_ms or 0) for run in runs if run.processed]
        ends = [
            run.started_at + timedelta(milliseconds=run.duration_ms or 0) for run in runs if run.started_at
        ]
        night.took_s = max([night.took_s, *((end - since).total_seconds() for end in ends)])
    return night


def _is_asleep(space: UUID) -> bool:
    """Tell whether a sleep was begun and no run of it waits or works; what failed counts as ended."""
    with space_scope(space):
        begun = SleepRun.objects.for_space(space).exists()
    return begun and find_open(SleepRun, space) is None
