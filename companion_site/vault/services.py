"""Making spaces, opening them, and changing what opens them."""

import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NoReturn
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, connections, models, router, transaction

from companion_site.audit.checkpoint_services import replay_kept
from companion_site.audit.checkpoints import Replayed
from companion_site.audit.models import ERASED
from companion_site.audit.services import record_event
from companion_site.errors import SpaceLocked, WrongKey
from companion_site.ids import new_id
from companion_site.jobs import enqueue
from companion_site.vault import slots
from companion_site.vault.boxes import KEY_BYTES, OpenSpaceKey, SpaceKey, own, wipe
from companion_site.vault.inbox_keys import ensure_inbox_key, make_inbox_key
from companion_site.vault.keystore import get_key_store
from companion_site.vault.models import InboxKey, KeySlot, SealedBox, Space
from companion_site.vault.plaintext import hold_key
from companion_site.vault.scope import lock_space, space_scope


def create_sealed_space(*, owner: models.Model, password: str, now: datetime) -> tuple[Space, SpaceKey, str]:
    """Make a space that opens with `password`; return it, its key and the recovery code, which is shown once."""
    code = slots.new_recovery_code()
    secrets = {KeySlot.Kind.PASSWORD: password, KeySlot.Kind.RECOVERY: code}
    return *_create_sealed(Space.Kind.PERSONAL, owner, secrets, now=now), code


def create_agent_space(*, owner: models.Model, now: datetime) -> tuple[Space, SpaceKey]:
    """Make a space for an agent of this person. Nothing opens it yet: the caller adds a slot, in the same transaction."""
    return _create_sealed(Space.Kind.AGENT, owner, {}, now=now)


def create_open_space(
    *, kind: Space.Kind, now: datetime, company_id: UUID | None = None, pk: UUID | None = None
) -> Space:
    """Make a space whose rows are plain, for a company or a reference.

    Args:
        pk: its id, where that is known before; a new one else.
    """
    with transaction.atomic():
        space = Space.objects.create(
            pk=pk or new_id(), kind=kind, sealed=False, company_id=company_id, created_at=now
        )
        record_event("vault.space_created", chain=space.pk, subject=space, now=now)
    return space


def unlock(
    space: Space, *, kind: KeySlot.Kind, secret: str, now: datetime, actor: models.Model | None = None
) -> SpaceKey:
    """Return the key of `space`, opened by a password or a recovery code.

    Whatever is refused has cost one derivation, so that its time does not tell why.

    Raises:
        WrongKey: the secret does not open the slot.
        SpaceLocked: the space has no such slot, or was erased.
        Busy: too many derive at once.
    """
    with space_scope(space.pk):
        slot = KeySlot.objects.for_space(space).of_kind(kind).valid(now).first()
    if slot is None:
        wipe(_derive(kind, secret, salt=slots.new_salt(), parameters=slots.current_parameters()))
        raise SpaceLocked()
    told: dict[str, Any] = {"chain": space.pk, "actor": actor, "subject": slot, "data": {"slot": kind}}
    try:
        data_key = _open_slot(slot, secret)
    except WrongKey:
        with transaction.atomic():
            record_event("vault.unlock_refused", now=now, **told)
        raise
    with transaction.atomic():
        record_event("vault.unlocked", now=now, **told)
    key = hold_key(space.pk, data_key)
    ensure_inbox_key(key, now=now)
    return key


def refuse_unknown(kind: KeySlot.Kind, secret: str, *, now: datetime) -> NoReturn:
    """Refuse a secret for a space that there is not, with the work of a wrong one: derived, and on the site's own record.

    Raises:
        WrongKey: always. Busy: too many derive at once.
    """
    wipe(_derive(kind, secret, salt=slots.new_salt(), parameters=slots.current_parameters()))
    with transaction.atomic():
        record_event("vault.unlock_refused", data={"slot": kind}, now=now)
    raise WrongKey()


def has_slot(space: Space, kind: KeySlot.Kind) -> bool:
    with space_scope(space.pk):
        return KeySlot.objects.for_space(space).of_kind(kind).exists()


