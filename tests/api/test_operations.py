"""What holds of every operation, as the description lists them: who is turned away, which bodies are refused, what is repeated."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve

from companion_site.accounts.tokens import Scope
from companion_site.vault.models import Space
from companion_site.vault.services import close_space
from tests.api.conftest import V1, Program, make_program, program_of
from tests.api.content import HOSTILE, NO_ID, SECRET, outsiders, problem
from tests.api.filling import Filled, filled_agent, filled_auditor, filled_student
from tests.audit.record import events
from tests.factories import NOW, make_access, make_business_user
from tests.memory.company.audit.rows import make_auditor

pytestmark = pytest.mark.spec("K10")

IDS = (
    "space_id", "event_id", "conversation_id", "message_id", "attachment_id", "pack_id", "memory_id", "change_id",
    "entry_id", "known_id", "fact_id", "context_id", "snapshot_id",
)  # fmt: skip
#: What only students have, and what only agents do.
OF_STUDENTS = {Scope.MEMORY_READ, Scope.MEMORY_WRITE, Scope.LEDGER, Scope.MAP}
#: What of a student's can be told again as it was, to see that nothing has changed.
STANDING = (
    "conversations/{conversation_id}", "conversations/{conversation_id}/messages", "ledger/entries/{entry_id}",
    "memories/changes", "map/concepts/{known_id}", "packs",
)  # fmt: skip


@dataclass(frozen=True)
class Operation:
    """One operation, with the body that its description shows."""

    name: str
    method: str
    path: str
    scope: str | None
    body: Any
    is_repeated: bool
    repeats: str

    def ask(self, program: Program, ids: dict[str, str], body: Any = None, **headers: str) -> Any:
        at = self.path.format(**{**dict.fromkeys(IDS, NO_ID), **ids})
        return program.ask(self.method, at, self.body if body is None else body, **headers)


@cache
def operations() -> list[Operation]:
    """Return every operation; of the upload, which takes a form, no body."""
    found = []
    for path, methods in Client().get(f"{V1}openapi.json").json()["paths"].items():
        view = resolve(path.format(**dict.fromkeys(IDS, NO_ID))).func.view_class
        for method, about in methods.items():
            content = about.get("requestBody", {}).get("content", {})
            sent = content.get("application/json")
            shown = sent.get("examples", {}) if sent else {}
            body = next((one["value"] for one in shown.values()), {}) if sent else None
            repeated = any(one["in"] == "header" for one in about.get("parameters", []))
            at, made = path.removeprefix(V1), getattr(view, method)
            name = about["operationId"]
            found.append(Operation(name, method.upper(), at, made.scope, body, repeated, made.repeats))
    return found


def told(filled: Filled) -> tuple[Any, ...]:
    """Return what a student has, and how much is on record of it."""
    answers = [filled.program.get(path.format(**filled.ids)).json() for path in STANDING]
    return answers, recorded_of(filled)


def recorded_of(filled: Filled) -> int:
    return len(events(filled.program.access.space))


def test_each_operation_takes_its_scope(db):
    """Without a token 401; with one for everything else 403 that names the scope, whatever else is wrong."""
    access = make_access("ada")
    others = {scope: make_program(access, *(set(Scope.values) - {scope})) for scope in Scope.values}
    scopes = set()
    for one in operations():
        problem(Client().generic(one.method, V1 + one.path.format(**dict.fromkeys(IDS, NO_ID))), 401)
        if one.scope is None:
            continue
        answer = one.ask(others[one.scope], {})
        assert problem(answer, 403, "token.scope-missing")["scope"] == one.scope, one.name
        assert 'error="insufficient_scope"' in answer["WWW-Authenticate"]
        scopes.add(one.scope)
    assert scopes == set(Scope.values)


def test_a_stranger_s_id_is_that_of_nobody(committed):
    """The very same answer as for an id that nobody has, and nothing changes: of a student, a company and an agent."""
    student, auditor, agent = filled_student(), filled_auditor(), filled_agent("kari")
    elsewhere = make_business_user("kim", company="Other AB").company
    strangers = [
        (student, make_program(make_access("eve", school=student.program.access.person.school))),
        (auditor, program_of(make_auditor("olle", company=elsewhere))),
        (agent, filled_agent("eve2").program),
    ]
    before = told(student)
    for filled, stranger in strangers:
        asked = [one for one in operations() if any(f"{{{name}}}" in one.path for name in filled.ids)]
        assert asked
        for one in asked:
            answer, nobody = one.ask(stranger, filled.ids), one.ask(stranger, {})
            assert problem(answer, 404, "not-found") == problem(nobody, 404, "not-found"), one.name
    assert told(student) == before


@pytest.mark.slow
def test_what_a_role_has_none_of_is_not_there_for_it(committed):
    """With a token for everything, by the ids of those who have it: 404. An agent's token reaches nothing of its owner's."""
    student, company, agent = filled_student(), filled_auditor(), filled_agent("kari")
    ids = {**student.ids, **company.ids, **agent.ids}
    nothing = [
        (student.program, {Scope.COMPANY, Scope.AGENT}),
        (company.program, {*OF_STUDENTS, Scope.CHAT, Scope.AGENT}),
        (agent.program, {*OF_STUDENTS, Scope.CHAT, Scope.COMPANY}),
        *((program, {*OF_STUDENTS, Scope.COMPANY, Scope.AGENT}) for program in outsiders().values()),
    ]
    before = told(student)
    for program, scopes in nothing:
        hidden = scopes & program_scopes(program)
        for one in operations():
            if one.scope in hidden:
                problem(one.ask(program, ids), 404, "not-found")
    assert told(student) == before


def program_scopes(program: Program) -> set[str]:
    return set(program.get("me").json()["token"]["scopes"])


@pytest.mark.slow
def test_hostile_bodies_change_nothing(committed, settings):
    """None is taken by any operation, no answer repeats one, and nothing of it is kept or said; nor is a body with one field wrong."""
    settings.API_CALLS_PER_MINUTE = 1_000_000
    student, company, agent = filled_student(), filled_auditor(), filled_agent("kari")
    owners = {Scope.COMPANY: company, Scope.AGENT: agent}
    company.program.get("me")  # the use of a token is on record once an hour
    before = told(student), recorded_of(company), recorded_of(agent)
    for one in operations():
        if one.body is None:
            continue
        owner = owners.get(one.scope, student)
        for raw, status in HOSTILE:
            problem(one.ask(owner.program, owner.ids, raw), status)
        for body in spoiled(one.body):
            answer = one.ask(owner.program, owner.ids, body)
            assert problem(answer, 400, "api.bad-request")["fields"], (one.name, body)
    assert (told(student), recorded_of(company), recorded_of(agent)) == before


def spoiled(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a body with a field of another type, with half of a text unreadable, and with a field more than there is."""
    yield {**body, SECRET: 1}
    for name, value in body.items():
        wrong: list[Any] = [{SECRET: SECRET}]
        if isinstance(value, bool):
            wrong = [None, 1, 0, "true", "", [], {}]
        elif isinstance(value, int | float):
            wrong += [True, "5", 1e300, SECRET]
        elif isinstance(value, str):
            wrong += [5, [SECRET], f"{SECRET}\0"]
        yield from (
            {**body, name: each} for each in wrong if not (isinstance(value, dict) and isinstance(each, dict))
        )


