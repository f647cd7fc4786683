"""The ledger over the REST API: word for word what is kept, with every revision, each on record."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from companion_site.accounts.tokens import Scope
from companion_site.vault import unlocked
from ledger.models import LedgerEntry
from ledger.params import LIMITS
from ledger.selectors import entry_history, list_entries
from tests.api.conftest import Program, make_program
from tests.api.content import (
    HOSTILE,
    NO_ID,
    NO_SHARES,
    SECRET,
    ask_as_a_stranger,
    events,
    find_none,
    need_scope,
    outsiders,
    problem,
    walk,
)
from tests.cases import cases
from tests.factories import make_access
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

PATH = "ledger/entries"
PROMISE = {
    "category": "promise",
    "content": "Lend Maja my bicycle\non Saturday.",
    "summary": "Bicycle for Maja",
    "triggers": ["bicycle", "Saturday"],
    "trigger_entities": ["Maja"],
    "importance": 0.8,
    "trigger_threshold": 0.6,
}
ADDRESSES = [
    ("GET", PATH, None),
    ("POST", PATH, {"category": "fact", "content": "Mine"}),
    ("GET", f"{PATH}/{{entry}}", None),
    ("PATCH", f"{PATH}/{{entry}}", {"content": "Mine"}),
    ("POST", f"{PATH}/{{entry}}/retire", None),
    ("POST", f"{PATH}/{{entry}}/bring-back", None),
]


@pytest.fixture
def ada(db) -> Program:
    return make_program(make_access("ada"))


def keep(program: Program, content: str = "Tea at three", **fields) -> dict:
    answer = program.post(PATH, {"category": "fact", "content": content, **fields})
    assert answer.status_code == 201, answer.content
    return answer.json()


def held(program: Program) -> list:
    with unlocked(program.access.space, program.access.key):
        return list_entries(program.access.space)


def contents(program: Program, query: str = "") -> list[str]:
    return [item["content"] for item in program.get(f"{PATH}{query}").json()["items"]]


def test_what_is_kept_is_told_word_for_word(ada):
    """The answer, the entry at its address and the row say the same, and the record names the entry without a word of it."""
    answer = ada.post(PATH, PROMISE)
    told = answer.json()
    assert answer.status_code == 201 and {name: told[name] for name in PROMISE} == PROMISE
    assert (told["revision"], told["active"], told["trust"]) == (1, True, "person")
    assert told["expires_at"] is told["superseded_at"] is told["memory"] is None
    shown = ada.get(answer["Location"].removeprefix("/api/v1/")).json()
    assert shown == {"entry": told, "revisions": [told]}
    (row,) = held(ada)
    assert str(row.entry_id) == told["id"] and row.content == PROMISE["content"]
    assert parse_datetime(told["recorded_at"]) == row.recorded_at
    (event,) = events(ada.access.space, "ledger.recorded")
    assert event.data == {"entry": told["id"], "revision": 1, "category": "promise"}
    assert event.actor_id == ada.access.person.pk


def test_the_same_words_are_one_entry(ada):
    """Kept again without a key, they are told and not written; in another category they are another entry."""
    first, again = keep(ada), keep(ada, importance=1)
    assert first == again
    assert keep(ada, category="secret")["id"] != first["id"]
    assert len(held(ada)) == 2 and len(events(ada.access.space, "ledger.recorded")) == 2


def test_entries_come_in_order_and_once_while_others_are_kept(ada):
    """The last kept first, over page borders; a revision moves nothing."""
    ids = [keep(ada, f"Entry {number}")["id"] for number in range(5)]

    def meanwhile():
        keep(ada, f"Meanwhile {len(held(ada))}")
        ada.ask("PATCH", f"{PATH}/{ids[0]}", {"importance": 0.1 * len(held(ada)) / 10})

    assert [item["id"] for item in walk(ada, PATH, meanwhile=meanwhile)] == ids[::-1]


def test_entries_are_asked_for_by_category_and_state(ada):
    """Those of one category; those that were retired; without more, all of them."""
    keep(ada, "A secret", category="secret")
    retired = keep(ada, "An old fact")["id"]
    keep(ada, "A fact")
    ada.post(f"{PATH}/{retired}/retire")
    assert contents(ada, "?category=secret") == ["A secret"]
    assert contents(ada, "?active=false") == ["An old fact"]
    assert contents(ada, "?active=true&category=fact") == ["A fact"]
    assert contents(ada) == ["A fact", "An old fact", "A secret"]
    for query in (f"category={SECRET}", "active=no", "category=", "cursor=" + "A" * 23, "state=active"):
        problem(ada.get(f"{PATH}?{query}"), 400, "api.bad-request")


def test_a_revision_differs_in_what_is_sent_alone(ada):
    """The one before stays, superseded; what changes nothing writes nothing; each is on record."""
    entry = ada.post(PATH, PROMISE).json()
    path = f"{PATH}/{entry['id']}"
    told = ada.ask("PATCH", path, {"importance": 0.9, "revision": 1}).json()
    changing = {"revision", "importance", "recorded_at"}
    assert (told["revision"], told["importance"]) == (2, 0.9)
    assert {name: value for name, value in told.items() if name not in changing} == {
        name: value for name, value in entry.items() if name not in changing
    }
    assert ada.ask("PATCH", path, {"importance": 0.9}).json() == told == ada.ask("PATCH", path, {}).json()
    last, first = ada.get(path).json()["revisions"]
    assert last == told and first == {**entry, "superseded_at": told["recorded_at"]}
    assert [event.data["revision"] for event in events(ada.access.space, "ledger.revised")] == [2]


def test_a_revision_of_what_was_not_looked_at_is_refused(ada):
    """409, and nothing is written; so are words that another entry has."""
    entry, other = keep(ada), keep(ada, "Other words")
    path = f"{PATH}/{entry['id']}"
    ada.ask("PATCH", path, {"importance": 0.9})
    problem(ada.ask("PATCH", path, {"importance": 0.1, "revision": 1}), 409, "ledger.entry-changed")
    problem(ada.ask("PATCH", path, {"content": other["content"]}), 409, "ledger.entry-exists")
    assert [row.importance for row in held(ada) if str(row.entry_id) == entry["id"]] == [0.9]


def test_an_entry_is_retired_and_brought_back(ada):
    """By revisions; each of the two twice is once."""
    entry = keep(ada)
    path = f"{PATH}/{entry['id']}"
    for address, active in (("retire", False), ("bring-back", True)):
        once, twice = (ada.post(f"{path}/{address}").json() for _time in range(2))
        assert once == twice and once["active"] is active and once["content"] == entry["content"]
    assert [item["active"] for item in ada.get(path).json()["revisions"]] == [True, False, True]
    actions = [event.action for event in events(ada.access.space, "ledger")]
    assert actions == ["ledger.recorded", "ledger.deactivated", "ledger.reactivated"]


def test_an_expiry_is_a_moment_to_come_and_can_be_taken_away(ada):
    """Told in UTC however it was written; null takes it away; one that has passed is refused."""
    soon = (timezone.now() + timedelta(days=3)).replace(microsecond=0)
    entry = keep(ada, expires_at=soon.astimezone(timezone.get_fixed_timezone(-300)).isoformat())
    assert entry["expires_at"] == soon.isoformat().replace("+00:00", "Z")
    path = f"{PATH}/{entry['id']}"
    assert ada.ask("PATCH", path, {"importance": 0.1}).json()["expires_at"] == entry["expires_at"]
    assert ada.ask("PATCH", path, {"expires_at": None}).json()["expires_at"] is None
    problem(ada.ask("PATCH", path, {"expires_at": "2020-01-01T00:00:00Z"}), 422, "ledger.entry-invalid")
    for value in ("tomorrow", "2030-01-01T00:00", 5, True, [], "2030-13-01T00:00:00Z", SECRET):
        assert "expires_at" in problem(ada.ask("PATCH", path, {"expires_at": value}), 400)["fields"]


def test_an_expiry_at_the_end_of_time_breaks_no_page(ada):
    """The last moment that the clock here can show is taken, a later one is not; the student's own page opens."""
    assert keep(ada, expires_at="9999-12-31T22:59:59Z")["expires_at"] == "9999-12-31T22:59:59Z"
    for late in ("9999-12-31T23:00:00Z", "9999-12-31T23:59:59Z", "9999-12-31T18:00:00-05:00"):
        problem(ada.post(PATH, {"category": "fact", "content": "For ever", "expires_at": late}), 422)
    assert logged_in("ada").get(reverse("memory:ledger")).status_code == 200