def add_token_slot(
    key: SpaceKey, *, now: datetime, expires_at: datetime | None = None
) -> tuple[KeySlot, bytes]:
    """Let a new secret of a program open the space; return its slot and the secret (32 bytes), which is kept nowhere."""
    secret, kind = os.urandom(KEY_BYTES), KeySlot.Kind.TOKEN
    values = _wrapped(key, kind, secret, now)
    with space_scope(key.space):
        slot = KeySlot.objects.create(space_id=key.space, kind=kind, expires_at=expires_at, **values)
    return slot, secret


def unlock_by_token(space: UUID, slot: UUID, secret: bytes, *, now: datetime) -> SpaceKey:
    """Return the key of `space`.

    Raises:
        WrongKey: the secret is not the slot's. SpaceLocked: there is no such slot (any more), or the space was erased.
    """
    with space_scope(space):
        tokens = KeySlot.objects.for_space(space).of_kind(KeySlot.Kind.TOKEN).valid(now)
        row = tokens.filter(pk=slot).first()
    if row is None:
        raise SpaceLocked()
    if len(secret) != KEY_BYTES:
        raise WrongKey()
    return hold_key(space, _open_slot(row, secret))


def change_password(key: SpaceKey, *, password: str, now: datetime, actor: models.Model) -> None:
    """Wrap the data key under a new password. Nothing else is touched, however much the space holds."""
    with space_scope(key.space):
        _put_slot(key, KeySlot.Kind.PASSWORD, password, now)
        record_event("vault.password_changed", chain=key.space, actor=actor, now=now)


def renew_recovery_code(key: SpaceKey, *, now: datetime, actor: models.Model) -> str:
    """Replace the recovery code; return the new one, which is shown once. The old one opens nothing any more."""
    code = slots.new_recovery_code()
    with space_scope(key.space):
        _put_slot(key, KeySlot.Kind.RECOVERY, code, now)
        record_event("vault.recovery_code_renewed", chain=key.space, actor=actor, now=now)
    return code


def drop_password(space: Space, *, now: datetime, actor: models.Model | None) -> None:
    """Remove the password slot and the lease, as a reset by staff does; the recovery code still opens the space."""
    with space_scope(space.pk):
        kinds = [KeySlot.Kind.PASSWORD, KeySlot.Kind.LEASE]
        KeySlot.objects.for_space(space).filter(kind__in=kinds).delete()
        record_event("vault.password_dropped", chain=space.pk, actor=actor, subject=space, now=now)


def drop_lease(
    space: UUID, *, now: datetime, actor: models.Model | None = None, granted_before: datetime | None = None
) -> None:
    """Take the key back from background work; what is left of it waits for the next unlock.

    Args:
        granted_before: a lease that was renewed then or later stays, for the work that was queued with it.
    """
    with space_scope(space):
        leases = KeySlot.objects.for_space(space).of_kind(KeySlot.Kind.LEASE)
        if granted_before is not None:
            leases = leases.filter(created_at__lt=granted_before)
        dropped, _ = leases.delete()
        if dropped:
            record_event("vault.lease_ended", chain=space, actor=actor, now=now)


def close_space(space: Space, *, now: datetime, actor: models.Model | None) -> None:
    """Give a space up: its slots go and its erasure key is destroyed, so that nothing opens it again.

    What others sealed to it and nobody opened goes too; the receipts stay.
    """
    with space_scope(space.pk):
        # Whoever seals a box holds this lock: none comes in behind what is removed below.
        lock_space(space.pk)
        Space.objects.filter(pk=space.pk).update(closed_at=now, awaiting_key_since=None, next_sleep_at=None)
        KeySlot.objects.for_space(space).delete()
        InboxKey.objects.for_space(space).delete()
        SealedBox.objects.for_space(space).update(sealed_text=None)
        record_event(ERASED, chain=space.pk, actor=actor, subject=space, now=now)
        # Outside the database the erasure stands in a checkpoint: an older copy of the database must not undo it.
        enqueue("companion_site.tasks.make_checkpoint")
    get_key_store().destroy_erasure_key(space.pk)


