"""The record over the REST API: what happened in one's own space, in ids and numbers, with hashes that anybody can check."""

import json
from datetime import timedelta

import pytest
from django.utils.dateparse import parse_datetime

from companion_site.audit.chain import START, event_hash
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import PLATFORM, record_event
from companion_site.vault.scope import space_scope
from tests.api.conftest import Program, make_program
from tests.api.content import NO_ID, SECRET, outsiders, problem, walk
from tests.audit.record import events
from tests.factories import NOW, make_access, make_business_user
from tests.memory.student.pages.conftest import remember

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

PATH = "audit/events"


def note(program: Program, action: str = "tests.happened", **given) -> AuditEvent:
    with space_scope(program.access.space):
        return record_event(action, chain=program.access.space, **{"now": NOW, **given})


def actions(program: Program, query: str = "") -> list[str]:
    return [item["action"] for item in program.get(f"{PATH}{query}").json()["items"]]


def test_an_event_is_told_as_it_was_recorded(asking):
    """Every value of it, in the list and by itself."""
    row = note(asking, actor=asking.access.person, subject=asking.access.person, data={"count": 3})
    told = asking.get(f"{PATH}/{row.pk}").json()
    assert told == {
        "id": str(row.pk),
        "position": row.position,
        "at": "2026-03-02T14:05:00Z",
        "action": "tests.happened",
        "actor": str(asking.access.person.pk),
        "actor_role": "student",
        "subject_type": "accounts.person",
        "subject": str(asking.access.person.pk),
        "data": {"count": 3},
        "key": row.key,
        "previous_hash": bytes(row.previous_hash).hex(),
        "hash": bytes(row.hash).hex(),
    }
    assert told in asking.get(PATH).json()["items"]


def test_whoever_reads_the_chain_can_check_it(asking):
    """From what is told alone every hash can be made again, from the first event to the last, over page borders."""
    for number in range(5):
        note(asking, data={"number": number})
    previous = START
    chain = [*walk(asking, PATH, limit=3)][::-1]
    assert [item["position"] for item in chain] == list(range(1, len(chain) + 1)) and len(chain) > 5
    for item in chain:
        assert item["previous_hash"] == previous.hex()
        values = {
            "id": item["id"],
            "chain": str(asking.access.space),
            "position": item["position"],
            "at": parse_datetime(item["at"]).isoformat(timespec="microseconds"),
            "action": item["action"],
            "actor_id": item["actor"],
            "actor_label": item["actor_role"],
            "subject_type": item["subject_type"],
            "subject_id": item["subject"],
            "data": item["data"],
            "key": item["key"],
        }
        previous = event_hash(previous, values)
        assert item["hash"] == previous.hex()


def test_events_are_asked_for_by_action_and_moment(asking):
    """An action or what it begins with; from a moment on, until a moment, both ends with it."""
    for hours, action in enumerate(("tests.one", "tests.two", "other.three")):
        note(asking, action, now=NOW + timedelta(hours=hours + 100))
    moments = [f"{NOW + timedelta(hours=hours + 100):%Y-%m-%dT%H:%M:%SZ}" for hours in range(3)]
    assert actions(asking, "?action=tests") == ["tests.two", "tests.one"]
    assert actions(asking, "?action=tests.one") == ["tests.one"] and actions(asking, "?action=nothing") == []
    assert actions(asking, f"?since={moments[1]}&until={moments[2]}") == ["other.three", "tests.two"]
    assert actions(asking, f"?action=tests&since={moments[1]}") == ["tests.two"]
    assert (
        actions(asking, "?since=9999-12-31T23:59:59Z") == [] == actions(asking, "?until=0001-01-01T00:00:00Z")
    )


def test_a_parameter_that_stands_twice_is_refused(asking):
    """Two readers could understand it in two ways: 400 rather than the last of them, or everything."""
    for query in ("action=tests&action=memory", "limit=1&limit=1", "action=tests&limit=1&action=tests"):
        problem(asking.get(f"{PATH}?{query}"), 400, "api.bad-request")


def test_a_page_that_holds_the_last_row_is_the_last(asking):
    """Its `next` is null also where it is full; a cursor after the last row is an empty page."""
    rows = [str(note(asking, "border.row").pk) for _number in range(4)][::-1]

    def page(query):
        told = asking.get(f"{PATH}?action={query}").json()
        return [item["id"] for item in told["items"]], told["next"]

    assert page("border&limit=4") == (rows, None)
    ids, half = page("border&limit=2")
    assert ids == rows[:2] and page(f"border&limit=2&cursor={half}") == (rows[2:], None)
    assert page(f"nothing&cursor={half}") == ([], None)


def test_nothing_is_written_into_it_by_reading_or_asking(asking):
    """Not even that it was read; what is sent to be written is 405."""
    row = note(asking)
    asking.get(PATH)  # the use of a token is on record once an hour
    before = len(events(asking.access.space))
    for path in (PATH, f"{PATH}/{row.pk}"):
        assert asking.get(path).status_code == 200
        for method in ("POST", "PATCH", "DELETE"):
            assert asking.ask(method, path, {"action": "tests.forged"}).status_code == 405
    assert len(events(asking.access.space)) == before


def test_nothing_of_another_chain_is_told(asking):
    """Neither another student's, nor a company's, nor the platform's: not in the list, and 404 by its id."""
    others = [
        make_program(make_access("eve")).access.space,
        make_business_user("bo").company.space_id,
        PLATFORM,
    ]
    with space_scope(others[0]):
        record_event("tests.happened", chain=PLATFORM, now=NOW)
    nobody = problem(asking.get(f"{PATH}/{NO_ID}"), 404, "not-found")
    told = {item["id"] for item in walk(asking, PATH, limit=50)}
    for chain in others:
        found = {str(row.pk) for row in events(chain)}
        assert found and not found & told
        assert problem(asking.get(f"{PATH}/{min(found)}"), 404, "not-found") == nobody


def test_the_record_holds_no_word_of_what_a_student_said(asking):
    """Everything that a student does over the API is on record, and nothing of what it was about."""
    (memory,) = remember(asking.access, f"My cat is called {SECRET}")
    asking.post(f"memories/{memory}/corrections", {"text": f"My dog is called {SECRET}"})
    entry = asking.post(
        "ledger/entries", {"category": "secret", "content": SECRET, "triggers": [SECRET]}
    ).json()
    asking.ask("PATCH", f"ledger/entries/{entry['id']}", {"summary": f"{SECRET}!"})
    asking.post(f"ledger/entries/{entry['id']}/retire")
    assert {"memory.corrected", "ledger.recorded", "ledger.revised", "ledger.deactivated"} <= set(
        actions(asking)
    )
    told = json.dumps([*walk(asking, PATH, limit=50)])
    assert SECRET not in told and "cat" not in told.split('"')


def test_everybody_has_a_record_of_their_own_space(db):
    """A teacher's, an auditor's, a company's member's: each their own chain, and no other."""
    for role, program in outsiders().items():
        items = program.get(PATH).json()["items"]
        rows = {str(row.pk) for row in events(program.access.space)}
        assert items and {item["id"] for item in items} <= rows, role
