"""One row of every model that the admin shows, committed, with content that must never show."""

from uuid import UUID

import numpy as np
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.utils import timezone
from django_q.models import Failure, OrmQ, Schedule, Success

from chat.models import Attachment, Conversation, Import, ImportPart, Message
from companion_site.accounts.invitations import invite
from companion_site.accounts.limits import Limit, count
from companion_site.accounts.models import (
    ApiToken,
    BusinessSystem,
    ClassMembership,
    Company,
    LearningSystem,
    LimitCount,
    Person,
    School,
    SchoolClass,
    Session,
)
from companion_site.accounts.services import create_company, create_person
from companion_site.accounts.systems import create_system
from companion_site.api.models import KeptAnswer
from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.jobs import enqueue
from companion_site.llm.models import LlmCall
from companion_site.vault import unlocked
from companion_site.vault.inbox import seal_to
from companion_site.vault.models import InboxKey, KeySlot, Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import create_open_space
from ledger.models import LedgerEntry, ThreatAlert
from memory.models import (
    Agent,
    AgentContext,
    AgentKey,
    AgentNode,
    AgentSnapshot,
    AgentSource,
    AgentVector,
    CompanyCompression,
    CompanyEvent,
    CompanyFact,
    CompanyFactVector,
    CompanyRefusal,
    CompressionRun,
    Contradiction,
    DailyMetric,
    Deadline,
    Entity,
    EntityMention,
    Extraction,
    Goal,
    GoalNote,
    Gratitude,
    Initiative,
    Kpi,
    LifeFact,
    MemoryChange,
    MemoryEdge,
    MemoryNode,
    MemorySource,
    MemoryVector,
    Mood,
    Pack,
    PackEdge,
    PackMount,
    PackNode,
    PackPosting,
    PackVector,
    SleepRun,
    Suggestion,
    Wishes,
)
from overlay.models import Concept, ConceptEdge, KnownConcept, KnownEdge, Opening, Repetition
from tests.factories import NOW, PASSWORD, open_space

SECRET = "zebrafinch"


def count_one() -> LimitCount:
    """Count one use of a limit by somebody new."""
    bucket = Limit(name="log-in, here", most=10).of(str(new_id()))
    assert count([bucket], now=timezone.now()) is None
    return LimitCount.objects.get(key=bucket.key)


def make_one_of_each() -> dict[type[models.Model], object]:
    """Make staff "root", a student "ada0" and a row of every model; return a key by model."""
    create_person(
        "root",
        password=PASSWORD,
        now=NOW,
        display_name="Root",
        role=Person.Role.STAFF,
        language="en",
        is_superuser=True,
    )
    return make_more(0)


def make_more(number: int) -> dict[type[models.Model], object]:
    """Make one more row of every model, told apart by `number`."""
    staff = Person.objects.get(username="root")
    found = {type(row): row.pk for row in (*_organisation(number), *_platform(staff))}
    ada = Person.objects.get(pk=found[Person])
    key = open_space(ada)
    with space_scope(key.space), unlocked(key.space, key):
        found |= {type(row): row.pk for row in _space_rows(ada, key.space)}
        found[KeySlot] = KeySlot.objects.for_space(key.space).first().pk
        found[InboxKey] = InboxKey.objects.for_space(key.space).first().pk
    world = create_open_space(kind=Space.Kind.WORLD, now=NOW).pk
    with space_scope(world):
        found |= {type(row): row.pk for row in _world_rows(world)}
    pack = create_open_space(kind=Space.Kind.PACK, now=NOW).pk
    with space_scope(pack):
        found |= {type(row): row.pk for row in _pack_rows(pack)}
    firm = create_company(f"Firm {number}", now=NOW).space_id
    with space_scope(firm):
        found |= {type(row): row.pk for row in _company_rows(firm, ada)}
    return {**found, Space: key.space, AuditEvent: AuditEvent.objects.first().pk}


def _organisation(number: int):
    school = School.objects.create(name=f"School {number}")
    school_class = SchoolClass.objects.create(school=school, name="7B")
    company = create_company(f"Company {number}", now=NOW)
    person = create_person(
        f"ada{number}",
        password=PASSWORD,
        now=NOW,
        display_name="Ada",
        role=Person.Role.STUDENT,
        language="en",
        school=school,
    ).person
    membership = ClassMembership.objects.create(school_class=school_class, person=person)
    system, _secret = create_system(LearningSystem, school=school, name="Moodle", now=NOW, actor=None)
    program, _secret = create_system(BusinessSystem, company=company, name="Books", now=NOW, actor=None)
    (invited,) = invite([person], now=NOW, actor=None)
    firm = Company.objects.get(pk=company.pk)
    return school, school_class, firm, person, membership, system, program, invited.invitation


