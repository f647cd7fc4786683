"""Setting key figures and deadlines: what is named becomes what was said, all or nothing, the same again for nothing."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from django.db import models
from django.utils.timezone import localdate

from companion_site.audit.services import record_event
from companion_site.ids import new_id
from companion_site.vault.scope import lock_space, space_scope
from memory.company.errors import StateRefused
from memory.company.live.entries import DeadlineEntry, Entry, KpiEntry
from memory.company.live.selectors import Figure
from memory.company.params import LIVE
from memory.models import Deadline, Kpi

EntryKind = TypeVar("EntryKind", bound=Entry)

KPI_FIELDS = ("label", "value", "unit", "as_of")


@dataclass(frozen=True, kw_only=True)
class Written:
    """How many rows of one request did what; `older` ones came after something newer and changed nothing."""

    created: int = 0
    changed: int = 0
    same: int = 0
    older: int = 0

    @classmethod
    def of(
        cls, given: Sequence[Entry], made: Sequence[object], changed: Sequence[object], *, older: int = 0
    ) -> "Written":
        same = len(given) - len(made) - len(changed) - older
        return cls(created=len(made), changed=len(changed), same=same, older=older)


def set_kpis(
    space: UUID, rows: Sequence[KpiEntry], *, source: str, now: datetime, actor: models.Model | None
) -> Written:
    """Set key figures of a company; what is not named stays as it is.

    A figure of an older day never takes the place of a newer one; of the same day, what comes last stands.

    Args:
        source: of Kpi.Source.
        actor: the person or the program that says so.

    Raises:
        StateRefused: a key twice, a day to come, too many; nothing was written.
    """
    _check_kpis(rows, now=now)
    with space_scope(space):
        lock_space(space)
        held = {row.key: row for row in Kpi.objects.for_space(space)}
        _check_count("kpis", len(held.keys() | {row.key for row in rows}))
        made, changed, older = [], [], 0
        for row in rows:
            standing = held.get(row.key)
            if standing is None:
                made.append(_new_kpi(space, row, source=source, now=now))
            elif row.as_of < standing.as_of:
                older += 1
            elif differs(standing, row):
                changed.append(_changed_kpi(standing, row, source=source, now=now))
        Kpi.objects.bulk_create(made)
        Kpi.objects.for_space(space).bulk_update(changed, [*KPI_FIELDS, "source", "updated_at"])
        written = Written.of(rows, made, changed, older=older)
        _record("company.kpis_set", space, written, source=source, now=now, actor=actor)
        return written


def set_deadlines(
    space: UUID, rows: Sequence[DeadlineEntry], *, source: str, now: datetime, actor: models.Model | None
) -> Written:
    """Set deadlines of a company, each known by its key and day; what is not named stays as it is.

    Raises:
        StateRefused: the same key and day twice, too many open; nothing was written.
    """
    _check_count("deadlines", len(rows))
    _check_once("deadlines", rows, lambda row: (row.key, row.due_on))
    with space_scope(space):
        lock_space(space)
        days = [row.due_on for row in rows]
        held = {
            (row.key, row.due_on): row for row in Deadline.objects.for_space(space).filter(due_on__in=days)
        }
        made, changed = [], []
        for row in rows:
            standing = held.get((row.key, row.due_on))
            if standing is None:
                made.append(_new_deadline(space, row, source=source, now=now))
            elif (standing.label, standing.done_at is not None) != (row.label, row.done):
                changed.append(_changed_deadline(standing, row, source=source, now=now))
        Deadline.objects.bulk_create(made)
        rows_of_space = Deadline.objects.for_space(space)
        rows_of_space.bulk_update(changed, ["label", "done_at", "source", "updated_at"])
        _check_count("deadlines", rows_of_space.filter(done_at__isnull=True).count())
        written = Written.of(rows, made, changed)
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
    """Set figures and deadlines together, both or neither.

    Raises:
        StateRefused.
    """
    with space_scope(space):
        figures = set_kpis(space, kpis, source=source, now=now, actor=actor)
        return figures, set_deadlines(space, deadlines, source=source, now=now, actor=actor)


def remove_kpi(space: UUID, key: str, *, now: datetime, actor: models.Model | None) -> None:
    """Take out a figure that should never have stood, so that one of an older day can be set."""
    with space_scope(space):
        lock_space(space)
        removed, _ = Kpi.objects.for_space(space).filter(key=key).delete()
        if removed:
            record_event("company.kpi_removed", chain=space, actor=actor, data={"removed": removed}, now=now)


def differs(standing: Kpi | Figure, row: KpiEntry) -> bool:
    """Tell whether a figure says something else than the one that stands."""
    return any(getattr(standing, field) != getattr(row, field) for field in KPI_FIELDS)


def _check_kpis(rows: Sequence[KpiEntry], *, now: datetime) -> None:
    """Refuse figures that cannot be set together.

    Raises:
        StateRefused: a key twice, a day to come (it would keep every later figure out), too many.
    """
    _check_count("kpis", len(rows))
    _check_once("kpis", rows, lambda row: row.key)
    for place, row in enumerate(rows):
        if row.as_of > localdate(now) + LIVE.ahead:
            raise StateRefused(f"kpis[{place}].as_of: a day to come; give the day that the figure is of.")


def _check_count(name: str, count: int) -> None:
    if count > LIVE.most_rows:
        raise StateRefused(f"{name}: at most {LIVE.most_rows} of a company, and this would make it {count}.")


def _check_once(name: str, rows: Sequence[EntryKind], known_by: Callable[[EntryKind], object]) -> None:
    seen: dict[object, int] = {}
    for place, row in enumerate(rows):
        if (first := seen.setdefault(known_by(row), place)) != place:
            raise StateRefused(f"{name}[{place}].key: the same as {name}[{first}]; give each once.")


def _new_kpi(space: UUID, row: KpiEntry, *, source: str, now: datetime) -> Kpi:
    return Kpi(id=new_id(), space_id=space, source=source, updated_at=now, **row.model_dump())


def _changed_kpi(standing: Kpi, row: KpiEntry, *, source: str, now: datetime) -> Kpi:
    for field in KPI_FIELDS:
        setattr(standing, field, getattr(row, field))
    standing.source, standing.updated_at = source, now
    return standing


def _new_deadline(space: UUID, row: DeadlineEntry, *, source: str, now: datetime) -> Deadline:
    values = row.model_dump(exclude={"done"})
    done_at = now if row.done else None
    return Deadline(id=new_id(), space_id=space, source=source, updated_at=now, done_at=done_at, **values)


def _changed_deadline(standing: Deadline, row: DeadlineEntry, *, source: str, now: datetime) -> Deadline:
    standing.label, standing.source, standing.updated_at = row.label, source, now
    if row.done != (standing.done_at is not None):
        standing.done_at = now if row.done else None
    return standing


def _record(
    action: str, space: UUID, written: Written, *, source: str, now: datetime, actor: models.Model | None
) -> None:
    """Put counts on record where something changed."""
    if written.created or written.changed:
        record_event(action, chain=space, actor=actor, data={**asdict(written), "source": source}, now=now)
