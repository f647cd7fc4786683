"""Sealed boxes: what teachers and systems write into a space that they cannot read.

A box is sealed (HPKE with MLKEM768_X25519, HKDF-SHA256, AES-256-GCM) to the public half of the space's pair and bound to
the space, its kind and its own id: moved to another place it does not open. The row is `format byte | fingerprint |
ciphertext`. The fingerprint tells a statement sent twice from another under the same id; it is an HMAC under the space's
erasure key, so it says nothing to whoever holds the database alone, and nothing to anybody after an erasure. When a box has
been opened the ciphertext goes and the rest stays; taken back or refused, all of it goes.
"""

import hmac
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from cryptography.exceptions import InvalidTag
from django.db import IntegrityError, models, transaction

from companion_site.audit.services import record_event
from companion_site.errors import BoxBroken
from companion_site.ids import new_id
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.errors import BoxTaken, SpaceClosed, StatementDiffers
from companion_site.vault.inbox_keys import private_key, public_key
from companion_site.vault.keystore import get_key_store
from companion_site.vault.models import SealedBox, Space
from companion_site.vault.pairs import SUITE
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import queue_or_await

FORMAT = b"\x01"
HEADER_BYTES = len(FORMAT) + 32


def seal_to(
    space: UUID,
    *,
    kind: SealedBox.Kind,
    text: bytes,
    sender: models.Model | None,
    now: datetime,
    statement_id: UUID | None = None,
    identity: bytes | None = None,
) -> SealedBox:
    """Seal `text` into a space; nobody but its owner can read it from here on.

    Args:
        text: what the owner's memory is given.
        sender: the person who writes; None for a system.
        statement_id: sent again, the first box is returned.
        identity: what must be the same when it is; `text` where nothing else is given.

    Raises:
        SpaceClosed: its owner gave it up.
        NoInbox: it was never unlocked since it could take boxes in.
        StatementDiffers: something else came under this id before.
    """
    identity = text if identity is None else identity
    with space_scope(space):
        # Nothing is sealed into a space while it is being closed. The lock that every writer takes first, not the
        # space's row: whoever forms a memory of another box takes that one last.
        lock_space(space)
        if Space.objects.get(pk=space).closed_at is not None:
            raise SpaceClosed()
        header = FORMAT + _fingerprint(space, identity)
        box = SealedBox(id=new_id(), space_id=space, kind=kind, sender_id=sender.pk if sender else None)
        box.statement_id, box.sent_at = statement_id, now
        box.sealed_text = header + SUITE.encrypt(text, public_key(space), _info(box))
        try:
            with transaction.atomic():
                box.save(force_insert=True)
        except IntegrityError:
            if statement_id is None:
                raise
            return _first(space, statement_id, header)
        record_event(
            "vault.box_sealed", chain=space, actor=sender, subject=box, data={"kind": str(kind)}, now=now
        )
        queue_or_await(space, now=now)
    return box


def pending_boxes(space: UUID, *, kinds: Iterable[str]) -> list[UUID]:
    """Return the boxes of these kinds that wait to be opened, in the order they were sent; needs no key."""
    with space_scope(space):
        rows = SealedBox.objects.for_space(space).unopened().filter(kind__in=kinds).order_by("id")
        return list(rows.values_list("pk", flat=True))


def open_box(box: SealedBox, key: SpaceKey) -> bytes:
    """Return what was sealed. The box still counts as waiting until it is claimed.

    Raises:
        BoxBroken: damaged, cut short, moved from another place, or sealed to another space.
    """
    sealed = bytes(box.sealed_text or b"")
    if box.space_id != key.space or not sealed.startswith(FORMAT) or len(sealed) <= HEADER_BYTES:
        raise BoxBroken()
    with space_scope(box.space_id):
        private = private_key(key)
    try:
        return SUITE.decrypt(sealed[HEADER_BYTES:], private, _info(box))
    except (InvalidTag, ValueError):
        raise BoxBroken() from None


def claim_box(box: SealedBox, *, now: datetime) -> bool:
    """Mark a box as opened, in the transaction that writes what came of it; False where it is no longer waiting."""
    header = bytes(box.sealed_text or b"")[:HEADER_BYTES]
    return _settle(box, "vault.box_opened", now=now, opened_at=now, sealed_text=header)


def refuse_box(box: SealedBox, *, now: datetime) -> bool:
    """Set aside a box that does not open, so that it is not tried again; False where it is no longer waiting."""
    with space_scope(box.space_id):
        return _settle(box, "vault.box_refused", now=now, opened_at=now, sealed_text=None)


def retract(box: SealedBox, *, person: models.Model, now: datetime) -> None:
    """Take back what was sent, while nobody has opened it; what it said goes for good.

    Raises:
        BoxTaken: somebody else sent it, or it was opened first.
    """
    with space_scope(box.space_id):
        own = box.sender_id is not None and box.sender_id == person.pk
        if not own or not _settle(
            box, "vault.box_retracted", actor=person, now=now, retracted_at=now, sealed_text=None
        ):
            raise BoxTaken()


def is_refused(box: SealedBox) -> bool:
    """Tell whether a box was set aside unread."""
    return box.opened_at is not None and box.sealed_text is None


def _settle(
    box: SealedBox, action: str, *, now: datetime, actor: models.Model | None = None, **values
) -> bool:
    """Settle a waiting box once. Of two at the same time the row's lock lets one through, and the other finds it settled."""
    waiting = SealedBox.objects.for_space(box.space_id).unopened().filter(pk=box.pk)
    if not waiting.update(**values):
        return False
    record_event(action, chain=box.space_id, actor=actor, subject=box, data={"kind": str(box.kind)}, now=now)
    return True


def _first(space: UUID, statement_id: UUID, header: bytes) -> SealedBox:
    first = SealedBox.objects.for_space(space).get(statement_id=statement_id)
    kept = bytes(first.sealed_text or b"")[:HEADER_BYTES]
    if kept and not hmac.compare_digest(kept, header):
        raise StatementDiffers()
    return first


def _fingerprint(space: UUID, identity: bytes) -> bytes:
    key = hmac.digest(get_key_store().erasure_key(space), b"companion/inbox/fingerprint/1", sha256)
    return hmac.digest(key, identity, sha256)


def _info(box: SealedBox) -> bytes:
    """Return what a box is bound to. The ids have a fixed length, so no two places read the same."""
    return b"companion/inbox/1" + box.space_id.bytes + box.pk.bytes + str(box.kind).encode()
