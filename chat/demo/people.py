"""What a first look finds: people, a school's world, some weeks of the students' lives, and a company's three months.

The company is loaded conversation by conversation; cut short, it goes on where it was. That it is to be loaded, and as of
which day, stands in its chain of the record; so does that it has been. A company that somebody else has made under the same
name is never touched.
"""

from datetime import datetime
from itertools import pairwise
from uuid import UUID

from django.conf import settings
from django.db import transaction

from chat.access import chat_access
from chat.models import Conversation, Message
from companion_site.accounts.demo import COMPANY_PEOPLE, PASSWORD, ensure_demo_people
from companion_site.accounts.models import Person, SchoolClass
from companion_site.accounts.services import unlock_at_log_in
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import record_event
from companion_site.jobs import enqueue
from companion_site.vault import unlocked
from companion_site.vault.boxes import OpenSpaceKey
from companion_site.vault.scope import space_scope
from memory.company.demo import (
    LANGUAGE,
    DemoConversation,
    DemoMessage,
    believe_demo,
    read_conversations,
    set_demo_state,
)
from memory.student.life.demo import live_demo_weeks
from overlay.importer import ensure_demo_world
from overlay.models import Opening
from overlay.services import open_concept
from overlay.worlds import world_of

_PROMISED = "company.demo_promised"
_LOADED = "company.demo_loaded"


def promise_demo_company(*, now: datetime) -> None:
    """Note, in the transaction that makes the demo people, that their company is to be loaded as of `now`."""
    space = _space_of(_people())
    if space is not None:
        record_event(_PROMISED, chain=space, now=now)


def load_demo_company() -> None:
    """Load what was promised and has not been loaded."""
    people = _people()
    space = _space_of(people)
    as_of = _as_of(space) if space is not None else None
    if space is None or as_of is None:
        return
    by_name = {person.username: person for person in people}
    conversations = read_conversations(space, now=as_of)
    done = _loaded(space, conversations)
    for conversation in conversations:
        if conversation.id not in done:
            _load(space, conversation, by_name[conversation.username])
    set_demo_state(space, now=as_of, person=people[0])
    with space_scope(space):
        record_event(_LOADED, chain=space, data={"conversations": len(conversations)}, now=as_of)


def _people() -> list[Person]:
    """Return the demo company's people who are here, its owner first."""
    found = {
        person.username: person
        for person in Person.objects.filter(username__in=COMPANY_PEOPLE).select_related("company")
    }
    return [found[name] for name in COMPANY_PEOPLE if name in found]


def _space_of(people: list[Person]) -> UUID | None:
    """Return the space of the company that all of the demo people are in."""
    companies = {person.company for person in people}
    company = companies.pop() if len(companies) == 1 else None
    return company.space_id if company is not None and len(people) == len(COMPANY_PEOPLE) else None


def _as_of(space: UUID) -> datetime | None:
    """Return as of when a company is still to be loaded; None: it was not promised, or has been loaded."""
    events = AuditEvent.objects.filter(chain=space, action__in=(_PROMISED, _LOADED))
    at_of = dict(events.values_list("action", "at"))
    return at_of.get(_PROMISED) if _LOADED not in at_of else None


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


def _message(row: Conversation, message: DemoMessage) -> Message:
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


#: forms memories of what a demo student has said, in the background: it takes some seconds
REMEMBER = "chat.tasks.remember_demo_weeks"
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


def ensure_demo(*, now: datetime) -> None:
    """Make the demo people, their world, the students' weeks and their company's months where nobody exists yet.

    People, world and weeks are made all of it or nothing; the company's months take seconds, and go on at the next start
    where they were cut short, or left out (`DEMO_TALK`).
    """
    _ensure_people_and_world(now=now)
    if settings.DEMO_TALK:
        load_demo_company()


@transaction.atomic
def _ensure_people_and_world(*, now: datetime) -> None:
    if not ensure_demo_people(now=now):
        return
    promise_demo_company(now=now)
    teacher = Person.objects.get(username="tove")
    school_class = SchoolClass.objects.select_related("school").get(people=teacher)
    ensure_demo_world(school_class.school, now=now)
    concepts = {concept.key: concept.id for concept in world_of(teacher).concepts}
    for key in MET:
        open_concept(
            school_class.school,
            concepts[key],
            for_class=school_class,
            by=teacher,
            how=Opening.How.TEACHER,
            now=now,
        )
    for student in Person.objects.filter(role=Person.Role.STUDENT).order_by("id"):
        _live(student, now=now)


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
