"""What tests of content have in common: walking a list, and bodies that fit nothing."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.api.models import KeptAnswer
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import space_scope
from tests.api.conftest import Program, program_of
from tests.factories import make_business_user, make_student

#: An id that nobody has.
NO_ID = "01a20222-0000-7000-8000-000000000000"
#: A word that no answer may repeat.
SECRET = "Xenophilius"
#: Bodies that no address takes, with what is answered.
HOSTILE = [
    (b"null", 400),
    (b"[]", 400),
    (b'"Xenophilius"', 400),
    (b"{", 400),
    (b'{"Xenophilius": 1}', 400),
    (b'{"text": NaN}', 400),
    (b'{"text": "Xenophilius \\ud800"}', 400),
    (b'{"text": "Xenophilius \\u0000"}', 400),
    (b'{"text": "\xff\xfe"}', 400),
    (b'{"a": ' * 30 + b"1" + b"}" * 30, 400),
    (b"[" * 100_000, 400),
    (b'{"text": 1e400}', 400),
    (b'{"text": ' + b"9" * 5_000 + b"}", 400),
    (b'{"text": "a", "text": "b"}', 400),
    (b'{"text": "' + b"x" * 600_000 + b'"}', 413),
]


def problem(answer: Any, status: int, code: str = "") -> dict:
    """Check that an answer is a problem that repeats nothing; return it."""
    assert answer.status_code == status, answer.content[:500]
    assert answer["Content-Type"] == "application/problem+json"
    assert "no-store" in answer["Cache-Control"]
    body = answer.json()
    assert body["type"] == "about:blank" and body["title"] and body["detail"]
    assert body["status"] == status and (not code or body["code"] == code), body
    assert SECRET not in body["detail"] + str([*body.get("fields", {}).values()])
    return body


def count(model: type[SpaceModel], space: UUID) -> int:
    with space_scope(space):
        return model.objects.for_space(space).count()


def lose_answers(space: UUID) -> None:
    """Have no answer of a space kept, as where a request was cut short before its answer was."""
    with space_scope(space):
        KeptAnswer.objects.for_space(space).delete()


def walk(
    program: Program, path: str, *, limit: int = 2, meanwhile: Callable[[], object] = lambda: None
) -> Iterator[dict]:
    """Yield a list's items page by page; something may happen between two pages."""
    cursor, joint = "", "&" if "?" in path else "?"
    while cursor is not None:
        page = program.get(f"{path}{joint}limit={limit}{cursor and f'&cursor={cursor}'}").json()
        assert len(page["items"]) <= limit
        yield from page["items"]
        cursor = page["next"]
        meanwhile()


def outsiders() -> dict[str, Program]:
    """Return programs of people of every role that has neither memory, ledger nor map, by role; each with all scopes."""
    people = {
        "teacher": make_student("tea", role=Person.Role.TEACHER).person,
        "auditor": make_student("aud", role=Person.Role.AUDITOR).person,
        "business": make_business_user("bob"),
    }
    return {role: program_of(person) for role, person in people.items()}