def test_keeping_is_repeated_by_its_key(ada):
    """One entry and one answer, also after it was retired; with other words the key is refused and writes nothing."""
    first = ada.post(PATH, PROMISE, idempotency_key="k")
    entry = first.json()["id"]
    retired, again = (ada.post(f"{PATH}/{entry}/retire", idempotency_key="r") for _time in range(2))
    assert retired.json() == again.json() and again["Idempotent-Replayed"] == "true"
    replayed = ada.post(PATH, PROMISE, idempotency_key="k")
    assert replayed.json() == first.json() and replayed["Location"] == first["Location"]
    problem(ada.post(PATH, {**PROMISE, "importance": 0.1}, idempotency_key="k"), 422, "api.key-reused")
    problem(ada.post(f"{PATH}/{entry}/bring-back", idempotency_key="r"), 422, "api.key-reused")
    (row,) = held(ada)
    assert not row.is_active and row.revision == 2


@cases("name", ["importance", "trigger_threshold"])
@cases("value", NO_SHARES)
def test_a_share_that_is_none_is_refused(ada, name, value):
    """By whichever way it comes; the field is named and nothing is written."""
    entry = keep(ada)
    for answer in (
        ada.post(PATH, {"category": "fact", "content": "x", name: value}),
        ada.ask("PATCH", f"{PATH}/{entry['id']}", {name: value}),
    ):
        assert name in problem(answer, 400, "api.bad-request")["fields"]
    assert len(held(ada)) == 1


