"""One row of every model that the admin shows, committed, with content that must never show.

Rows of spaces are filled by their fields, so that a new model is among them by itself.
"""

from itertools import count
from typing import Any
from uuid import UUID

import numpy as np
from django.apps import apps
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.utils import timezone
from django_q.models import Failure, OrmQ, Schedule, Success
from pgvector.django import VectorField

from companion_site.accounts import limits
from companion_site.accounts.invitations import invite
from companion_site.accounts.models import (
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
from companion_site.accounts.services import create_company
from companion_site.accounts.systems import create_system
from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.jobs import enqueue
from companion_site.llm.models import LlmCall
from companion_site.vault import unlocked
from companion_site.vault.fields import (
    ContentTextField,
    SealedBytesField,
    SealedJSONField,
    SealedTextField,
    SealedVectorField,
)
from companion_site.vault.models import InboxKey, KeySlot, Space
from companion_site.vault.protection import is_metadata
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import space_scope
from companion_site.vault.services import create_open_space
from tests.factories import NOW, make_student, open_space

SECRET = "zebrafinch"
#: What lies in an open space, by its kind; everything else lies in a person's.
OPEN = {
    Space.Kind.WORLD: "overlay.Concept overlay.ConceptEdge overlay.Opening",
    Space.Kind.PACK: "memory.Pack memory.PackNode memory.PackVector memory.PackEdge memory.PackPosting",
    Space.Kind.COMPANY: """
        memory.Extraction memory.CompanyFact memory.CompanyFactVector memory.CompanyEvent memory.CompanyRefusal
        memory.CompanyCompression memory.Kpi memory.Deadline memory.Suggestion
    """,
}
#: What no field says of itself.
GIVEN = {
    "memory.Kpi": {"key": "cash", "value": 1},
    "memory.Deadline": {"key": "vat_return"},
    "memory.CompanyFact": {"superseded_reason": ""},
    "overlay.Opening": {"school_class_id": new_id()},
}
_numbers = count(1)


def count_one() -> LimitCount:
    """Count one use of a limit by somebody new."""
    bucket = limits.Limit(name="log-in, here", most=10).of(str(new_id()))
    assert limits.count([bucket], now=timezone.now()) is None
    return LimitCount.objects.get(key=bucket.key)


def make_one_of_each() -> dict[type[models.Model], object]:
    """Make staff "root", a student "ada0" and a row of every model; return a key by model."""
    make_student("root", role=Person.Role.STAFF, is_superuser=True)
    return make_more(0)


def make_more(number: int) -> dict[type[models.Model], object]:
    """Make one more row of every model, told apart by `number`."""
    staff = Person.objects.get(username="root")
    found = {type(row): row.pk for row in (*_organisation(number), *_platform(staff))}
    ada = Person.objects.get(pk=found[Person])
    key = open_space(ada)
    places = {kind: create_open_space(kind=kind, now=NOW).pk for kind in (Space.Kind.WORLD, Space.Kind.PACK)}
    places[Space.Kind.COMPANY] = create_company(f"Firm {number}", now=NOW).space_id
    kind_of = {label: kind for kind, labels in OPEN.items() for label in labels.split()}
    for model in apps.get_models():
        if not issubclass(model, SpaceModel):
            continue
        kind = kind_of.get(model._meta.label)
        space = key.space if kind is None else places[kind]
        with space_scope(space), unlocked(key.space, key):
            there = model.objects.for_space(space).first() if model in (KeySlot, InboxKey) else None
            found[model] = (there or fill(model, space, ada)).pk
    return {**found, Space: key.space, AuditEvent: AuditEvent.objects.first().pk}


def fill(model: type[SpaceModel], space: UUID, person: Person) -> SpaceModel:
    """Make a row with a value in every field that needs one or holds content; keys lead to new rows of the same space."""
    values: dict[str, Any] = {"space_id": space, **GIVEN.get(model._meta.label, {})}
    for field in model._meta.concrete_fields:
        needs = not (field.null or field.has_default()) or (not is_metadata(field) and not field.generated)
        if field.attname in values or field.name in values or field.primary_key or not needs:
            continue
        if field.is_relation:
            related = field.related_model
            values[field.name] = person if related is Person else fill(related, space, person)
        else:
            values[field.name] = _value(field)
    return model.objects.create(**values)


def _value(field: models.Field) -> Any:
    number = next(_numbers)
    match field:
        case SealedVectorField() | VectorField():
            return np.ones(3, dtype="f4")
        case SealedTextField() | ContentTextField():
            return f"{SECRET} {number}"
        case SealedBytesField():
            return SECRET.encode()
        case SealedJSONField():
            return {"words": [SECRET]}
        case models.BinaryField():
            return str(number).encode().ljust(32)
        case models.JSONField():
            return []
        case models.UUIDField():
            return new_id()
        case models.DateTimeField():
            return NOW
        case models.DateField():
            return NOW.date()
        case models.FloatField():
            return 0.5
        case models.IntegerField() | models.DecimalField():
            return number
    return field.choices[0][0] if field.choices else f"{field.name}{number}"[: field.max_length]


def _organisation(number: int):
    school = School.objects.create(name=f"School {number}")
    school_class = SchoolClass.objects.create(school=school, name="7B")
    company = create_company(f"Company {number}", now=NOW)
    person = make_student(f"ada{number}", school=school).person
    membership = ClassMembership.objects.create(school_class=school_class, person=person)
    system, _secret = create_system(LearningSystem, school=school, name="Moodle", now=NOW, actor=None)
    program, _secret = create_system(BusinessSystem, company=company, name="Books", now=NOW, actor=None)
    (invited,) = invite([person], now=NOW, actor=None)
    firm = Company.objects.get(pk=company.pk)
    return school, school_class, firm, person, membership, system, program, invited.invitation


def _platform(staff: Person):
    enqueue("chat.tasks.form_awaiting", new_id())
    done = {"func": "chat.tasks.form_awaiting", "args": (str(new_id()),), "started": NOW, "stopped": NOW}
    held = {"session_data": SECRET, "expire_date": NOW, "person": staff, "browser": "Firefox, Linux"}
    call = {"provider": "offline", "role": "chat", "purpose": "reply", "outcome": "ok", "duration_ms": 5}
    about = ContentType.objects.get_for_model(SchoolClass)
    return (
        OrmQ.objects.latest("id"),
        Success.objects.create(id=new_id().hex, name="form_awaiting", success=True, **done),
        Failure.objects.create(id=new_id().hex, name="form_awaiting", success=False, result="E", **done),
        Schedule.objects.create(name="memory.sleep", func="memory.tasks.sleep", schedule_type="I", minutes=5),
        Session.objects.create(session_key=new_id().hex, **held),
        count_one(),
        LlmCall.objects.create(at=NOW, **call),
        LogEntry.objects.create(user=staff, action_flag=ADDITION, object_repr="7B", content_type=about),
    )