#: tests of their own repeat them: what they need is gone by then, or is a form
_TRIED_ELSEWHERE = {"settle_doubt", "retry_reply", "upload_pack"}


def test_what_is_repeated_by_its_key_is_done_once(committed):
    """The first answer comes back with its place, and nothing more is on record."""
    done = set()
    for filled in (filled_student(), filled_auditor(), filled_agent("kari")):
        scopes = program_scopes(filled.program)
        for one in operations():
            if not one.is_repeated or one.scope not in scopes:
                continue
            first = one.ask(filled.program, filled.ids, idempotency_key=one.name)
            if first.status_code >= 300:
                continue
            assert "Idempotent-Replayed" not in first
            recorded = recorded_of(filled)
            again = one.ask(filled.program, filled.ids, idempotency_key=one.name)
            assert (again.status_code, again.content) == (first.status_code, first.content), one.name
            assert again["Idempotent-Replayed"] == "true" and again.get("Location") == first.get("Location")
            assert recorded_of(filled) == recorded
            done.add(one.name)
    assert done == {one.name for one in operations() if one.is_repeated} - _TRIED_ELSEWHERE


def test_every_post_says_what_a_repeat_of_it_does():
    """Done once by its key, or harmless; no other takes a key, so that none is passed over unseen."""
    posts = [one for one in operations() if one.method == "POST"]
    assert {one.repeats for one in posts} == {"whole", "known", "harmless"}
    assert all(one.is_repeated == (one.repeats in ("whole", "known")) for one in operations())


def test_of_a_closed_space_nothing_is_told(committed):
    """Once a person has left, their token opens nothing."""
    student = filled_student()
    close_space(
        Space.objects.get(pk=student.program.access.space), now=NOW, actor=student.program.access.person
    )
    for one in operations():
        problem(one.ask(student.program, student.ids), 401, "token.bad")
