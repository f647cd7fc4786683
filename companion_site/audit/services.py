"""Writing to the record, and reading it for whoever verifies it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection, models

from companion_site.audit.chain import FIELDS, START, Event, Finding, Promise, Rules, event_hash, verify
from companion_site.audit.keys import get_audit_keys
from companion_site.audit.models import AuditEvent
from companion_site.errors import AuditRefused
from companion_site.ids import new_id

PLATFORM = UUID(int=0)
ACTION = re.compile(r"[a-z]+(\.[a-z_]+)+")
IDS = ("id", "chain", "actor_id", "subject_id")
COLUMNS = (*FIELDS, "key", "previous_hash", "hash", "seal")
READ_AT_ONCE = 2000


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
    (event,) = record_events(action, [(subject, data)], now=now, chain=chain, actor=actor)
    return event


def record_events(
    action: str,
    told: Sequence[tuple[models.Model | None, Mapping[str, Any] | None]],
    *,
    now: datetime,
    chain: UUID = PLATFORM,
    actor: models.Model | None = None,
) -> list[AuditEvent]:
    """Append an event of one action for each subject and data, in order, as `record_event` does one."""
    if not connection.in_atomic_block or not ACTION.fullmatch(action):
        raise AuditRefused()
    if not told:
        return []
    (position, last_hash), keys = _lock_head(chain), get_audit_keys()
    events = []
    for number, (subject, data) in enumerate(told, start=1):
        event = AuditEvent(
            id=new_id(),
            chain=chain,
            position=position + number,
            at=now,
            action=action,
            actor_id=actor.pk if actor is not None else None,
            actor_label=str(getattr(actor, "role", "")) if actor is not None else "",
            subject_type=subject._meta.label_lower if subject is not None else "",
            subject_id=subject.pk if subject is not None else None,
            data=dict(data or {}),
            key=keys.current(),
            previous_hash=last_hash,
        )
        values = _canonical({name: getattr(event, name) for name in FIELDS})
        event.hash = last_hash = event_hash(last_hash, {**values, "key": event.key})
        event.seal = keys.seal(event.key, event.hash)
        events.append(event)
    AuditEvent.objects.bulk_create(events)
    return events


def find_breaks(
    chain: UUID | None = None,
    *,
    promises: Iterable[Promise] = (),
    rules: Rules | None = None,
    counts: Counter | None = None,
) -> Iterator[Finding]:
    """Yield every place where a chain does not verify, in order; nothing when all is well.

    Args:
        promises: what checkpoints say of the chains asked for. Without them a missing tail is not seen.
        counts: as `verify` fills it.
    """
    return verify(stream_events(chain), promises, sealer=get_audit_keys().seal, rules=rules, counts=counts)


def stream_events(chain: UUID | None = None) -> Iterator[Event]:
    """Yield the events of one chain or of all, by chain and position; memory holds some of them at a time."""
    rows = AuditEvent.objects.order_by("chain", "position")
    return read_events(rows if chain is None else rows.filter(chain=chain))


def read_events(rows: models.QuerySet[AuditEvent]) -> Iterator[Event]:
    """Yield rows as the verifier reads them."""
    for row in rows.values_list(*COLUMNS).iterator(chunk_size=READ_AT_ONCE):
        values = dict(zip(COLUMNS, row, strict=True))
        key, previous, digest, seal = (values.pop(name) for name in COLUMNS[len(FIELDS) :])
        yield Event(_canonical(values), key, bytes(previous), bytes(digest), bytes(seal))


def lock_keys() -> None:
    """Wait until nobody writes to the record, and let nobody in until the transaction ends: its keys are replaced."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('audit keys', 2))")


def _lock_head(chain: UUID) -> tuple[int, bytes]:
    """Take the chain's lock, and the keys' for reading, until the transaction ends; return its last position and hash."""
    with connection.cursor() as cursor:
        # Sent together, yet the second is a statement of its own: it sees what was written while the first one waited. Not by the
        # ORM, whose query takes longer to write than to answer.
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 1)), "
            "pg_advisory_xact_lock_shared(hashtextextended('audit keys', 2)); "
            "SELECT position, hash FROM audit_auditevent WHERE chain = %s ORDER BY position DESC LIMIT 1",
            [str(chain), chain],
        )
        cursor.nextset()
        last = cursor.fetchone()
    return (last[0], bytes(last[1])) if last else (0, START)


def _canonical(values: dict[str, Any]) -> dict[str, Any]:
    for name in IDS:
        if values[name] is not None:
            values[name] = str(values[name])
    values["at"] = values["at"].astimezone(UTC).isoformat(timespec="microseconds")
    return values
