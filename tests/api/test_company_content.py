"""A company's memory over the REST API: its auditor is told all of its history, and nobody else that it exists."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from companion_site.accounts.models import Person
from companion_site.vault.scope import space_scope
from memory.company.audit.chains import chain_around
from memory.company.audit.facts import show_facts
from memory.company.audit.serializers import ChainOut, FactOut, tell_moment
from memory.company.store import put_in_doubt
from memory.models import CompanyEvent, CompanyFact
from tests.api.conftest import Program, program_of
from tests.api.content import NO_ID, problem
from tests.audit.record import events
from tests.cases import cases
from tests.factories import NOW
from tests.memory.company.audit.rows import BEGUN, DAY, Lived, live, make_auditor
from tests.memory.company.conftest import Company

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

PATH = "company/facts"
TWO, THREE = (f"Hyran är 1{count} 000 kr i månaden" for count in (2, 3))


@pytest.fixture
def lived(db) -> Lived:
    return live()


@pytest.fixture
def ulla(lived) -> Program:
    """A program of the company's auditor."""
    return program_of(lived.auditor)


class Changed:
    """A company that believed one thing and now believes another, and a program of its auditor."""

    def __init__(self) -> None:
        self.company = Company()
        today = timezone.now()  # what was said long ago has expired
        self.old = str(self.company.hear(TWO, at=today - 2 * DAY, confidence=0.7))
        self.new = str(self.company.hear(THREE, at=today - DAY))
        self.auditor = make_auditor(company=self.company.person.company)
        self.program = program_of(self.auditor)

    def active(self) -> list[str]:
        return [fact["content"] for fact in self.program.get(PATH).json()["items"]]


@pytest.fixture
def changed(db) -> Changed:
    return Changed()


def contents(program: Program, query: str = "") -> set[str]:
    return {item["content"] for item in program.get(f"{PATH}{query}").json()["items"]}


def names(lived: Lived, *keys: str) -> set[str]:
    return {lived.facts[key].content for key in keys}


def test_a_fact_is_told_as_its_row_stands(lived, ulla):
    """Every value of every fact of the history: the same words as in the exports and on the pages."""
    items = ulla.get(f"{PATH}?state=all").json()["items"]
    assert {item["id"] for item in items} == {str(pk) for pk in lived.ids().values()}
    at = timezone.now()
    with space_scope(lived.space):
        rows = CompanyFact.objects.for_space(lived.space).order_by("-id")
        told = FactOut(show_facts(rows, at=at), many=True).data
        values = {str(row.pk): row for row in rows}
    assert [{**item, "confidence": 0} for item in items] == [{**fact, "confidence": 0} for fact in told]
    for item in items:
        row = values[item["id"]]
        assert (item["content"], item["category"], item["origin"]) == (row.content, row.category, row.origin)
        assert 0 < item["confidence"] <= row.confidence
        assert item["said_by"] == (lived.member.display_name if row.said_by_id else "")
        assert item["superseded_by"] == (str(row.superseded_by_id) if row.superseded_by_id else None)


def test_facts_are_asked_for_by_what_they_are_and_when(lived, ulla):
    """State, category, who said it, the days of the calendar here; each alone and together."""
    assert contents(ulla, "?state=flagged") == names(lived, "k3") and len(contents(ulla, "?state=all")) == 7
    assert contents(ulla, "?category=preference") == names(lived, "form")
    assert contents(ulla, f"?said_by={lived.member.pk}") == names(lived, "k3", "form")
    assert contents(ulla, f"?said_by={NO_ID}") == set()
    day = NOW.date()
    assert contents(ulla, f"?since={day - timedelta(days=2)}") == names(lived, "both")
    assert contents(ulla, f"?until={BEGUN.date()}") == names(lived, "form")
    assert contents(
        ulla, f"?since={BEGUN.date()}&until={BEGUN.date()}&state=all&category=unresolved"
    ) == names(lived, "old")


def test_a_moment_s_beliefs_are_told_as_they_were(lived, ulla):
    """What came later is not there, what gave way since still is; tomorrow is told as of now."""
    assert contents(ulla, f"?as_of={NOW - 5 * DAY:%Y-%m-%dT%H:%M:%SZ}") == names(
        lived, "k2", "form", "old", "one", "two"
    )
    assert contents(ulla, f"?as_of={BEGUN - DAY:%Y-%m-%dT%H:%M:%SZ}") == set()
    assert contents(ulla, "?as_of=9999-12-31T23:59:59Z") == contents(ulla)


@cases(
    ("query", "expected"),
    [
        ("since=0001-01-01", {"k3", "form", "both"}),
        ("until=9999-12-31", {"k3", "form", "both"}),
        ("since=9999-12-31", set()),
        ("until=0001-01-01", set()),
        ("as_of=0001-01-01T00:00:00Z", set()),
    ],
)
def test_the_ends_of_time_are_days_like_any_other(lived, ulla, query, expected):
    """Nothing overflows."""
    assert contents(ulla, f"?{query}") == names(lived, *expected)


