"""A person's word on what the companion keeps in mind: done with, never to be brought up again, or kept in mind after all.

The space is unlocked by the caller. Each change is on record; what changes nothing is not.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.errors import NotFound
from companion_site.vault.scope import lock_space, space_scope
from memory.models import LifeFact
from memory.student.life.facts.extraction import DONE, recover
from memory.student.life.facts.loops import OPEN_KINDS
from memory.student.life.facts.selectors import standing

#: what a fact keeps of when it comes up, and since when it is closed
State = tuple[dict[str, object], datetime | None]


def finish_fact(space: UUID, fact_id: UUID, *, now: datetime, actor: models.Model | None = None) -> bool:
    """Note that an open loop is done with: what comes again for this time, all else for good. Return whether it comes again.

    Raises:
        NotFound: the space has no such fact, or it is none that can be open; goals are closed as goals.
    """

    def finish(detail: dict[str, object], closed_at: datetime | None) -> State:
        if recover(detail).is_recurring:
            return {**detail, DONE: now.isoformat()}, closed_at
        return detail, closed_at or now

    row = _change(space, fact_id, "memory.life_fact_finished", finish, kinds=OPEN_KINDS, now=now, actor=actor)
    return row.closed_at is None


def close_fact(space: UUID, fact_id: UUID, *, now: datetime, actor: models.Model | None = None) -> None:
    """Never bring a fact up again by oneself, not even what comes again and again. Its memory stays.

    Raises:
        NotFound.
    """

    def close(detail: dict[str, object], closed_at: datetime | None) -> State:
        return detail, closed_at or now

    _change(space, fact_id, "memory.life_fact_closed", close, now=now, actor=actor)


def reopen_fact(space: UUID, fact_id: UUID, *, now: datetime, actor: models.Model | None = None) -> None:
    """Keep a fact in mind again, done with for this time or closed.

    Raises:
        NotFound.
    """

    def reopen(detail: dict[str, object], closed_at: datetime | None) -> State:
        return {name: value for name, value in detail.items() if name != DONE}, None

    _change(space, fact_id, "memory.life_fact_reopened", reopen, now=now, actor=actor)


def _change(
    space: UUID,
    fact_id: UUID,
    action: str,
    change: Callable[[dict[str, object], datetime | None], State],
    *,
    kinds: Collection[str] = LifeFact.Kind.values,
    now: datetime,
    actor: models.Model | None,
) -> LifeFact:
    with space_scope(space):
        lock_space(space)
        row = standing(space).filter(pk=fact_id, kind__in=kinds).first()
        if row is None:
            raise NotFound()
        before = row.detail, row.closed_at
        after = change(*before)
        if after != before:
            row.detail, row.closed_at = after
            row.save(update_fields=["detail", "closed_at"])
            record_event(action, chain=space, actor=actor, subject=row, now=now)
    return row
