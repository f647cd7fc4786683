"""Whether memories fall asleep when they should: which spaces are late, by numbers alone."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from companion_site.vault.models import Space
from memory.models import SleepRun
from memory.student.sleep.params import SLEEP, SleepParams
from memory.student.sleep.requests import OPEN


@dataclass(frozen=True, kw_only=True)
class Overdue:
    """Spaces whose sleep is late.

    Attributes:
        oldest: since when the latest of them should have slept; None where none is late.
    """

    count: int
    oldest: datetime | None


def overdue_spaces(now: datetime, params: SleepParams = SLEEP) -> Overdue:
    """Return how many spaces should have slept more than `params.overdue_hours` ago.

    A space that nobody but its person can open is not late: it waits for its key.
    """
    late = now - timedelta(hours=params.overdue_hours)
    planned = Space.objects.filter(next_sleep_at__lt=late)
    since = {space.pk: space.next_sleep_at or now for space in planned.only("next_sleep_at")}
    # Across spaces, so by the role that sees no content.
    begun = SleepRun.objects.using("metadata").filter(state__in=OPEN, requested_at__lt=late)
    for space, requested in begun.values_list("space_id", "requested_at"):
        since[space] = min(requested, since.get(space, requested))
    can_sleep = Space.objects.filter(
        pk__in=list(since), closed_at__isnull=True, awaiting_key_since__isnull=True
    )
    found: list[UUID] = list(can_sleep.values_list("pk", flat=True))
    return Overdue(count=len(found), oldest=min((since[space] for space in found), default=None))