def grant_lease(key: SpaceKey, *, now: datetime) -> bool:
    """Let the background worker open the space until the lease ends; call it where the work is queued.

    What has been waiting for a key is queued with it, once.

    Returns:
        False where leases are switched off (`LEASE_HOURS=0`) or the space is open anyway.
    """
    if not settings.LEASE_HOURS or isinstance(key, OpenSpaceKey):
        return False
    info = slots.slot_info(key.space, KeySlot.Kind.LEASE)
    erasure_key = get_key_store().erasure_key(key.space)
    values = {
        "wrapped_key": slots.wrap_lease(key.data_key, erasure_key=erasure_key, info=info),
        "created_at": now,
        "expires_at": now + timedelta(hours=settings.LEASE_HOURS),
    }
    with space_scope(key.space):
        if _replace_slot(key.space, KeySlot.Kind.LEASE, {**values, "salt": b""}):
            record_event(
                "vault.lease_granted", chain=key.space, now=now, data={"hours": settings.LEASE_HOURS}
            )
        waiting = Space.objects.filter(pk=key.space, awaiting_key_since__isnull=False)
        if waiting.update(awaiting_key_since=None):
            _queue_all(key.space)
    return True


def use_lease(space: Space, *, purpose: str, now: datetime) -> SpaceKey | None:
    """Return the key of `space` for background work; None where there is no valid lease, or its owner is shut out.

    Each use is recorded.
    """
    if not space.sealed:
        return OpenSpaceKey(space.pk)
    if not Space.objects.filter(pk=space.pk, owner__is_active=True).exists():
        return None
    with space_scope(space.pk):
        slot = KeySlot.objects.for_space(space).of_kind(KeySlot.Kind.LEASE).valid(now).first()
        if slot is None:
            return None
        data_key = slots.unwrap_lease(
            bytes(slot.wrapped_key),
            erasure_key=get_key_store().erasure_key(space.pk),
            info=slots.slot_info(space.pk, KeySlot.Kind.LEASE),
        )
        record_event("vault.lease_used", chain=space.pk, subject=slot, data={"for": purpose}, now=now)
    return hold_key(space.pk, data_key)


def lock_lease(space: UUID) -> None:
    """Have whoever would renew the lease of `space` wait until the transaction ends; called inside its scope."""
    list(KeySlot.objects.for_space(space).of_kind(KeySlot.Kind.LEASE).select_for_update().values_list("pk"))


def await_key(space: UUID, *, now: datetime) -> None:
    """Note that work is due which needs the key; the next unlock queues it."""
    Space.objects.filter(pk=space, awaiting_key_since__isnull=True).update(awaiting_key_since=now)


def queue_or_await(space: UUID, *, now: datetime) -> None:
    """Let work that came from outside be done: at once where a lease stands, else when there is one; inside its scope."""
    leases = KeySlot.objects.for_space(space).of_kind(KeySlot.Kind.LEASE).valid(now)
    if leases.exists():
        _queue_all(space)
    else:
        await_key(space, now=now)


def resume_work(key: SpaceKey, *, now: datetime) -> None:
    """Queue what has been waiting for the key, with a lease to do it; nothing where nothing waits."""
    with space_scope(key.space):
        if Space.objects.filter(pk=key.space, awaiting_key_since__isnull=False).exists():
            grant_lease(key, now=now)


def _create_sealed(
    kind: Space.Kind, owner: models.Model, secrets: Mapping[KeySlot.Kind, str], *, now: datetime
) -> tuple[Space, SpaceKey]:
    """Make a space that these secrets of a person open, each by a slot of its kind."""
    space = Space(kind=kind, owner_id=owner.pk, sealed=True, created_at=now)
    key = hold_key(space.pk, own(os.urandom(KEY_BYTES)))
    get_key_store().make_erasure_key(space.pk)
    opening = [
        KeySlot(space_id=space.pk, kind=kind, **_wrapped(key, kind, secret, now))
        for kind, secret in secrets.items()
    ]
    with space_scope(space.pk):
        space.save(force_insert=True)
        record_event("vault.space_created", chain=space.pk, actor=owner, subject=space, now=now)
        make_inbox_key(key, now=now)
        KeySlot.objects.bulk_create(opening)
    return space, key