def test_one_fact_is_told_with_its_chain_and_events(lived, ulla):
    """The whole of it, the earliest first: what it replaced, what happened to it, and by whom."""
    fact = lived.facts["k3"].pk
    told = ulla.get(f"{PATH}/{fact}").json()
    shown = ChainOut(chain_around(lived.space, fact, at=timezone.now())).data
    assert json.loads(json.dumps({**shown, "fact": 0, "chain": 0})) == {**told, "fact": 0, "chain": 0}
    assert [link["content"] for link in told["chain"]] == [
        lived.facts["k2"].content,
        lived.facts["k3"].content,
    ]
    assert [event["kind"] for event in told["events"]] == ["believed", "flagged"]
    assert told["events"][1]["other_fact"] == str(lived.facts["k2"].pk) and told["events_total"] == 2
    summary = ulla.get(f"{PATH}/{lived.facts['both'].pk}").json()
    joined = summary["chain"][-1]["also_took_the_place_of"]
    assert {one["content"] for one in joined} == names(lived, "one", "two")


def test_a_search_finds_history_and_changes_nothing(lived, ulla):
    """Over everything unless a state is asked for; the best first; no confirmation, no event, no version."""
    with space_scope(lived.space):
        before = list(CompanyEvent.objects.for_space(lived.space).values_list("pk", flat=True))
    hits = ulla.post(f"{PATH}/search", {"query": "annual report"}).json()["items"]
    found = [hit["fact"]["content"] for hit in hits]
    assert set(found[:2]) == names(lived, "k2", "k3") and all(hit["has_words"] for hit in hits[:2])
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    assert all(hit["similarity"] is None or 0 <= hit["similarity"] <= 1 for hit in hits)
    active = ulla.post(f"{PATH}/search", {"query": "annual report", "state": "active"}).json()["items"]
    assert lived.facts["k2"].content not in {hit["fact"]["content"] for hit in active}
    (one,) = ulla.post(f"{PATH}/search", {"query": "annual report", "limit": 1}).json()["items"]
    assert one["fact"]["content"] == found[0]
    moment = f"{NOW - 5 * DAY:%Y-%m-%dT%H:%M:%SZ}"
    then = ulla.post(f"{PATH}/search", {"query": "annual report", "as_of": moment}).json()["items"]
    assert lived.facts["k3"].content not in {hit["fact"]["content"] for hit in then}
    with space_scope(lived.space):
        assert list(CompanyEvent.objects.for_space(lived.space).values_list("pk", flat=True)) == before


def test_what_was_contradicted_is_kept_or_brought_back(changed):
    """A review that keeps takes the flag away; one that does not, brings the old words back. Both on record with who it was."""
    assert changed.active() == [THREE]
    kept = changed.program.post(f"{PATH}/{changed.new}/review", {"keep": True}).json()["facts"]
    assert [(fact["id"], fact["flagged"]) for fact in kept] == [(changed.new, False)]
    assert kept[0]["reviewed_by"] == changed.auditor.display_name and kept[0]["reviewed_at"]
    (event,) = events(changed.company.space, "company.fact_reviewed")
    assert event.actor_id == changed.auditor.pk and event.data == {"kept": True}
    problem(changed.program.post(f"{PATH}/{changed.new}/review", {"keep": False}), 409)
    assert changed.active() == [THREE]


def test_a_doubt_is_settled_and_repeated_by_its_key(changed):
    """The fact says since when and by what; decided once, whoever asks again under the key gets the same answer."""
    with space_scope(changed.company.space):
        facts = CompanyFact.objects.for_space(changed.company.space)
        newer = facts.get(pk=changed.company.hear("Bokslutet görs i mars"))
        put_in_doubt(facts.get(pk=changed.new), by=newer, since=NOW, at=NOW)
    told = changed.program.get(f"{PATH}/{changed.new}").json()["fact"]
    assert (told["doubted_by"], told["doubted_since"]) == (str(newer.pk), tell_moment(NOW))
    path = f"{PATH}/{changed.new}/doubt"
    first, again = (changed.program.post(path, {"holds": True}, idempotency_key="k") for _time in range(2))
    assert first.json() == again.json() and first.json()["facts"][0]["doubted_since"] is None
    (event,) = events(changed.company.space, "company.fact_cleared")
    assert event.actor_id == changed.auditor.pk and event.data == {"why": "holds"}
    problem(changed.program.post(path, {"holds": False}), 409)


def test_an_auditor_of_a_school_as_well_is_none_of_a_company(changed):
    """Whoever stops being the company's auditor is told nothing from the next request on."""
    assert changed.active() == [THREE]
    Person.objects.filter(pk=changed.auditor.pk).update(company=None)
    problem(changed.program.get(PATH), 404, "not-found")
