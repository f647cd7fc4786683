"""Key slots for programs: a random secret opens the space until the slot is taken away."""

import os
from datetime import datetime
from uuid import UUID

from companion_site.errors import SpaceLocked, WrongKey
from companion_site.vault import slots
from companion_site.vault.boxes import KEY_BYTES, SpaceKey
from companion_site.vault.keystore import get_key_store
from companion_site.vault.models import KeySlot
from companion_site.vault.plaintext import hold_key
from companion_site.vault.scope import space_scope

KIND = KeySlot.Kind.TOKEN


def add_token_slot(
    key: SpaceKey, *, now: datetime, expires_at: datetime | None = None
) -> tuple[KeySlot, bytes]:
    """Let a new secret open the space; return its slot and the secret (32 bytes), which is kept nowhere."""
    store, salt, secret = get_key_store(), slots.new_salt(), os.urandom(KEY_BYTES)
    wrapping_key = slots.derive_from_token(secret, salt=salt, institution_salt=store.institution_salt())
    with space_scope(key.space):
        slot = KeySlot.objects.create(
            space_id=key.space,
            kind=KIND,
            salt=salt,
            wrapped_key=slots.wrap(
                key.data_key,
                wrapping_key,
                erasure_key=store.erasure_key(key.space),
                info=slots.slot_info(key.space, KIND),
            ),
            created_at=now,
            expires_at=expires_at,
        )
    return slot, secret


def unlock_by_token(space: UUID, slot: UUID, secret: bytes, *, now: datetime) -> SpaceKey:
    """Return the key of `space`.

    Raises:
        WrongKey: the secret is not the slot's. SpaceLocked: there is no such slot (any more), or the space was erased.
    """
    store = get_key_store()
    with space_scope(space):
        row = KeySlot.objects.for_space(space).of_kind(KIND).valid(now).filter(pk=slot).first()
    if row is None:
        raise SpaceLocked()
    if len(secret) != KEY_BYTES:
        raise WrongKey()
    wrapping_key = slots.derive_from_token(
        secret, salt=bytes(row.salt), institution_salt=store.institution_salt()
    )
    data_key = slots.unwrap(
        bytes(row.wrapped_key),
        wrapping_key,
        erasure_key=store.erasure_key(space),
        info=slots.slot_info(space, KIND),
    )
    return hold_key(space, data_key)


def drop_token_slot(space: UUID, slot: UUID) -> None:
    """Take a slot away: what it opened stays, its secret opens nothing any more."""
    with space_scope(space):
        KeySlot.objects.for_space(space).of_kind(KIND).filter(pk=slot).delete()
