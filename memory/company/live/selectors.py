"""Reading a company's live state."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.utils.timezone import localdate

from companion_site.vault.scope import space_scope
from memory.company.live.catalogue import rank
from memory.company.params import LIVE
from memory.models import Deadline, Kpi


@dataclass(frozen=True, kw_only=True)
class LiveState:
    """What is told of a company at one time: its key figures, and its open deadlines, the overdue and the soonest first."""

    figures: Sequence[Kpi] = ()
    deadlines: Sequence[Deadline] = ()


def read_live_state(space: UUID, *, now: datetime) -> LiveState:
    """Return a company's live state; what has been overdue for longer than `LIVE.overdue_for` is no part of it."""
    since = localdate(now) - LIVE.overdue_for
    return LiveState(
        figures=standing_figures(space), deadlines=standing_deadlines(space, since=since, open_only=True)
    )


def standing_figures(space: UUID) -> list[Kpi]:
    """Return a company's key figures: those that are known by their key first, in the catalogue's order."""
    with space_scope(space):
        return sorted(Kpi.objects.for_space(space), key=lambda figure: (rank(figure.key), figure.key))


def standing_deadlines(space: UUID, *, since: date | None = None, open_only: bool = False) -> list[Deadline]:
    """Return a company's deadlines from a day on, soonest first; without one from the beginning."""
    with space_scope(space):
        rows = Deadline.objects.for_space(space).order_by("due_on", "key")
        rows = rows.filter(due_on__gte=since) if since else rows
        return list(rows.filter(done_at__isnull=True) if open_only else rows)


def standing_keys(space: UUID) -> frozenset[str]:
    """Return the keys of the figures that stand: what need not be remembered beside them."""
    with space_scope(space):
        return frozenset(Kpi.objects.for_space(space).values_list("key", flat=True))
