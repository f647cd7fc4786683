"""Taking in what others sealed into a student's space: memory forms of it, and a lesson lifts the fog from what it names."""

from datetime import datetime
from functools import partial
from uuid import UUID

from chat.memories.exchange import read_due
from chat.memories.formation import form_all_awaiting
from companion_site.accounts.models import Person
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import space_scope
from memory.inbound.inbox import take_in_all
from memory.models import MemorySource
from memory.reembedding import awaits_reembedding
from memory.reembedding.space import reembed
from memory.student.ingest.formation import Said
from memory.student.sleep.run import sleep_if_due
from overlay.models import KnownConcept
from overlay.services import learn_from_text
from overlay.worlds import world_of

#: What introduces a student to concepts; an observation is about them, not for them.
INTRODUCES = {MemorySource.Kind.LESSON, MemorySource.Kind.PROMPT_RUN, MemorySource.Kind.TRANSCRIPT}


def take_in_waiting(space: UUID, *, key: SpaceKey, now: datetime) -> None:
    """Form what was said, read what is due, take in what was sent, sleep where that is due, and cross over to another embedding model: for a
    session that is open, where no worker may hold the key."""
    form_all_awaiting(space, key=key, now=now)
    read_due(space, key=key, now=now)
    take_in_boxes(space, key=key, now=now)
    sleep_if_due(space, key=key, now=now)
    with space_scope(space):
        crosses = awaits_reembedding(space)
    if crosses:
        reembed(space, key=key, now=now)


def take_in_boxes(space: UUID, *, key: SpaceKey, now: datetime) -> int:
    """Take in every box that waits, in the order they were sent; return how many."""
    person = Person.objects.select_related("school").filter(space_id=space).first()
    if person is None:
        return 0
    world_of(person)  # read before any transaction that needs it
    return take_in_all(space, key=key, now=now, also=partial(_introduce, person, space, now=now))


def _introduce(person: Person, space: UUID, said: Said, *, now: datetime) -> None:
    if said.source_kind in INTRODUCES:
        learn_from_text(person, space, said.text, how=KnownConcept.How.LESSON, now=now)
