"""What an auditor is told of a moment of the past: as it was then, from the rows and from the events alike."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from companion_site.vault.scope import space_scope
from memory.company.audit.facts import show_asked, show_facts
from memory.company.audit.filters import FactFilterForm
from memory.models import CompanyEvent, CompanyFact
from tests.cases import cases
from tests.factories import NOW
from tests.memory.company.audit.rows import BEGUN, DAY, believe, listed, note
from tests.memory.company.histories import replay

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12"), pytest.mark.spec("E3")]


def here(moment):
    """Return a moment as a date and time picker on this site writes it."""
    return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M:%S")


def test_as_of_shows_what_was_believed_then(lived, browser):
    """The words that were replaced since stand there again, and what came later does not exist."""
    before = listed(browser, f"?as_of={here(NOW - 5 * DAY)}")
    assert lived.facts["k2"].content in before and lived.facts["k3"].content not in before
    assert lived.facts["old"].content in before, "it had not expired then"
    moment = lived.facts["k3"].created_at
    assert lived.facts["k2"].content in listed(browser, f"?as_of={here(moment - timedelta(seconds=1))}")
    assert lived.facts["k2"].content not in listed(browser, f"?as_of={here(moment)}")
    assert listed(browser, f"?as_of={(BEGUN - DAY).date()}") == []
    overview = browser.get(f"{reverse('company:overview')}?as_of={here(NOW - 5 * DAY)}").context["overview"]
    assert [overview[name] for name in ("believed", "superseded", "flagged")] == [5, 0, 0]


@cases("hours", [-300, -241, -240, -200, -97, -96, -95, -49, -48, -25, -24, 0])
def test_as_of_equals_a_replay_of_the_events(lived, browser, hours):
    """The list at any moment is what the events alone tell."""
    moment = NOW + timedelta(hours=hours)
    query = f"?as_of={moment:%Y-%m-%dT%H:%M:%SZ}"
    found = browser.get(f"{reverse('company:facts')}{query}").context["page"].object_list
    assert {fact.id for fact in found} == replay(lived.space, moment)


def test_as_of_tells_confidence_expiry_and_flag_as_they_were(lived, browser):
    """A confirmation since then is not told, and what was reviewed since waited for its review."""
    fact = lived.facts["old"]
    with space_scope(lived.space):
        fact.confidence, fact.confirmed_at, fact.expires_at = 0.99, NOW - DAY, NOW + 30 * DAY
        fact.confirmations = 1
        fact.save()
        note(fact, CompanyEvent.Kind.CONFIRMED, NOW - DAY, confidence=0.99, expires_at=NOW + 30 * DAY)
        k3 = lived.facts["k3"]
        k3.flagged_at, k3.reviewed_at, k3.reviewed_by = None, NOW - DAY, lived.auditor
        k3.save()
        note(k3, CompanyEvent.Kind.REVIEWED, NOW - DAY, actor=lived.auditor, reason="kept")
    asked = f"?state=all&as_of={NOW - 2 * DAY:%Y-%m-%dT%H:%M:%SZ}"
    shown = {
        one.id: one for one in browser.get(f"{reverse('company:facts')}{asked}").context["page"].object_list
    }
    assert (shown[fact.pk].confidence, shown[fact.pk].expires_at) == (0.9, NOW - DAY)
    assert shown[fact.pk].confirmations == 0
    assert shown[k3.pk].is_flagged and shown[k3.pk].reviewed_by_name == ""
    assert listed(browser, asked.replace("all", "flagged")) == [k3.content]
    assert listed(browser, "?state=flagged") == []


def test_as_of_the_present_tells_what_the_page_of_the_present_tells(lived, browser):
    """To the last digit: what nothing has happened to since is told from its row, also if it was said long before."""
    believe(
        lived.space, "Said in March, read in April", confirmed_at=BEGUN - 30 * DAY, said_at=BEGUN - 30 * DAY
    )
    at = timezone.now()
    as_of = FactFilterForm({"state": "all", "as_of": at.isoformat()}, people={}).asked()
    with space_scope(lived.space):
        rows = CompanyFact.objects.for_space(lived.space).order_by("id")
        assert show_asked(lived.space, rows, as_of, at=at) == show_facts(rows, at=at)


def test_what_is_to_come_is_not_told(lived, browser):
    """A day ends at midnight, and tomorrow comes later still: both are answered as of now, and the page says so. The way back to
    the present keeps what else is asked for."""
    soon = believe(lived.space, "Expires soon", expires_at=timezone.now() + timedelta(hours=1), vector=False)
    for day in ("2199-01-01", f"{timezone.localdate() + DAY}"):
        answer = browser.get(f"{reverse('company:facts')}?state=active&category=knowledge&as_of={day}&page=2")
        assert soon.content in answer.text and answer.context["at"] <= timezone.now()
        assert 'href="?state=active&amp;category=knowledge">Show the present' in answer.text


@cases(
    "query",
    ["?as_of=yesterday", "?as_of=2026-02-30", "?as_of=0001-01-01", "?as_of=9999-12-31",
     "?since=2026-03-02T10:00", "?since=2026-03-02&until=2026-03-01", "?state=gone", "?category=secret", "?said_by=x"],
)  # fmt: skip
def test_what_cannot_be_understood_shows_no_facts(lived, browser, query):
    """The page says what is wrong rather than answer with the present."""
    answer = browser.get(f"{reverse('company:facts')}{query}")
    assert answer.status_code == 400 and "field__errors" in answer.text
    assert not any(fact.content in answer.text for fact in lived.facts.values())