def _platform(staff: Person):
    enqueue("chat.tasks.form_awaiting", new_id())
    done = {"func": "chat.tasks.form_awaiting", "args": (str(new_id()),), "started": NOW, "stopped": NOW}
    return (
        OrmQ.objects.latest("id"),
        Success.objects.create(id=new_id().hex, name="form_awaiting", success=True, **done),
        Failure.objects.create(id=new_id().hex, name="form_awaiting", success=False, result="E", **done),
        Schedule.objects.create(name="memory.sleep", func="memory.tasks.sleep", schedule_type="I", minutes=5),
        Session.objects.create(
            session_key=new_id().hex,
            session_data=SECRET,
            expire_date=NOW,
            person=staff,
            browser="Firefox, Linux",
        ),
        count_one(),
        LlmCall.objects.create(
            provider="offline", role="chat", purpose="reply", outcome="ok", duration_ms=5, at=NOW
        ),
        LogEntry.objects.create(
            user=staff,
            action_flag=ADDITION,
            object_repr="7B",
            content_type=ContentType.objects.get_for_model(SchoolClass),
        ),
    )


def _agent_rows(space: UUID):
    node = AgentNode.objects.create(
        space_id=space,
        path_hash=b"p" * 32,
        type="fact",
        content={"label": SECRET},
        created_at=NOW,
        changed_at=NOW,
        version=1,
    )
    return (
        node,
        Agent.objects.create(space_id=space, name=SECRET, profile={"identity": SECRET}, created_at=NOW),
        AgentKey.objects.create(
            space_id=space,
            agent_space_id=new_id(),
            name=SECRET,
            slot_id=new_id(),
            secret=SECRET,
            created_at=NOW,
        ),
        AgentVector.objects.create(
            space_id=space, node=node, model="m", dimension=3, vector=np.ones(3, dtype="f4")
        ),
        AgentSource.objects.create(space_id=space, name=SECRET, name_hash=b"n" * 32),
        AgentContext.objects.create(
            space_id=space, task_hash=b"t" * 32, content={"frames": [SECRET]}, tick=1, saved_at=NOW
        ),
        AgentSnapshot.objects.create(
            space_id=space,
            archive={"nodes": [SECRET]},
            archive_hash=b"a" * 32,
            nodes=1,
            size=9,
            tick=1,
            taken_at=NOW,
        ),
        ApiToken.objects.create(space_id=space, name="Laptop", scopes=["chat"], created_at=NOW),
        KeptAnswer.objects.create(
            space_id=space,
            token_id=new_id(),
            key_hash=b"k" * 32,
            request_hash=b"r" * 32,
            status=201,
            body=SECRET,
            begun_at=NOW,
        ),
        PackMount.objects.create(space_id=space, pack_space_id=new_id(), mounted_at=NOW),
    )


def _pack_rows(space: UUID):
    nodes = [
        PackNode.objects.create(
            space_id=space,
            position=position,
            path=f"{SECRET}.{position}",
            type="fact",
            label=SECRET,
            text=SECRET,
        )
        for position in range(2)
    ]
    return (
        nodes[0],
        Pack.objects.create(
            space_id=space,
            key="birds",
            name="Birds",
            pack_version="1",
            checksum="0" * 64,
            imported_at=NOW,
            touched_at=NOW,
        ),
        PackVector.objects.create(
            space_id=space, node=nodes[0], model="m", dimension=3, embedding=np.ones(3, dtype="f4")
        ),
        PackPosting.objects.create(space_id=space, term=SECRET, postings=b""),
        PackEdge.objects.create(space_id=space, source=nodes[0], target=nodes[1], rel="uses", weight=0.5),
    )


def _space_rows(ada: Person, space: UUID):
    conversation = Conversation.objects.create(
        space_id=space, author=ada, title=SECRET, summary=SECRET, created_at=NOW, updated_at=NOW
    )
    message = Message.objects.create(
        space_id=space, conversation=conversation, position=1, role="person", text=SECRET, said_at=NOW
    )
    nodes = [_node(space, letter) for letter in "ab"]
    brought = Import.objects.create(
        space_id=space, author=ada, files=[[SECRET, 5]], preview={"examples": [SECRET]}, created_at=NOW
    )
    return (
        *_agent_rows(space),
        brought,
        ImportPart.objects.create(
            space_id=space, source=brought, kind="file", number=0, size=5, content=SECRET.encode()
        ),
        conversation,
        message,
        Attachment.objects.create(
            space_id=space,
            conversation=conversation,
            message=message,
            type="text/plain",
            size=5,
            added_at=NOW,
            name=SECRET,
            content=SECRET.encode(),
        ),
        nodes[0],
        MemorySource.objects.create(
            space_id=space,
            node=nodes[0],
            kind="message",
            source_id=message.pk,
            start=0,
            end=5,
            said_at=NOW,
            speaker=SECRET,
        ),
        MemoryVector.objects.create(
            space_id=space, node=nodes[0], model="m", dimension=3, vector=np.ones(3, dtype="f4")
        ),
        (
            entity := Entity.objects.create(
                space_id=space, kind="person", name=SECRET, relation=SECRET, formed_at=NOW
            )
        ),
        EntityMention.objects.create(
            space_id=space, node=nodes[0], entity=entity, type="ABOUT", start=0, end=1, version=1
        ),
        MemoryEdge.objects.create(
            space_id=space,
            source=nodes[0],
            target=nodes[1],
            type="RELATES_TO",
            weight=0.5,
            formed_at=NOW,
            version=1,
        ),
        MemoryChange.objects.create(
            space_id=space, kind="merged", reason="twin", at=NOW, node_ids=[], before={"text": SECRET}
        ),
        Contradiction.objects.create(
            space_id=space,
            earlier=nodes[0],
            later=nodes[1],
            found_by="values",
            strategy="manual",
            found_at=NOW,
        ),
        CompressionRun.objects.create(space_id=space, trigger="requested", requested_at=NOW),
        SleepRun.objects.create(space_id=space, trigger="requested", requested_at=NOW),
        LedgerEntry.objects.create(
            space_id=space,
            category="fact",
            content=SECRET,
            summary=SECRET,
            triggers=[SECRET],
            trigger_entities=[SECRET],
            content_hash=b"h" * 32,
            importance=0.5,
            recorded_at=NOW,
        ),
        ThreatAlert.objects.create(space_id=space, entry_id=new_id(), raised_at=NOW),
        KnownConcept.objects.create(
            space_id=space,
            concept_id=SECRET,
            concept_hash=b"h" * 32,
            how="person",
            known_at=NOW,
            notes=SECRET,
            changed_at=NOW,
        ),
        KnownEdge.objects.create(space_id=space, edge_id=SECRET, edge_hash=b"h" * 32, known_at=NOW),
        Repetition.objects.create(
            space_id=space, item=SECRET, item_hash=b"h" * 32, box=1, due_on=NOW.date(), question_id=space
        ),
        seal_to(space, kind="observation", text=SECRET.encode(), sender=None, now=NOW),
        *_life_rows(space, nodes[0], message.pk),
    )


