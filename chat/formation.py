"""Forming memories from what was said in a conversation: read, think, write."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from chat.models import Message
from chat.notices import announce_formed
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import space_scope
from memory.formation import Draft, Said
from memory.forming import form_memories
from memory.models import MemorySource


@dataclass(frozen=True)
class Pending:
    """A message that memories may be formed from."""

    conversation: UUID
    said: Said


def form_from_message(space: UUID, message: UUID, *, key: SpaceKey, now: datetime) -> int | None:
    """Form the memories of one message, once; return how many, or None where there was nothing to do.

    Two workers at once form them once; killed anywhere, it has either written everything or nothing.
    """
    with unlocked(space, key):
        pending = _read_pending(space, message)
    if pending is None:
        return None
    claim = partial(_claim, space, message, now=now)
    formed = form_memories(pending.said, space=space, key=key, now=now, claim=claim)
    if formed is not None:
        announce_formed(pending.conversation, message, formed)
    return formed


def form_all_awaiting(space: UUID, *, key: SpaceKey, now: datetime) -> int:
    """Form what had to wait, in the order it was said; return the number of messages done."""
    with space_scope(space):
        rows = Message.objects.for_space(space).awaiting_formation().order_by("id")
        ids = list(rows.values_list("id", flat=True))
    return sum(form_from_message(space, message, key=key, now=now) is not None for message in ids)


def awaits_formation(space: UUID) -> bool:
    """Tell whether a message of the space still waits; asked inside its scope."""
    return Message.objects.for_space(space).awaiting_formation().exists()


def _read_pending(space: UUID, message: UUID) -> Pending | None:
    with space_scope(space):
        row = Message.objects.for_space(space).awaiting_formation().filter(pk=message).first()
        if row is None or row.text is None:
            return None
        said = Said(
            text=row.text,
            language=row.language,
            said_at=row.said_at,
            source_kind=MemorySource.Kind.MESSAGE,
            source_id=row.pk,
            conversation_id=row.conversation_id,
            position=row.position,
            speaker=row.speaker,
        )
        return Pending(row.conversation_id, said)


def _claim(space: UUID, message: UUID, draft: Draft, *, now: datetime) -> bool:
    """Mark a message as remembered; False where another worker did."""
    rows = Message.objects.for_space(space).awaiting_formation().filter(pk=message)
    return bool(rows.update(formed_at=now, snr=draft.snr))
