"""Reading a company's live state as plain data."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from companion_site.vault.scope import space_scope
from memory.company.live.catalogue import rank
from memory.models import Deadline, Kpi


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A key figure as it stands."""

    key: str
    label: str
    value: Decimal
    unit: str
    as_of: date
    source: str
    updated_at: datetime

    def is_stale(self, today: date, *, after: timedelta) -> bool:
        return today - self.as_of > after


@dataclass(frozen=True, kw_only=True)
class Due:
    """A deadline as it stands."""

    id: UUID
    key: str
    label: str
    due_on: date
    done: bool
    source: str
    updated_at: datetime


def standing_figures(space: UUID) -> list[Figure]:
    """Return a company's key figures: those that are known by their key first, in the catalogue's order."""
    with space_scope(space):
        rows = list(Kpi.objects.for_space(space))
    figures = [
        Figure(
            key=row.key,
            label=row.label,
            value=row.value,
            unit=row.unit,
            as_of=row.as_of,
            source=row.source,
            updated_at=row.updated_at,
        )
        for row in rows
    ]
    return sorted(figures, key=lambda figure: (rank(figure.key), figure.key))


def standing_deadlines(
    space: UUID, *, since: date | None = None, until: date | None = None, open_only: bool = False
) -> list[Due]:
    """Return a company's deadlines, soonest first.

    Args:
        since: the first day; None from the beginning.
        until: the last day; None to the end.
    """
    with space_scope(space):
        rows = Deadline.objects.for_space(space).order_by("due_on", "key")
        rows = rows.filter(due_on__gte=since) if since else rows
        rows = rows.filter(due_on__lte=until) if until else rows
        rows = rows.filter(done_at__isnull=True) if open_only else rows
        return [
            Due(
                id=row.pk,
                key=row.key,
                label=row.label,
                due_on=row.due_on,
                done=row.done_at is not None,
                source=row.source,
                updated_at=row.updated_at,
            )
            for row in rows
        ]


def standing_keys(space: UUID) -> frozenset[str]:
    """Return the keys of the figures that stand: what need not be remembered beside them."""
    with space_scope(space):
        return frozenset(Kpi.objects.for_space(space).values_list("key", flat=True))
