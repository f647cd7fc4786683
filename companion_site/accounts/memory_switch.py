"""A person's own switch: with memory off nothing new is remembered and nothing recalled; what exists stays."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from companion_site.vault import services as vault
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import lock_space, space_scope

SWITCHED = "accounts.memory_switched"


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
    with space_scope(space):
        lock_space(space)
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
