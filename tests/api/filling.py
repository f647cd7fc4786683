"""People with something of everything that the API tells, and the ids of it."""

from dataclasses import dataclass, field
from uuid import UUID

from chat.access import ChatAccess
from chat.attachments.store import add
from companion_site.accounts.models import ClassMembership, Person, SchoolClass
from companion_site.accounts.tokens import Scope
from companion_site.audit.models import AuditEvent
from companion_site.vault import unlocked
from ledger.entries import EntryDraft
from ledger.services import record_entry
from memory.student.corrections import forget_memory
from overlay.selectors import load_known
from overlay.services import learn_from_text
from tests.api.conftest import Program, make_program, program_of
from tests.factories import (
    NOW,
    make_access,
    make_business_user,
    make_company_access,
    make_student,
    open_space,
)
from tests.memory.agents.conftest import lend_pack, make_agent, node
from tests.memory.company.conftest import Company
from tests.memory.packs.making import take_in
from tests.memory.student.pages.conftest import remember
from tests.overlay.building import make_school


@dataclass
class Filled:
    """A program, and ids by the names that addresses have for them; some of them of what may be removed."""

    program: Program
    ids: dict[str, str] = field(default_factory=dict)
    to_remove: dict[str, str] = field(default_factory=dict)


def filled_student(*scopes: str) -> Filled:
    """Return a student's program; the student has said, kept, met and forgotten something."""
    school = make_school()
    access = make_access("ada", school=school)
    ClassMembership.objects.create(
        school_class=SchoolClass.objects.create(school=school, name="7B"), person=access.person
    )
    nodes = remember(
        access, "My sister Maja plays the cello", "Rowing is hard", "I fear heights", "Tea is best"
    )
    with unlocked(access.space, access.key):
        change = forget_memory(access.space, nodes[-1], now=NOW, actor=access.person)
        draft = EntryDraft(content="Lend Maja my bicycle", category="promise", triggers=("bicycle",))
        entry = record_entry(access.space, draft, now=NOW, actor=access.person)
        learn_from_text(access.person, access.space, "A round arch and a keystone", now=NOW)
        known = next(iter(load_known(access.space).values()))
    program = make_program(access, *scopes)
    return Filled(
        program,
        {
            "space_id": str(access.space),
            "event_id": str(AuditEvent.objects.filter(chain=access.space).first().pk),
            **_said(program),
            "pack_id": pack_of(access),
            "memory_id": str(nodes[1]),
            "change_id": str(change.pk),
            "entry_id": str(entry.entry_id),
            "known_id": str(known.id),
        },
        to_remove={"memory_id": str(nodes[0]), "pack_id": pack_of(access, "unwanted")},
    )


def filled_auditor() -> Filled:
    """Return the program of a company's auditor; the company believes something and believed something else."""
    company = Company()
    company.hear("Hyran är 14 000 kr i månaden")
    fact = company.hear("Hyran är 15 000 kr i månaden")
    person = make_student("rut", role=Person.Role.AUDITOR, company=company.person.company).person
    return Filled(program_of(person), {"fact_id": str(fact)})


def filled_member() -> Filled:
    """Return the program of somebody of a company, who has said something there."""
    person = make_business_user("bo")
    program = make_program(make_company_access(person), key=open_space(person))
    return Filled(program, {"space_id": str(person.space_id), **_said(program)})


def filled_agent(owner_name: str = "ada") -> Filled:
    """Return an agent's program; it remembers, has built a context, taken an archive, and reads a pack."""
    owner = make_access(owner_name)
    opened = make_agent(owner.key)
    program = make_program(owner, Scope.AGENT, Scope.PACKS, Scope.AUDIT, key=opened.key)
    lend_pack(opened, node("pattern.with", "pattern", label="Closing a file"))
    program.post(
        "agent/nodes",
        {
            "nodes": [
                node("skill.python.files", "skill", label="Closing a file"),
                node("concept.forgettable"),
                node("episode.one", "episode", meta={"task": "tidy-up"}),
            ]
        },
    )
    program.post("agent/contexts/build", {"query": "files", "task": {"id": "tidy-up"}, "budget_tokens": 500})
    (context,) = program.get("agent/contexts").json()["items"]
    archive = program.post("agent/snapshots").json()
    return Filled(program, {"context_id": context["id"], "snapshot_id": archive["id"]})


def pack_of(access: ChatAccess, name: str = "python-core") -> str:
    """Return the id of a pack of somebody's own, as they took it in."""
    return str(take_in(name=name, owner=access.person, actor=access.person).space_id)


def _said(program: Program) -> dict[str, str]:
    """Begin a conversation, say something and attach a file; return the ids of all three."""
    conversation = program.begin()
    exchange = program.post(f"conversations/{conversation}/messages", {"text": "I like rowing."}).json()
    file = add(program.access, UUID(conversation), name="notes.txt", content=b"Moses", now=NOW)
    return {
        "conversation_id": conversation,
        "message_id": exchange["reply"]["id"],
        "attachment_id": str(file.pk),
    }
