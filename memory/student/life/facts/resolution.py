"""A person's word on what the companion keeps in mind: done with, never to be brought up again, or kept in mind after all.

The space is unlocked by the caller. Each change is on record; what changes nothing is not.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.vault.scope import lock_space, space_scope
from memory.models import LifeFact
from memory.student.life.facts.extraction import DONE, recover
from memory.student.life.facts.loops import OPEN_KINDS
from memory.student.life.facts.selectors import standing


def finish_fact(space: UUID, fact_id: UUID, *, now: datetime, actor: models.Model | None = None) -> bool:
    """Note that an open loop is done with: what comes again for this time, all else for good. Return whether it comes again.

    Raises:
        NotFound: the space has no such fact, or it is none that can be open; goals are closed as goals.
    """
    action = "memory.life_fact_finished"
    with _changing(space, fact_id, action, kinds=OPEN_KINDS, now=now, actor=actor) as row:
        if recover(row.detail).is_recurring:
            row.detail = {**row.detail, DONE: now.isoformat()}
        else:
            row.closed_at = row.closed_at or now
    return row.closed_at is None


def close_fact(space: UUID, fact_id: UUID, *, now: datetime, actor: models.Model | None = None) -> None:
    """Never bring a fact up again by oneself, not even what comes again and again. Its memory stays.

    Raises:
        NotFound.
    """
    with _changing(space, fact_id, "memory.life_fact_closed", now=now, actor=actor) as row:
        row.closed_at = row.closed_at or now


def reopen_fact(space: UUID, fact_id: UUID, *, now: datetime, actor: models.Model | None = None) -> None:
    """Keep a fact in mind again, done with for this time or closed.

    Raises:
        NotFound.
    """
    with _changing(space, fact_id, "memory.life_fact_reopened", now=now, actor=actor) as row:
        row.detail = {name: value for name, value in row.detail.items() if name != DONE}
        row.closed_at = None


@contextmanager
def _changing(
    space: UUID,
    fact_id: UUID,
    action: str,
    *,
    kinds: Collection[str] = LifeFact.Kind.values,
    now: datetime,
    actor: models.Model | None,
) -> Iterator[LifeFact]:
    """Give a fact to be changed, and write what differs then."""
    with space_scope(space):
        lock_space(space)
        row = standing(space).find(pk=fact_id, kind__in=kinds)
        before = row.detail, row.closed_at
        yield row
        if (row.detail, row.closed_at) != before:
            row.save(update_fields=["detail", "closed_at"])
            record_event(action, chain=space, actor=actor, subject=row, now=now)
