"""What sleep has done, and where it is late: the records of its runs, for the person and for who looks after the site."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import MemoryChange, SleepRun
from memory.models.changes import Run
from memory.student.params import SLEEP

#: Records are kept at least so long, whatever the settings say.
LEAST_DAYS = 30


@dataclass(frozen=True, kw_only=True)
class Overdue:
    """Spaces whose sleep is late.

    Attributes:
        oldest: since when the latest of them should have slept; None where none is late.
    """

    count: int
    oldest: datetime | None


def list_failed(*, limit: int) -> list[SleepRun]:
    """Return the failed tries of all spaces that nobody has looked at, the newest first. Needs no key."""
    # Across spaces, so by the role that sees no content.
    rows = SleepRun.objects.using("metadata").filter(state=SleepRun.State.FAILED, reviewed_at__isnull=True)
    return list(rows.order_by("-id")[:limit])


def review_run(space: UUID, run: UUID, *, now: datetime, actor: models.Model) -> SleepRun:
    """Note that somebody has looked at a failed try; twice is once.

    Raises:
        NotFound: the space has no such failed try.
    """
    with space_scope(space):
        row = SleepRun.objects.for_space(space).find(pk=run, state=SleepRun.State.FAILED)
        if row.reviewed_at is None:
            row.reviewed_at = now
            row.save(update_fields=["reviewed_at"])
            record_event("memory.sleep_reviewed", chain=space, actor=actor, subject=row, now=now)
        return row


def purge_runs(*, now: datetime) -> int:
    """Drop the records that have been kept long enough, in every space; return how many there were."""
    before = now - timedelta(days=max(SLEEP.history_days, LEAST_DAYS))
    # Across spaces, so by the role that sees no content.
    old = SleepRun.objects.using("metadata").filter(finished_at__lt=before)
    spaces = list(old.order_by("space_id").values_list("space_id", flat=True).distinct())
    return sum(_purge(space, before, now=now) for space in spaces)


def _purge(space: UUID, before: datetime, *, now: datetime) -> int:
    """Drop one space's old records; what they changed can be undone as long as before."""
    with space_scope(space):
        rows = SleepRun.objects.for_space(space).filter(finished_at__lt=before)
        old = list(rows.values_list("pk", flat=True))
        MemoryChange.objects.for_space(space).filter(sleep_id__in=old).update(sleep=None)
        rows.filter(pk__in=old).delete()
        if old:
            record_event("memory.sleep_history_purged", chain=space, data={"count": len(old)}, now=now)
    return len(old)


def overdue_spaces(now: datetime) -> Overdue:
    """Return how many spaces should have slept more than `SLEEP.overdue_hours` ago.

    A space that nobody but its person can open is not late: it waits for its key.
    """
    late = now - timedelta(hours=SLEEP.overdue_hours)
    planned = Space.objects.filter(next_sleep_at__lt=late)
    since = {space.pk: space.next_sleep_at or now for space in planned.only("next_sleep_at")}
    # Across spaces, so by the role that sees no content.
    begun = SleepRun.objects.using("metadata").filter(state__in=Run.OPEN, requested_at__lt=late)
    for space, requested in begun.values_list("space_id", "requested_at"):
        since[space] = min(requested, since.get(space, requested))
    can_sleep = Space.objects.filter(
        pk__in=list(since), closed_at__isnull=True, awaiting_key_since__isnull=True
    )
    found: list[UUID] = list(can_sleep.values_list("pk", flat=True))
    return Overdue(count=len(found), oldest=min((since[space] for space in found), default=None))
