"""People's use cases: joining, logging in, keeping or losing the key to a memory, and switching the memory off."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import models, transaction

from companion_site.accounts.models import Company, Person
from companion_site.accounts.sessions import end_log_ins
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from companion_site.errors import SpaceLocked
from companion_site.vault import services as vault
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.scope import write_scope

SWITCHED = "accounts.memory_switched"


@dataclass(frozen=True)
class Joined:
    """A new person, and the recovery code of their space, which is shown once."""

    person: Person
    recovery_code: str


def create_person(
    username: str, *, password: str, now: datetime, actor: models.Model | None = None, **fields
) -> Joined:
    """Make a person with a sealed personal space that their password opens; `actor` is who makes them.

    For people who type their own password, and for a first look; others are invited (`invitations.py`).
    """
    with transaction.atomic():
        person = create_invited_person(username, now=now, actor=actor, **fields)
        _, code = begin_space(person, password=password, now=now)
    return Joined(person, code)


def create_invited_person(username: str, *, now: datetime, actor: models.Model | None, **fields) -> Person:
    """Make a person without a password and without a space; both come when they accept an invitation.

    Raises:
        ValidationError: this is no log-in name.
    """
    person = Person(username=Person.normalize_username(username), **fields)
    person._meta.get_field("username").run_validators(person.username)
    person.set_unusable_password()
    with transaction.atomic():
        person.save(force_insert=True)
        data = {"role": person.role}
        record_event("accounts.person_created", actor=actor, subject=person, data=data, now=now)
    return person


def begin_space(person: Person, *, password: str, now: datetime) -> tuple[SpaceKey, str]:
    """Give a person an empty space, and the password that opens it and logs in; return its key and recovery code."""
    with transaction.atomic():
        space, key, code = vault.create_sealed_space(owner=person, password=password, now=now)
        person.space_id = space.pk
        person.set_password(password)
        person.save(update_fields=["space_id", "password"])
    return key, code


def create_company(name: str, *, now: datetime, actor: models.Model | None = None) -> Company:
    """Make a company with its open space."""
    with transaction.atomic():
        company = Company.objects.create(name=name)
        space = vault.create_open_space(kind=Space.Kind.COMPANY, company_id=company.pk, now=now)
        company.space_id = space.pk
        company.save(update_fields=["space_id"])
        record_event("accounts.company_created", actor=actor, subject=company, now=now)
    return company


def personal_space(person: Person) -> Space:
    """Return a person's own space.

    Raises:
        SpaceLocked: they have none yet: they were invited and have not chosen a password.
    """
    if person.space_id is None:
        raise SpaceLocked()
    return Space.objects.get(pk=person.space_id)


def unlock_at_log_in(person: Person, *, password: str, now: datetime) -> SpaceKey:
    """Return the key of the person's own space.

    Raises:
        SpaceLocked: the password slot is gone (a reset by staff); the recovery code or a new start is needed.
    """
    return vault.unlock(
        personal_space(person), kind=KeySlot.Kind.PASSWORD, secret=password, now=now, actor=person
    )


def change_password(person: Person, *, key: SpaceKey, password: str, now: datetime) -> None:
    """Change what logs in and what opens the memory, together or not at all."""
    with transaction.atomic():
        vault.change_password(key, password=password, now=now, actor=person)
        person.set_password(password)
        person.save(update_fields=["password"])


def recover(person: Person | None, *, code: str, password: str, now: datetime) -> tuple[SpaceKey, str]:
    """Open the memory with the recovery code and set a new password.

    Args:
        person: whom the name names; None where nobody has the name. For that, and for who was invited and has no space yet, the same
            is derived as for a wrong code.

    Returns:
        The key, and a fresh recovery code: the one just typed is spent.

    Raises:
        SpaceLocked: the code does not open it (`WrongKey`), or nothing does any more.
    """
    if person is None or person.space_id is None:
        vault.refuse_unknown(KeySlot.Kind.RECOVERY, code, now=now)
    key = unlock_by_code(person, code, now=now)
    return key, give_back(person, key=key, password=password, now=now)


def unlock_by_code(person: Person, code: str, *, now: datetime) -> SpaceKey:
    """Return the key of the person's own space, as `unlock_at_log_in` does by the password."""
    return vault.unlock(
        personal_space(person), kind=KeySlot.Kind.RECOVERY, secret=code, now=now, actor=person
    )


def give_back(person: Person, *, key: SpaceKey, password: str, now: datetime) -> str:
    """Set a new password of somebody who has opened their memory by its recovery code; return the next code."""
    with transaction.atomic():
        change_password(person, key=key, password=password, now=now)
        fresh = vault.renew_recovery_code(key, now=now, actor=person)
        record_event("accounts.recovered", chain=key.space, actor=person, now=now)
    return fresh


def start_anew(person: Person, *, password: str, now: datetime) -> tuple[SpaceKey, str]:
    """Give up the old memory for good and begin with an empty space; return its key and recovery code."""
    old = personal_space(person)
    with transaction.atomic():
        key, code = begin_space(person, password=password, now=now)
        record_event("accounts.started_anew", chain=key.space, actor=person, subject=old, now=now)
        vault.close_space(old, now=now, actor=person)
    return key, code


def withdraw(person: Person, *, now: datetime, actor: models.Model | None) -> None:
    """End a person's log-ins and leases, as where staff shut them out or give them another role.

    None of them holds any more from then on, whichever way that was done; this is so that none comes back with the old role.
    """
    with transaction.atomic():
        end_log_ins(person, now=now, actor=actor)
        for space in Space.objects.filter(owner=person, sealed=True).values_list("pk", flat=True):
            vault.drop_lease(space, now=now, actor=actor)


def find_person(username: str) -> Person | None:
    """Return the active person of that log-in name, if any."""
    return Person.objects.filter(username=Person.normalize_username(username), is_active=True).first()


def switch_memory(person: Person, *, on: bool, key: SpaceKey | None, now: datetime) -> bool:
    """Switch a person's memory; return whether that changed anything. The other way round undoes it.

    Whoever is writing into the memory has finished when this returns, and nobody begins anew while it is off. What had
    to wait meanwhile is queued when it comes on.

    Args:
        key: of the person's own space, where it is open.
    """
    space = person.space_id
    if space is None:
        return False
    with write_scope(space):
        changed = Person.objects.filter(pk=person.pk, memory_on=not on).update(memory_on=on)
        if changed:
            record_event(SWITCHED, chain=space, actor=person, subject=person, data={"on": on}, now=now)
            if on:
                vault.await_key(space, now=now)
    person.memory_on = on
    if changed and on and key is not None:
        vault.resume_work(key, now=now)
    return bool(changed)


def was_memory_off(space: UUID, at: datetime) -> bool:
    """Tell whether the memory of `space` was switched off at a time; the record knows. Needs no key."""
    return at in find_times_off(space, {at})


def find_times_off(space: UUID, times: Collection[datetime]) -> set[datetime]:
    """Return those of some times at which the memory of `space` was switched off, by one query. Needs no key."""
    if not times:
        return set()
    switched = AuditEvent.objects.filter(chain=space, action=SWITCHED).order_by("position")
    switches = list(switched.values_list("at", "data__on"))
    # Somebody who began anew with memory off has it off in the new space from the start.
    on_at_first = not (switches and switches[0][1])
    return {
        at for at in times if not next((on for when, on in reversed(switches) if when <= at), on_at_first)
    }
