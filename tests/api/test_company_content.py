"""A company's memory over the REST API: its auditor is told all of its history, in the words of its pages and exports.

What a state, a moment, a search and a decision mean is shown in tests/memory/company/audit; here, that they are asked for.
"""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

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
from tests.memory.company.audit.rows import BEGUN, DAY, Lived, believe, live

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]

PATH = "company/facts"
BEFORE = f"{NOW - 5 * DAY:%Y-%m-%dT%H:%M:%SZ}"


@pytest.fixture
def lived(db) -> Lived:
    return live()


@pytest.fixture
def ulla(lived) -> Program:
    """A program of the company's auditor."""
    return program_of(lived.auditor)


def contents(program: Program, query: str = "") -> set[str]:
    return {item["content"] for item in program.get(f"{PATH}{query}").json()["items"]}


def names(lived: Lived, *keys: str) -> set[str]:
    return {lived.facts[key].content for key in keys}


def test_facts_and_their_chains_are_told_as_everywhere(lived, ulla):
    """Every fact of the history in the list, and one with its chain and its events."""
    items = ulla.get(f"{PATH}?state=all").json()["items"]
    at, fact = timezone.now(), lived.facts["k3"].pk
    with space_scope(lived.space):
        rows = CompanyFact.objects.for_space(lived.space).order_by("-id")
        told = FactOut(show_facts(rows, at=at), many=True).data
    assert {item["id"] for item in items} == {str(pk) for pk in lived.ids().values()}
    assert [{**item, "confidence": 0} for item in items] == [{**fact, "confidence": 0} for fact in told]
    one = ulla.get(f"{PATH}/{fact}").json()
    shown = json.loads(json.dumps(ChainOut(chain_around(lived.space, fact, at=at)).data))
    assert {**shown, "fact": 0, "chain": 0} == {**one, "fact": 0, "chain": 0}
    assert [link["content"] for link in one["chain"]] == [lived.facts[key].content for key in ("k2", "k3")]


@cases(
    ("query", "expected"),
    [
        ("", "k3 form both"),
        ("state=flagged", "k3"),
        ("state=all", "k2 k3 form old one two both"),
        ("category=preference", "form"),
        (f"said_by={NO_ID}", ""),
        (f"since={NOW.date() - timedelta(days=2)}", "both"),
        (f"until={BEGUN.date()}", "form"),
        (f"since={BEGUN.date()}&until={BEGUN.date()}&state=all&category=unresolved", "old"),
        (f"as_of={BEFORE}", "k2 form old one two"),
        ("since=0001-01-01", "k3 form both"),
        ("until=9999-12-31", "k3 form both"),
        ("since=9999-12-31", ""),
        ("until=0001-01-01", ""),
        ("as_of=0001-01-01T00:00:00Z", ""),
        ("as_of=9999-12-31T23:59:59Z", "k3 form both"),
    ],
)
def test_facts_are_asked_for_by_what_they_are_and_when(lived, ulla, query, expected):
    """State, category, the days of the calendar here and a moment, each alone and together; the ends of time are days too."""
    assert contents(ulla, f"?{query}") == names(lived, *expected.split())


def test_facts_are_asked_for_by_who_said_them(lived, ulla):
    """By the person's id."""
    assert contents(ulla, f"?said_by={lived.member.pk}") == names(lived, "k3", "form")


def test_a_search_finds_history_and_changes_nothing(lived, ulla):
    """Over everything unless a state or a moment is asked for; the best first; no event is written."""

    def found(**more):
        return ulla.post(f"{PATH}/search", {"query": "annual report", **more}).json()["items"]

    with space_scope(lived.space):
        before = list(CompanyEvent.objects.for_space(lived.space).values_list("pk", flat=True))
    hits = found()
    assert {hit["fact"]["content"] for hit in hits[:2]} == names(lived, "k2", "k3")
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    assert [hit["fact"]["id"] for hit in found(limit=1)] == [hits[0]["fact"]["id"]]
    assert lived.facts["k2"].content not in {hit["fact"]["content"] for hit in found(state="active")}
    assert lived.facts["k3"].content not in {hit["fact"]["content"] for hit in found(as_of=BEFORE)}
    with space_scope(lived.space):
        assert list(CompanyEvent.objects.for_space(lived.space).values_list("pk", flat=True)) == before


def test_what_waits_is_decided_once(lived, ulla):
    """A review that keeps takes the flag away, a doubt is settled; each on record with who it was, and refused again."""
    fact = lived.facts["form"]
    newer = believe(lived.space, "Vill ha utförliga förklaringar", at=NOW)
    with space_scope(lived.space):
        put_in_doubt(CompanyFact.objects.for_space(lived.space).get(pk=fact.pk), by=newer, since=NOW, at=NOW)
    told = ulla.get(f"{PATH}/{fact.pk}").json()["fact"]
    assert (told["doubted_by"], told["doubted_since"]) == (str(newer.pk), tell_moment(NOW))
    for path, body, action, data in (
        (f"{PATH}/{lived.facts['k3'].pk}/review", {"keep": True}, "company.fact_reviewed", {"kept": True}),
        (f"{PATH}/{fact.pk}/doubt", {"holds": True}, "company.fact_cleared", {"why": "holds"}),
    ):
        first, again = (ulla.post(path, body, idempotency_key=action) for _time in range(2))
        (believed,) = first.json()["facts"]
        assert first.json() == again.json() and path.split("/")[2] == believed["id"]
        assert not believed["flagged"] and believed["doubted_since"] is None
        (event,) = events(lived.space, action)
        assert (event.actor_id, event.data) == (lived.auditor.pk, data)
        problem(ulla.post(path, dict.fromkeys(body, False)), 409)
