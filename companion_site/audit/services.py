"""Writing to the record, and checking that nobody rewrote it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection, models

from companion_site.audit.chain import FIELDS, START, event_hash
from companion_site.audit.models import AuditEvent
from companion_site.errors import AuditRefused
from companion_site.ids import new_id

PLATFORM = UUID(int=0)
ACTION = re.compile(r"[a-z]+(\.[a-z_]+)+")


@dataclass(frozen=True)
class Broken:
    """One place where a chain does not hold."""

    chain: UUID
    position: int
    why: str


def record_event(
    action: str,
    *,
    now: datetime,
    chain: UUID = PLATFORM,
    actor: models.Model | None = None,
    subject: models.Model | None = None,
    data: Mapping[str, Any] | None = None,
) -> AuditEvent:
    """Append one event to a chain, inside the transaction of what it records.

    Args:
        action: namespaced and in the past: "memory.formed".
        chain: the space, or the platform.
        data: numbers, ids and labels; never content.

    Raises:
        AuditRefused: outside a transaction, or the action's form is wrong; the caller's work must not go on.
    """
    if not connection.in_atomic_block or not ACTION.fullmatch(action):
        raise AuditRefused()
    previous_position, previous_hash = _lock_head(chain)
    event = AuditEvent(
        id=new_id(),
        chain=chain,
        position=previous_position + 1,
        at=now,
        action=action,
        actor_id=actor.pk if actor is not None else None,
        actor_label=str(getattr(actor, "role", "")) if actor is not None else "",
        subject_type=subject._meta.label_lower if subject is not None else "",
        subject_id=subject.pk if subject is not None else None,
        data=dict(data or {}),
        previous_hash=previous_hash,
    )
    event.hash = event_hash(previous_hash, _canonical(event))
    event.save(force_insert=True)
    return event


def find_breaks(chain: UUID | None = None) -> Iterator[Broken]:
    """Yield every place where a chain does not verify, in order; nothing when all is well."""
    events = AuditEvent.objects.order_by("chain", "position")
    if chain is not None:
        events = events.filter(chain=chain)
    current, position, previous = None, 0, START
    for event in events.iterator():
        if event.chain != current:
            current, position, previous = event.chain, 0, START
        if event.position != position + 1:
            yield Broken(event.chain, event.position, f"expected position {position + 1}")
        elif bytes(event.previous_hash) != previous:
            yield Broken(event.chain, event.position, "does not follow the event before it")
        elif event_hash(previous, _canonical(event)) != bytes(event.hash):
            yield Broken(event.chain, event.position, "was changed after it was written")
        position, previous = event.position, bytes(event.hash)


def _lock_head(chain: UUID) -> tuple[int, bytes]:
    """Take the chain's lock until the transaction ends; return its last position and hash."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 1))", [str(chain)])
    last = (
        AuditEvent.objects.filter(chain=chain).order_by("-position").values_list("position", "hash").first()
    )
    return (last[0], bytes(last[1])) if last else (0, START)


def _canonical(event: AuditEvent) -> dict[str, Any]:
    values = {name: getattr(event, name) for name in FIELDS}
    for name in ("id", "chain", "actor_id", "subject_id"):
        values[name] = str(values[name]) if values[name] is not None else None
    values["at"] = event.at.astimezone(UTC).isoformat(timespec="microseconds")
    return values