def _life_rows(space: UUID, node: MemoryNode, message: UUID):
    goal = Goal.objects.create(
        space_id=space, text=SECRET, origin="person", created_at=NOW, updated_at=NOW, message_id=message
    )
    return (
        goal,
        GoalNote.objects.create(space_id=space, goal=goal, text=SECRET, at=NOW),
        Gratitude.objects.create(space_id=space, text=SECRET, at=NOW),
        Mood.objects.create(
            space_id=space, at=NOW, origin="read", message_id=message, state={"note": SECRET}
        ),
        DailyMetric.objects.create(
            space_id=space, day=NOW.date(), name="steps", value={"value": SECRET}, received_at=NOW
        ),
        LifeFact.objects.create(
            space_id=space, node=node, kind="promise", detail={"every": SECRET}, noted_at=NOW
        ),
        Wishes.objects.create(space_id=space, said={"avoid": [SECRET]}, updated_at=NOW),
        Initiative.objects.create(space_id=space, day=NOW.date(), kind="morning", shown_at=NOW),
    )


def _company_rows(space: UUID, ada: Person):
    """Make rows of a company's memory, which is open to its people and auditors, but not to the admin's lists."""
    read = Extraction.objects.create(
        space_id=space,
        conversation_id=new_id(),
        trigger="silence",
        after_position=0,
        until_position=2,
        started_at=NOW,
    )
    fact = CompanyFact.objects.create(
        space_id=space,
        category="decision",
        content=SECRET,
        fingerprint=SECRET,
        language="en",
        confidence=0.9,
        created_at=NOW,
        confirmed_at=NOW,
        said_at=NOW,
        extraction=read,
    )
    return (
        read,
        fact,
        CompanyFactVector.objects.create(
            space_id=space, fact=fact, model="m", dimension=3, embedding=[1.0, 0.0, 0.0]
        ),
        CompanyEvent.objects.create(space_id=space, fact=fact, kind="believed", at=NOW),
        CompanyRefusal.objects.create(
            space_id=space, extraction=read, reason="instruction", content=SECRET, at=NOW
        ),
        CompanyCompression.objects.create(space_id=space, trigger="monthly", at=NOW, before=51, after=20),
        Kpi.objects.create(
            space_id=space, key="cash", value=1, as_of=NOW.date(), source="api", updated_at=NOW
        ),
        Deadline.objects.create(
            space_id=space, key="vat_return", due_on=NOW.date(), source="api", updated_at=NOW
        ),
        Suggestion.objects.create(space_id=space, person=ada, kind="open_item", fact=fact, offered_at=NOW),
    )


def _world_rows(space: UUID):
    """Make rows of a world, which is open: its names do show."""
    cell, wall = (
        Concept.objects.create(space_id=space, key=key, name=key.title()) for key in ("cell", "wall")
    )
    return (
        cell,
        ConceptEdge.objects.create(space_id=space, source=wall, target=cell, type="part_of"),
        Opening.objects.create(
            space_id=space, concept=cell, school_class_id=new_id(), how="teacher", opened_at=NOW
        ),
    )


def _node(space: UUID, name: str) -> MemoryNode:
    return MemoryNode.objects.create(
        space_id=space,
        content=f"{SECRET} {name}",
        content_hash=name.encode().ljust(32),
        modality="semantic",
        trust="person",
        language="en",
        salience=0.5,
        gravity=0.5,
        confidence=0.5,
        formed_at=NOW,
        accessed_at=NOW,
        version=1,
    )
