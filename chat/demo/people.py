"""What a first look finds: people, a school's world, some weeks of the students' lives, and a company's three months.

What takes some seconds, the company's months and the students' memories, is queued with the people and made in the background.
The company is loaded conversation by conversation; cut short, the next try of its job goes on where it was.
"""

from datetime import datetime
from itertools import pairwise
from uuid import UUID

from django.conf import settings
from django.db import transaction

from chat.access import chat_access
from chat.models import Conversation, Message
from companion_site.accounts.demo import PASSWORD, ensure_demo_people
from companion_site.accounts.models import Person, SchoolClass
from companion_site.accounts.services import unlock_at_log_in
from companion_site.jobs import enqueue
from companion_site.vault import unlocked
from companion_site.vault.boxes import OpenSpaceKey
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.company.demo import (
    LANGUAGE,
    DemoConversation,
    believe_demo,
    read_conversations,
    set_demo_state,
)
from memory.company.extraction.dialogue import Line
from memory.student.life.demo import live_demo_weeks
from overlay.importer import ensure_demo_world
from overlay.models import Opening
from overlay.services import open_concept
from overlay.worlds import world_of

LOAD, REMEMBER = "chat.tasks.load_demo_company", "chat.tasks.remember_demo_weeks"
#: What class 7B has met; the rest of the world is fog to it.
MET = (
    "cell-membrane",
    "cytoplasm",
    "organelle",
    "cell-nucleus",
    "chloroplast",
    "cell-wall",
    "diffusion",
    "velocity",
    "acceleration",
    "friction",
)


@transaction.atomic
def ensure_demo(*, now: datetime) -> None:
    """Make the demo people, their world and the students' weeks where nobody exists yet, all of it or nothing.

    With `DEMO_TALK` they have talked: what was said is loaded and remembered by jobs.
    """
    if not ensure_demo_people(now=now):
        return
    teacher = Person.objects.get(username="tove")
    school_class = SchoolClass.objects.select_related("school").get(people=teacher)
    ensure_demo_world(school_class.school, now=now)
    concepts = {concept.key: concept.id for concept in world_of(teacher).concepts}
    for key in MET:
        open_concept(school_class, concepts[key], by=teacher, how=Opening.How.TEACHER, now=now)
    for student in Person.objects.filter(role=Person.Role.STUDENT).order_by("id"):
        _live(student, now=now)
    if settings.DEMO_TALK:
        enqueue(LOAD, Space.objects.get(kind=Space.Kind.COMPANY).pk)


def _live(student: Person, *, now: datetime) -> None:
    """Let a demo student have some weeks behind them."""
    key = unlock_at_log_in(student, password=PASSWORD, now=now)
    with unlocked(key.space, key):
        live_demo_weeks(key.space, language=student.language, now=now, person=student)
    if settings.DEMO_TALK:
        # All that forms memories comes with it, and every start but the first can do without.
        from chat.demo.talk import store_demo_talk

        store_demo_talk(chat_access(student, key))
        enqueue(REMEMBER, student.pk)


def load_demo_company(space: UUID) -> None:
    """Load the months of the demo company as of the day it was made; what is there already stays as it is."""
    as_of = Space.objects.get(pk=space).created_at
    people = {person.username: person for person in Person.objects.filter(company__space_id=space)}
    conversations = read_conversations(space, now=as_of)
    done = _loaded(space, conversations)
    for conversation in conversations:
        if conversation.id not in done:
            _load(space, conversation, people[conversation.username])
    set_demo_state(space, now=as_of, person=people[conversations[0].username])


def _loaded(space: UUID, conversations: list[DemoConversation]) -> set[UUID]:
    """Return which conversations are there with what was believed of them."""
    ids = [conversation.id for conversation in conversations]
    with space_scope(space):
        rows = Conversation.objects.for_space(space).filter(pk__in=ids, extracted_until__gt=0)
        return set(rows.values_list("pk", flat=True))


def _load(space: UUID, conversation: DemoConversation, person: Person) -> None:
    with unlocked(space, OpenSpaceKey(space)):
        _store(space, conversation, person)
        if conversation.facts:
            believe_demo(space, conversation, person=person)
        with space_scope(space):
            rows = Conversation.objects.for_space(space).filter(pk=conversation.id)
            rows.update(extracted_until=len(conversation.messages))


def _store(space: UUID, conversation: DemoConversation, person: Person) -> None:
    """Store a conversation with its messages, all or none, where it is not there yet."""
    with space_scope(space):
        if Conversation.objects.for_space(space).filter(pk=conversation.id).exists():
            return
        row = Conversation.objects.create(
            id=conversation.id,
            space_id=space,
            author=person,
            title=conversation.title,
            created_at=conversation.began_at,
            updated_at=conversation.ended_at,
        )
        messages = [_message(row, message) for message in conversation.messages]
        for earlier, later in pairwise(messages):
            later.parent = earlier
        Message.objects.bulk_create(messages)


def _message(row: Conversation, message: Line) -> Message:
    return Message(
        id=message.id,
        space_id=row.space_id,
        conversation=row,
        position=message.position,
        role=Message.Role.PERSON if message.is_person else Message.Role.COMPANION,
        text=message.text,
        language=LANGUAGE,
        said_at=message.said_at,
        streamed_at=None if message.is_person else message.said_at,
    )