@cases(
    ("fields", "status"),
    [
        ({"content": ""}, 400),
        ({"content": " \n"}, 422),
        ({"content": "\u200b"}, 422),
        ({"content": None}, 400),
        ({"content": [SECRET]}, 400),
        ({"content": f"{SECRET}\x00"}, 400),
        ({"content": "x" * (LIMITS.content_chars + 1)}, 400),
        ({"summary": "x" * (LIMITS.summary_chars + 1)}, 400),
        ({"summary": 5}, 400),
        ({"category": SECRET}, 400),
        ({"category": [SECRET]}, 400),
        ({"category": None}, 400),
        ({"triggers": SECRET}, 400),
        ({"triggers": {"0": SECRET}}, 400),
        ({"triggers": [5]}, 400),
        ({"triggers": [[SECRET]]}, 400),
        ({"triggers": [f"{SECRET}\x00"]}, 400),
        ({"triggers": ["x" * (LIMITS.phrase_chars + 1)]}, 400),
        ({"triggers": ["x"] * (LIMITS.triggers + 1)}, 400),
        ({"triggers": ["?!"]}, 422),
        ({"trigger_entities": None}, 400),
        ({"trust": "teacher"}, 400),
        ({"memory": NO_ID}, 400),
        ({"active": False}, 400),
        ({"revision": 1}, 400),
    ],
)
def test_what_cannot_be_kept_is_refused_whole(ada, fields, status):
    """Nothing is written, and nothing of it comes back."""
    problem(ada.post(PATH, {"category": "fact", "content": "Tea", **fields}), status)
    assert held(ada) == [] and events(ada.access.space, "ledger") == []


@cases("revision", [0, -1, "1", 1.0, True, 2**31, 10**400, None])
def test_a_revision_that_is_none_is_refused(ada, revision):
    """A whole number from 1 on."""
    entry = keep(ada)
    answer = ada.ask("PATCH", f"{PATH}/{entry['id']}", {"importance": 0.1, "revision": revision})
    assert "revision" in problem(answer, 400)["fields"]


@cases(("raw", "status"), HOSTILE)
def test_hostile_bodies_write_nothing(ada, raw, status):
    """Neither a new entry nor a revision."""
    entry = keep(ada)
    problem(ada.post(PATH, raw), status)
    problem(ada.ask("PATCH", f"{PATH}/{entry['id']}", raw), status)
    with unlocked(ada.access.space, ada.access.key):
        assert len(entry_history(ada.access.space, held(ada)[0].entry_id)) == 1 and len(held(ada)) == 1


def test_another_student_finds_nothing_of_it(ada):
    """By its id it is 404 like an id nobody has; nothing of it changes."""
    entry = keep(ada, SECRET)
    for answer in ask_as_a_stranger(make_program(make_access("eve")), ADDRESSES, entry=entry["id"]):
        assert answer.status_code in (200, 201) and SECRET not in answer.text
    assert ada.get(f"{PATH}/{entry['id']}").json()["entry"] == entry


def test_who_has_no_ledger_finds_none(ada):
    """A teacher, an auditor, somebody of a company: 404 at every address, with a token for everything."""
    entry = keep(ada, SECRET)
    for program in outsiders().values():
        find_none(program, ADDRESSES, entry=entry["id"])
        assert LedgerEntry.objects.for_space(program.access.space).count() == 0


def test_each_address_takes_the_scope(ada):
    """With every other scope it is 403, and nothing is done."""
    entry = keep(ada)
    other = make_program(ada.access, *(set(Scope.values) - {Scope.LEDGER}))
    need_scope(other, ADDRESSES, "ledger", entry=entry["id"])
    assert ada.get(f"{PATH}/{entry['id']}").json()["revisions"] == [entry] and len(held(ada)) == 1