def _queue_all(space: UUID) -> None:
    for task_path in settings.TASKS_AFTER_UNLOCK:
        enqueue(task_path, space)


def space_version(space: UUID) -> int:
    """Return how often the memory of `space` has been written to.

    Asked once for every reply, so in plain SQL: the query set would cost as much again as the database.

    Raises:
        Space.DoesNotExist: there is no such space.
    """
    with connections[router.db_for_read(Space)].cursor() as cursor:
        cursor.execute("SELECT version FROM vault_space WHERE id = %s", [space])
        found = cursor.fetchone()
    if found is None:
        raise Space.DoesNotExist()
    return found[0]


def bump_version(space: UUID) -> int:
    """Count one write to the memory of `space`, under its lock; return the new number."""
    with connection.cursor() as cursor:
        cursor.execute(
            'UPDATE "vault_space" SET version = version + 1 WHERE id = %s RETURNING version', [space]
        )
        return int(cursor.fetchone()[0])


def _derive(kind: str, secret: str | bytes, *, salt: bytes, parameters: dict[str, Any]) -> bytearray:
    """Return what a secret stands for: a program's is random bytes, a person's is typed."""
    institution_salt = get_key_store().institution_salt()
    if isinstance(secret, bytes):
        return slots.derive_from_token(secret, salt=salt, institution_salt=institution_salt)
    if kind == KeySlot.Kind.RECOVERY:
        secret = slots.normalise_recovery_code(secret)
    return slots.derive_wrapping_key(
        secret, salt=salt, parameters=parameters, institution_salt=institution_salt
    )


def _open_slot(slot: KeySlot, secret: str | bytes) -> bytearray:
    # Asked for first: where the site's keys are missing, nothing derives or makes any.
    erasure_key = get_key_store().erasure_key(slot.space_id)
    wrapping_key = _derive(slot.kind, secret, salt=bytes(slot.salt), parameters=slot.parameters)
    info = slots.slot_info(slot.space_id, slot.kind)
    return slots.unwrap(bytes(slot.wrapped_key), wrapping_key, erasure_key=erasure_key, info=info)


def _wrapped(key: SpaceKey, kind: str, secret: str | bytes, now: datetime) -> dict[str, Any]:
    """Return what a new slot keeps, so that the secret opens it."""
    salt, parameters = slots.new_salt(), {} if isinstance(secret, bytes) else slots.current_parameters()
    wrapped = slots.wrap(
        key.data_key,
        _derive(kind, secret, salt=salt, parameters=parameters),
        erasure_key=get_key_store().erasure_key(key.space),
        info=slots.slot_info(key.space, kind),
    )
    return {"salt": salt, "parameters": parameters, "wrapped_key": wrapped, "created_at": now}


def _put_slot(key: SpaceKey, kind: KeySlot.Kind, secret: str, now: datetime) -> None:
    _replace_slot(key.space, kind, _wrapped(key, kind, secret, now))


def _replace_slot(space: UUID, kind: KeySlot.Kind, values: dict) -> bool:
    """Write the one slot of its kind; return whether it is new. Two writers at once end in one slot."""
    rows = KeySlot.objects.for_space(space).of_kind(kind)
    if rows.update(**values):
        return False
    try:
        with transaction.atomic():
            KeySlot.objects.create(space_id=space, kind=kind, **values)
    except IntegrityError:
        rows.update(**values)
        return False
    return True


def replay_erasures(*, now: datetime) -> tuple[Replayed, int, int]:
    """Erase every space that a verified checkpoint lists as erased; running it twice changes nothing.

    Returns:
        What the checkpoints say, how many spaces they list, and how many of these were open.
    """
    said = replay_kept()
    erased = sorted(set(said.erasures))
    reopened = 0
    for space in Space.objects.filter(pk__in=erased, closed_at=None).order_by("pk"):
        close_space(space, now=now, actor=None)
        reopened += 1
    for one in erased:
        get_key_store().destroy_erasure_key(one)
    return said, len(erased), reopened
