"""The one door to background work.

Jobs live in tables of this database (django-q2's ORM broker), so a job commits or rolls back with the rows it is
about. Arguments are ids only: they are pickled into a table that administrators can read.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from importlib import import_module
from typing import Any
from uuid import UUID

import structlog
from django.apps import apps
from django.db.models import Count, Min
from django.utils import timezone
from django.utils.module_loading import import_string

logger = structlog.get_logger(__name__)

NAME_LENGTH = 100
#: What waits by no kind of its own: what the site queues by its schedules.
SCHEDULED = "scheduled"


class JobFailed(Exception):
    """What the queue's tables keep of a failure: the class of the error, not its text."""


def job(task: Callable[..., Any]) -> Callable[..., None]:
    """Make a function of ids, and of `now`, one that can be queued.

    The queue stores the text and trace of an error where administrators read it, and an error may quote what it was given.
    The log gets what may be known of it, the table its name.
    """

    @wraps(task)
    def run(*ids: str) -> None:
        try:
            task(*map(UUID, ids), now=timezone.now())
        except Exception as error:  # raised below by its name alone
            logger.exception("job.failed", job=f"{task.__module__}.{task.__name__}", ids=ids)
            failed = JobFailed(type(error).__qualname__)
        else:
            return
        raise failed

    run.is_job = True  # type: ignore[attr-defined]
    return run


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """One recurring job, declared in an app's `schedules.py` as an item of `SCHEDULES`."""

    #: dotted, unique: "vault.leases.sweep"
    name: str
    #: "app.tasks.verb_noun", called without arguments
    task: str
    #: minutes between runs
    every_minutes: int


def enqueue(task_path: str, *ids: UUID) -> None:
    """Queue `task_path(*ids)`, in the lane of the first id; call it inside the transaction that wrote the rows.

    Resolving the path here turns a typo into an ImportError at the caller instead of a failed job on the worker.

    Raises:
        TypeError: an argument is no id; words and keys must not reach the table.
    """
    from django_q.tasks import async_task

    from companion_site.broker import FairBroker

    _find_job(task_path)
    if not all(isinstance(value, UUID) for value in ids):
        raise TypeError("a job is given ids only")
    alias = task_path.rsplit(".", 1)[-1]
    name = f"{alias}:{ids[-1]}" if ids else alias
    broker = FairBroker(lane=ids[0].hex if ids else "", kind=alias)
    async_task(task_path, *map(str, ids), group=task_path, task_name=name[:NAME_LENGTH], broker=broker)


def declared_schedules() -> list[Schedule]:
    """Return the schedules of every installed app, in the order of their names.

    Raises:
        ValueError: two schedules share a name.
    """
    found: list[Schedule] = []
    for config in apps.get_app_configs():
        try:
            module = import_module(f"{config.name}.schedules")
        except ModuleNotFoundError as missing:
            if missing.name != f"{config.name}.schedules":
                raise
            continue
        found.extend(module.SCHEDULES)
    names = [schedule.name for schedule in found]
    if len(names) != len(set(names)):
        raise ValueError(f"schedule names repeat: {sorted(names)}")
    return sorted(found, key=lambda schedule: schedule.name)


def sync_schedules() -> list[str]:
    """Make the database's schedules equal the declared ones; return their names."""
    from django_q.models import Schedule as Row

    wanted = declared_schedules()
    for schedule in wanted:
        _find_job(schedule.task)
        Row.objects.update_or_create(
            name=schedule.name,
            defaults={"func": schedule.task, "schedule_type": Row.MINUTES, "minutes": schedule.every_minutes},
        )
    names = [schedule.name for schedule in wanted]
    Row.objects.exclude(name__in=names).delete()
    return names


def _find_job(task_path: str) -> None:
    """Check that a path leads to a job.

    Raises:
        ImportError: it leads nowhere. TypeError: to what is none.
    """
    if not getattr(import_string(task_path), "is_job", False):
        raise TypeError(f"{task_path} is not a @job")


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Jobs of one kind that could run and have not been taken."""

    kind: str
    count: int
    #: of the one that waits longest
    oldest: timedelta


def waiting_jobs(now: datetime) -> list[Waiting]:
    """Return what waits in the queue by kind, what waits longest first.

    The queue's `lock` is the moment from which a job may be taken. A job in work carries a moment in the future,
    which passes when its worker dies: it counts as waiting again, so a stuck queue is seen.
    """
    from django_q.models import OrmQ

    from companion_site.broker import KIND, part_of_key

    rows = OrmQ.objects.filter(lock__lte=now).annotate(kind=part_of_key(KIND)).order_by()
    found = rows.values("kind").annotate(count=Count("id"), since=Min("lock"))
    kinds = [
        Waiting(kind=row["kind"] or SCHEDULED, count=row["count"], oldest=now - row["since"]) for row in found
    ]
    return sorted(kinds, key=lambda one: (-one.oldest, one.kind))


def oldest_age_s(waiting: Sequence[Waiting]) -> float:
    """Return how many seconds the job that waits longest has waited; nought where none does."""
    return waiting[0].oldest.total_seconds() if waiting else 0.0
