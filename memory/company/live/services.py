"""Key figures and deadlines of a company, set and read.

What is named becomes what was said, all or nothing, the same again for nothing.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from uuid import UUID

from django.db import models
from django.utils.timezone import localdate

from companion_site.audit.services import record_event
from companion_site.vault.scope import space_scope, write_scope
from memory.company.errors import StateRefused
from memory.company.live.catalogue import rank
from memory.company.live.entries import DeadlineEntry, KpiEntry
from memory.company.params import LIVE
from memory.models import Deadline, Kpi

KPI_FIELDS = ("label", "value", "unit", "as_of")


@dataclass(frozen=True, kw_only=True)
class Written:
    """How many rows of one request did what; `older` ones came after something newer and changed nothing."""

    created: int = 0
    changed: int = 0
    same: int = 0
    older: int = 0


def set_kpis(
    space: UUID, rows: Sequence[KpiEntry], *, source: str, now: datetime, actor: models.Model | None
) -> Written:
    """Set key figures of a company; what is not named stays as it is.

    A figure of an older day never takes the place of a newer one; of the same day, what comes last stands.

    Raises:
        StateRefused: a key twice, a day to come, too many; nothing was written.
    """
    _check_once("kpis", [row.key for row in rows])
    for place, row in enumerate(rows):
        if row.as_of > localdate(now) + LIVE.ahead:  # it would keep every later figure out
            raise StateRefused(f"kpis.{place}.as_of: a day to come; give the day that the figure is of.")
    with write_scope(space):
        held = {row.key: row for row in Kpi.objects.for_space(space)}
        _check_count("kpis", len(held.keys() | {row.key for row in rows}))
        made, changed, older = [], [], 0
        for row in rows:
            new = Kpi(space_id=space, source=source, updated_at=now, **row.model_dump())
            standing = held.get(row.key)
            if standing is None:
                made.append(new)
            elif row.as_of < standing.as_of:
                older += 1
            elif differs(standing, row):
                new.id = standing.id
                changed.append(new)
        Kpi.objects.bulk_create(made)
        Kpi.objects.for_space(space).bulk_update(changed, [*KPI_FIELDS, "source", "updated_at"])
        written = Written(
            created=len(made),
            changed=len(changed),
            same=len(rows) - len(made) - len(changed) - older,
            older=older,
        )
        _record("company.kpis_set", space, written, source=source, now=now, actor=actor)
        return written


def set_deadlines(
    space: UUID, rows: Sequence[DeadlineEntry], *, source: str, now: datetime, actor: models.Model | None
) -> Written:
    """Set deadlines of a company, each known by its key and day; what is not named stays as it is.

    Raises:
        StateRefused: the same key and day twice, too many open; nothing was written.
    """
    _check_once("deadlines", [(row.key, row.due_on) for row in rows])
    with write_scope(space):
        deadlines = Deadline.objects.for_space(space)
        known = deadlines.filter(due_on__in=[row.due_on for row in rows])
        held = {(row.key, row.due_on): row for row in known}
        made, changed = [], []
        for row in rows:
            new = Deadline(space_id=space, source=source, updated_at=now, **row.model_dump(exclude={"done"}))
            standing = held.get((row.key, row.due_on))
            if row.done:
                new.done_at = standing.done_at if standing and standing.done_at else now
            if standing is None:
                made.append(new)
            elif (standing.label, standing.done_at) != (new.label, new.done_at):
                new.id = standing.id
                changed.append(new)
        Deadline.objects.bulk_create(made)
        deadlines.bulk_update(changed, ["label", "done_at", "source", "updated_at"])
        _check_count("deadlines", deadlines.filter(done_at__isnull=True).count())
        same = len(rows) - len(made) - len(changed)
        written = Written(created=len(made), changed=len(changed), same=same)
        _record("company.deadlines_set", space, written, source=source, now=now, actor=actor)
        return written


def set_state(
    space: UUID,
    kpis: Sequence[KpiEntry],
    deadlines: Sequence[DeadlineEntry],
    *,
    source: str,
    now: datetime,
    actor: models.Model | None,
) -> tuple[Written, Written]:
    """Set figures and deadlines together, both or neither."""
    with space_scope(space):
        figures = set_kpis(space, kpis, source=source, now=now, actor=actor)
        return figures, set_deadlines(space, deadlines, source=source, now=now, actor=actor)


def remove_kpi(space: UUID, key: str, *, now: datetime, actor: models.Model | None) -> None:
    """Take out a figure that should never have stood, so that one of an older day can be set."""
    with write_scope(space):
        removed, _ = Kpi.objects.for_space(space).filter(key=key).delete()
        if removed:
            record_event("company.kpi_removed", chain=space, actor=actor, data={"removed": removed}, now=now)


def differs(standing: Kpi, row: KpiEntry) -> bool:
    """Tell whether a figure says something else than the one that stands."""
    return any(getattr(standing, field) != getattr(row, field) for field in KPI_FIELDS)


def _check_count(name: str, count: int) -> None:
    if count > LIVE.most_rows:
        raise StateRefused(f"{name}: at most {LIVE.most_rows} of a company, and this would make it {count}.")


def _check_once(name: str, keys: Sequence[object]) -> None:
    """Refuse too many rows, and two that are known by the same: which of them stands could not be told."""
    _check_count(name, len(keys))
    for place, key in enumerate(keys):
        if (first := keys.index(key)) != place:
            raise StateRefused(f"{name}.{place}.key: the same as {name}.{first}; give each once.")


def _record(
    action: str, space: UUID, written: Written, *, source: str, now: datetime, actor: models.Model | None
) -> None:
    """Put counts on record where something changed."""
    if written.created or written.changed:
        record_event(action, chain=space, actor=actor, data={**asdict(written), "source": source}, now=now)


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
