"""The ledger over the REST API: word for word what is kept, with every revision, each on record."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from companion_site.vault import unlocked
from ledger.entries import LIMITS, list_entries
from tests.api.conftest import Program
from tests.api.content import NO_ID, SECRET, problem
from tests.audit.record import events
from tests.cases import cases
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


def keep(program: Program, content: str = "Tea at three", **fields) -> dict:
    answer = program.post(PATH, {"category": "fact", "content": content, **fields})
    assert answer.status_code == 201, answer.content
    return answer.json()


def held(program: Program) -> list:
    with unlocked(program.access.space, program.access.key):
        return list_entries(program.access.space)


def contents(program: Program, query: str = "") -> list[str]:
    return [item["content"] for item in program.get(f"{PATH}{query}").json()["items"]]


def test_what_is_kept_is_told_word_for_word(asking):
    """The answer, the entry at its address and the row say the same, and the record names the entry without a word of it."""
    answer = asking.post(PATH, PROMISE)
    told = answer.json()
    assert answer.status_code == 201 and {name: told[name] for name in PROMISE} == PROMISE
    assert (told["revision"], told["active"], told["trust"]) == (1, True, "person")
    assert told["expires_at"] is told["superseded_at"] is told["memory"] is None
    shown = asking.get(answer["Location"].removeprefix("/api/v1/")).json()
    assert shown == {"entry": told, "revisions": [told]}
    (row,) = held(asking)
    assert str(row.entry_id) == told["id"] and row.content == PROMISE["content"]
    assert parse_datetime(told["recorded_at"]) == row.recorded_at
    (event,) = events(asking.access.space, "ledger.recorded")
    assert event.data == {"entry": told["id"], "revision": 1, "category": "promise"}
    assert event.actor_id == asking.access.person.pk


def test_entries_are_asked_for_by_category_and_state(asking):
    """Those of one category, those that were retired, or all; retiring and bringing back twice is once."""
    keep(asking, "A secret", category="secret")
    path = f"{PATH}/{keep(asking, 'An old fact')['id']}"
    keep(asking, "A fact")
    for address, active in (("retire", False), ("bring-back", True), ("retire", False)):
        once, twice = (asking.post(f"{path}/{address}").json() for _time in range(2))
        assert once == twice and once["active"] is active
    assert contents(asking, "?category=secret") == ["A secret"]
    assert contents(asking, "?active=false") == ["An old fact"]
    assert contents(asking, "?active=true&category=fact") == ["A fact"]
    assert contents(asking) == ["A fact", "An old fact", "A secret"]
    assert [item["active"] for item in asking.get(path).json()["revisions"]] == [False, True, False, True]


def test_a_revision_differs_in_what_is_sent_alone(asking):
    """The one before stays, superseded; what changes nothing writes nothing; on what was not looked at, or with others' words, it is 409."""
    entry, other = asking.post(PATH, PROMISE).json(), keep(asking, "Other words", category="promise")
    path = f"{PATH}/{entry['id']}"
    told = asking.ask("PATCH", path, {"importance": 0.9, "revision": 1}).json()
    at = told["recorded_at"]
    assert told == {**entry, "revision": 2, "importance": 0.9, "recorded_at": at}
    assert (
        asking.ask("PATCH", path, {"importance": 0.9}).json() == told == asking.ask("PATCH", path, {}).json()
    )
    problem(asking.ask("PATCH", path, {"importance": 0.1, "revision": 1}), 409, "ledger.entry-changed")
    problem(asking.ask("PATCH", path, {"content": other["content"]}), 409, "ledger.entry-exists")
    assert asking.get(path).json()["revisions"] == [told, {**entry, "superseded_at": at}]


def test_an_expiry_is_a_moment_to_come_and_can_be_taken_away(asking):
    """Told in UTC however it was written; null takes it away; one that has passed, or that the clock here cannot show, is refused."""
    soon = (timezone.now() + timedelta(days=3)).replace(microsecond=0)
    entry = keep(asking, expires_at=soon.astimezone(timezone.get_fixed_timezone(-300)).isoformat())
    assert entry["expires_at"] == soon.isoformat().replace("+00:00", "Z")
    path = f"{PATH}/{entry['id']}"
    assert asking.ask("PATCH", path, {"importance": 0.1}).json()["expires_at"] == entry["expires_at"]
    assert asking.ask("PATCH", path, {"expires_at": None}).json()["expires_at"] is None
    for passed in ("2020-01-01T00:00:00Z", "9999-12-31T23:00:00Z", "9999-12-31T18:00:00-05:00"):
        problem(asking.ask("PATCH", path, {"expires_at": passed}), 422, "ledger.entry-invalid")
    for value in ("tomorrow", "2030-01-01T00:00", 5, True, [], "2030-13-01T00:00:00Z", SECRET):
        assert "expires_at" in problem(asking.ask("PATCH", path, {"expires_at": value}), 400)["fields"]
    last = {"expires_at": "9999-12-31T22:59:59Z"}
    assert asking.ask("PATCH", path, last).json()["expires_at"] == last["expires_at"]
    assert logged_in("ada").get(reverse("memory:ledger")).status_code == 200


@cases(
    ("fields", "status"),
    [
        *(({"content": value}, 422) for value in (" \n", "\u200b")),
        *(
            ({"content": value}, 400)
            for value in ("", None, f"{SECRET}\x00", "x" * (LIMITS.content_chars + 1))
        ),
        ({"summary": "x" * (LIMITS.summary_chars + 1)}, 400),
        *(
            ({"triggers": value}, 400)
            for value in ([SECRET * LIMITS.phrase_chars], ["x"] * (LIMITS.triggers + 1))
        ),
        ({"triggers": ["?!"]}, 422),
        *(
            ({name: value}, 400)
            for name, value in (("trust", "teacher"), ("memory", NO_ID), ("active", False))
        ),
    ],
)
def test_what_cannot_be_kept_is_refused_whole(asking, fields, status):
    """Nothing is written, and nothing of it comes back."""
    problem(asking.post(PATH, {"category": "fact", "content": "Tea", **fields}), status)
    assert held(asking) == [] and events(asking.access.space, "ledger") == []
