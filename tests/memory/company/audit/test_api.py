"""The API for auditors: what the pages show, as JSON, with clear refusals."""

import pytest
from django.urls import reverse

from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from tests.cases import cases
from tests.factories import NOW
from tests.memory.company.audit.rows import DAY

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12"), pytest.mark.spec("E3")]

FACTS, SEARCH, EXPORT = "/api/company/memory/", "/api/company/memory/search/", "/api/company/memory/export/"


def ids(answer):
    assert answer.status_code == 200, answer.content
    return [fact["id"] for fact in answer.json()["facts"]]


def test_a_list_is_told_with_what_it_is_of(lived, browser):
    """By default what is believed now; states and filters as on the page."""
    told = browser.get(FACTS).json()
    assert (told["company"], told["state"], told["total"], told["next"]) == ("Demo AB", "active", 3, None)
    assert ids(browser.get(FACTS, {"state": "superseded", "category": "decision"}))
    assert len(ids(browser.get(FACTS, {"state": "all", "said_by": "companion"}))) == 1


def test_a_list_is_read_part_by_part(lived, browser):
    """`next` leads through everything once and ends."""
    address, seen = f"{FACTS}?state=all&limit=3", []
    while address:
        answer = browser.get(address)
        seen += ids(answer)
        address = answer.json()["next"]
    assert len(seen) == len(set(seen)) == 7
    assert ids(browser.get(FACTS, {"offset": 900_000})) == []


def test_as_of_takes_a_day_and_a_moment_with_or_without_an_offset(lived, browser):
    """All of these are one moment; a plus that came as a space is understood."""
    moment = NOW - 5 * DAY
    written = [
        f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        f"{moment + DAY / 24:%Y-%m-%dT%H:%M:%S}",  # the time here is an hour ahead in winter
        f"{moment + DAY / 24:%Y-%m-%dT%H:%M}+01:00",
        f"{moment + DAY / 24:%Y-%m-%d %H:%M:%S.000000} 01:00",
    ]
    answers = [browser.get(FACTS, {"as_of": text}) for text in written]
    assert {answer.json()["as_of"] for answer in answers} == {f"{moment:%Y-%m-%dT%H:%M:%SZ}"}
    assert str(lived.facts["k2"].pk) in ids(answers[0])
    day = browser.get(FACTS, {"as_of": f"{moment:%Y-%m-%d}"}).json()
    assert day["as_of"].endswith("T22:59:59.999999Z"), "a day is meant to its end, here"


@cases(
    ("given", "field"),
    [
        ({"as_of": "yesterday"}, "as_of"),
        ({"as_of": "2026-03-02T25:00"}, "as_of"),
        ({"as_of": "2026-03-02T10:00+99:00"}, "as_of"),
        ({"asof": "2026-03-02"}, "asof"),
        ({"since": "last week"}, "since"),
        ({"since": "2026-03-02", "until": "2026-03-01"}, "until"),
        ({"said_by": str(new_id())}, "said_by"),
        ({"limit": "0"}, "limit"),
        ({"limit": "201"}, "limit"),
        ({"offset": "-1"}, "offset"),
        ({"offset": "9" * 30}, "offset"),
    ],
)
def test_what_cannot_be_understood_is_said_by_field(lived, browser, given, field):
    """400 with the field and a sentence; a misspelt parameter never answers with the present."""
    answer = browser.get(FACTS, given)
    assert answer.status_code == 400
    told = answer.json()
    assert told["error"] == "company.bad-question" and list(told["fields"]) == [field]
    assert told["fields"][field][0]


def test_a_fact_is_told_with_its_chain_and_events(lived, browser):
    """The chain in order, each with its source; the events in order."""
    told = browser.get(f"{FACTS}{lived.facts['k2'].pk}/").json()
    assert [fact["id"] for fact in told["chain"]] == [str(lived.facts[name].pk) for name in ("k2", "k3")]
    assert told["fact"]["superseded_reason"] == "contradicted"
    assert [event["kind"] for event in told["events"]] == ["believed", "superseded"]
    both = browser.get(f"{FACTS}{lived.facts['both'].pk}/").json()
    assert len(both["chain"][0]["also_took_the_place_of"]) == 2


def test_what_does_not_exist_is_404_in_json(lived, browser):
    """With the same answer as for what is another's."""
    answer = browser.get(f"{FACTS}{new_id()}/")
    assert (answer.status_code, answer.json()["error"]) == (404, "not-found")


def test_search_tells_scores_and_is_read_part_by_part(lived, browser):
    """The best first; a search without words is refused."""
    told = browser.get(SEARCH, {"q": "annual report", "limit": 1}).json()
    assert told["total"] >= 2 and len(told["hits"]) == 1 and told["hits"][0]["has_words"]
    following = browser.get(SEARCH, {"q": "annual report", "limit": 1, "offset": 1}).json()
    assert following["hits"][0]["fact"]["id"] != told["hits"][0]["fact"]["id"]
    assert following["hits"][0]["score"] <= told["hits"][0]["score"]
    assert list(browser.get(SEARCH).json()["fields"]) == ["q"]
    assert list(browser.get(SEARCH, {"q": " "}).json()["fields"]) == ["q"]


def test_an_export_over_the_api_is_the_page_s(lived, browser):
    """The same file, on record all the same."""
    answer = browser.get(EXPORT, {"form": "csv", "state": "all"})
    assert answer["Content-Type"].startswith("text/csv") and "attachment" in answer["Content-Disposition"]
    assert len(b"".join(answer).decode().splitlines()) == 8
    assert AuditEvent.objects.filter(action="company.memory_exported").count() == 1
    assert list(browser.get(EXPORT).json()["fields"]) == ["form"]


def test_nothing_is_written_over_the_api(lived, browser):
    """Reading only."""
    for address in (FACTS, SEARCH, EXPORT, f"{FACTS}{lived.facts['k3'].pk}/"):
        assert browser.post(address, {}).status_code == 405, address


def test_addresses_are_the_documented_ones(lived):
    """What docs/company-memory.md names."""
    assert (reverse("company-api:facts"), reverse("company-api:search")) == (FACTS, SEARCH)
