"""The pair of keys by which others write into a sealed space.

Anybody may seal to the public half. The private half is kept sealed under the space's data key, so it is there exactly
when the space is unlocked, whatever slot opened it: a new password or recovery code leaves the pair alone, and when no
slot opens any more, no box does.
"""

import os
from base64 import b64decode, b64encode
from datetime import datetime
from uuid import UUID

from cryptography.hazmat.primitives.hpke import MLKEM768X25519PrivateKey, MLKEM768X25519PublicKey
from django.db import IntegrityError, transaction

from companion_site.audit.services import record_event
from companion_site.errors import BoxBroken
from companion_site.vault.boxes import OpenSpaceKey, SpaceKey
from companion_site.vault.errors import NoInbox
from companion_site.vault.keyring import unlocked
from companion_site.vault.models import InboxKey
from companion_site.vault.pairs import PAIR_BYTES, opener_of, public_half, read_public_half
from companion_site.vault.scope import space_scope


def ensure_inbox_key(key: SpaceKey, *, now: datetime) -> None:
    """Give the space its pair where it has none, or one that does not belong together.

    Somebody who can write to the database could put a public key of their own there and read what is sent from then
    on; the next unlock finds that the halves differ, replaces the pair and puts it on record.
    """
    if isinstance(key, OpenSpaceKey):
        return
    with space_scope(key.space):
        row = InboxKey.objects.for_space(key.space).first()
        if row is not None and _is_whole(row, key):
            return
        if row is not None:
            row.delete()
            record_event("vault.inbox_key_replaced", chain=key.space, now=now)
        make_inbox_key(key, now=now)


def make_inbox_key(key: SpaceKey, *, now: datetime) -> None:
    """Make the pair of a space that has none, inside its scope; two at once end in one pair."""
    raw = os.urandom(PAIR_BYTES)
    try:
        with transaction.atomic(), unlocked(key.space, key):
            InboxKey.objects.create(
                space_id=key.space,
                public_key=public_half(raw),
                private_key=b64encode(raw).decode("ascii"),
                created_at=now,
            )
    except IntegrityError:
        return
    record_event("vault.inbox_key_made", chain=key.space, now=now)


def public_key(space: UUID) -> MLKEM768X25519PublicKey:
    """Return what others seal to, inside the space's scope.

    Raises:
        NoInbox: the space has no pair yet.
        BoxBroken: what stands there is no key; the next unlock replaces it.
    """
    row = InboxKey.objects.for_space(space).defer("private_key").first()
    if row is None:
        raise NoInbox()
    try:
        return read_public_half(bytes(row.public_key))
    except ValueError:
        raise BoxBroken() from None


def private_key(key: SpaceKey) -> MLKEM768X25519PrivateKey:
    """Return the half that opens, inside the space's scope.

    Raises:
        NoInbox: the space has no pair.
        BoxBroken: the private half is damaged, or another space's.
    """
    row = InboxKey.objects.for_space(key.space).first()
    if row is None:
        raise NoInbox()
    return opener_of(_raw(row, key))


def _is_whole(row: InboxKey, key: SpaceKey) -> bool:
    try:
        return bytes(row.public_key) == public_half(_raw(row, key))
    except BoxBroken:
        return False


def _raw(row: InboxKey, key: SpaceKey) -> bytes:
    with unlocked(key.space, key):
        return b64decode(row.private_key)
