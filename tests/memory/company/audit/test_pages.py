"""What an auditor reads: the overview, lists, one fact's chain, what waits for review, and how the memory came about."""

import re
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.html import strip_tags

from companion_site.accounts.services import create_company
from companion_site.audit.checkpoint_services import make_checkpoint
from companion_site.audit.models import AuditEvent
from companion_site.vault.scope import space_scope
from memory.company.audit import chains
from memory.company.store import put_in_doubt
from memory.models import CompanyEvent, CompanyFact
from tests.cases import cases
from tests.factories import NOW
from tests.live import logged_in
from tests.memory.company.audit.rows import BEGUN, DAY, believe, listed, make_auditor, supersede

pytestmark = [pytest.mark.django_db, pytest.mark.spec("C12"), pytest.mark.spec("E3")]


def test_the_overview_tells_what_is_believed_by_category(lived, browser):
    """Each category's facts stand under it; what was superseded or has expired is a number and not among them."""
    answer = browser.get(reverse("company:overview"))
    seen = answer.context["overview"]
    shown = {part["category"]: [fact.content for fact in part["facts"]] for part in seen["sections"]}
    assert list(shown) == ["preference", "unresolved", "decision", "knowledge"]
    assert shown["preference"] == ["Föredrar enkla förklaringar"] and shown["unresolved"] == []
    assert shown["decision"][0].startswith("Has taken dividends") and len(shown["decision"]) == 2
    counts = ("believed", "superseded", "expired", "flagged", "refused")
    assert [seen[name] for name in counts] == [3, 3, 1, 1, 1]
    assert "Uses K2" not in answer.text and "1<span" in answer.text


def test_the_overview_tells_whether_the_record_is_signed(own_record, lived, browser):
    """When the last checkpoint was made and that it holds; that there is none, or an old one, and what to do."""
    page = reverse("company:overview")
    assert "There is no signed checkpoint" in browser.get(page).text
    make_checkpoint(now=timezone.now())
    text = browser.get(page).text
    assert "(checkpoint 1)" in text and "the record agrees with it" in text and "Ask those" not in text
    make_checkpoint(now=timezone.now() - timedelta(hours=9))
    assert "Ask those who run the site" in browser.get(page).text


@cases(
    ("query", "names"),
    [
        # Superseded facts are in no default read; filters add up; a summary is said by the companion; the last day counts to its end.
        ("", {"k3", "form", "both"}),
        ("state=superseded", {"k2", "one", "two"}),
        ("state=expired", {"old"}),
        ("state=flagged", {"k3"}),
        ("state=all", {"k2", "k3", "form", "old", "one", "two", "both"}),
        ("state=all&category=decision", {"k2", "k3", "one", "two", "both"}),
        ("state=all&said_by=companion", {"both"}),
        ("state=all&said_by={member}", {"k2", "k3", "form", "old", "one", "two"}),
        (f"state=all&since={timezone.localtime(NOW - 4 * DAY).date()}&until={timezone.localtime(NOW - 4 * DAY).date()}", {"k3"}),
        (f"state=all&until={timezone.localtime(NOW - 15 * DAY).date()}", set()),
    ],
)  # fmt: skip
def test_a_list_keeps_what_is_asked_for(lived, browser, query, names):
    """By state, category, speaker and period."""
    found = listed(browser, "?" + query.format(member=lived.member.pk))
    assert sorted(found) == sorted(lived.facts[name].content for name in names)


def test_what_was_said_last_stands_first_with_the_time_at_which_it_was_said(lived, browser):
    """However late a conversation was read: when that was says nothing of the company. In Swedish months are written small."""
    read_late = believe(lived.space, "Has nine cars", at=NOW, said_at=BEGUN - 400 * DAY, said_by=lived.member)
    assert listed(browser, "?state=all")[-1] == read_late.content
    lived.auditor.language = "sv"
    lived.auditor.save()
    with translation.override("sv"):
        said = date_format(timezone.localtime(read_late.said_at), "j F Y, H:i")
    assert said == said.lower() and said in browser.get(reverse("company:facts") + "?state=all").text


def test_a_chain_is_told_from_every_fact_of_it(lived, browser):
    """Forward and back the chain is the same, with who, when, why and when it was said, and no id to read."""
    k2, k3 = lived.facts["k2"], lived.facts["k3"]
    for fact in (k2, k3):
        answer = browser.get(reverse("company:fact", args=[fact.pk]))
        chain = answer.context["chain"]
        assert [link.id for link in chain.links] == [k2.pk, k3.pk]
        assert f'id="fact-{fact.pk}" aria-current="true"' in answer.text
        assert "Contradicted by what was said later" in answer.text
        assert "From the message of" in answer.text and str(fact.source_message_id) not in answer.text
        assert lived.member.display_name in answer.text
    events = browser.get(reverse("company:fact", args=[k2.pk])).context["chain"].events
    assert [(event.kind, event.other_id) for event in events] == [("believed", None), ("superseded", k3.pk)]


def test_a_summary_is_shown_with_its_members(lived, browser):
    """From a member the chain leads to the summary with the other members; from the summary to all of them."""
    one, two, both = (lived.facts[name] for name in ("one", "two", "both"))
    links = browser.get(reverse("company:fact", args=[one.pk])).context["chain"].links
    assert [link.id for link in links] == [one.pk, both.pk]
    assert [fact.id for fact in links[1].joined] == [two.pk]
    links = browser.get(reverse("company:fact", args=[both.pk])).context["chain"].links
    assert [link.id for link in links] == [both.pk]
    assert {fact.id for fact in links[0].joined} == {one.pk, two.pk}


def test_undoing_stands_in_the_chain_as_a_new_row(lived, browser):
    """Old words, what replaced them, and the row that brings the old ones back: three links, none rewritten."""
    k2, k3 = lived.facts["k2"], lived.facts["k3"]
    answer = browser.post(reverse("company:undo", args=[k2.pk]))
    page = browser.get(answer.url)
    told = " ".join(strip_tags(page.text).split())
    assert "Brings back the words of an earlier fact." in told
    assert re.search(
        rf"Superseded [^:]+:\d\d by {lived.auditor.display_name}: [^.]+\. What took its place", told
    )
    assert re.search(r"Superseded [^:]+:\d\d by the companion: [^.]+\. What took its place", told)
    chain = page.context["chain"]
    assert [link.id for link in chain.links[:2]] == [k2.pk, k3.pk]
    back = chain.fact
    assert (back.content, back.origin, back.restores_id) == (k2.content, "restored", k2.pk)
    assert chain.links[1].superseded_actor_name == lived.auditor.display_name
    assert chain.links[1].superseded_reason == CompanyFact.Reason.UNDONE
    assert [link.id for link in browser.get(reverse("company:fact", args=[k2.pk])).context["chain"].links] == [
        k2.pk, k3.pk, back.id,
    ]  # fmt: skip
    again = browser.post(reverse("company:undo", args=[k2.pk]))
    assert again.status_code == 409, "once undone, the same click changes nothing"
    assert "This change was undone already." in again.text and again.context["chain"].fact.id == k2.pk
    assert reverse("company:review") in again.text


def test_each_member_of_an_undone_summary_leads_to_its_own_words(lived, browser):
    """The summary gives way to one row, but each member's chain ends in what brought back that member."""
    answer = browser.post(reverse("company:undo", args=[lived.facts["two"].pk]), follow=True)
    assert "Undone: 2 facts are believed again." in answer.text
    assert answer.context["chain"].fact.content == lived.facts["two"].content
    for name in ("one", "two"):
        chain = browser.get(reverse("company:fact", args=[lived.facts[name].pk])).context["chain"]
        assert chain.head.content == lived.facts[name].content and chain.head.origin == "restored"
        assert [link.id for link in chain.links[:2]] == [lived.facts[name].pk, lived.facts["both"].pk]


def queries(client, address):
    """Return how many questions a page asks the database."""
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


def make_chain(space, length):
    facts = [
        believe(space, f"Has {n} employees", at=BEGUN + timedelta(minutes=n), vector=False)
        for n in range(length)
    ]
    for old, new in pairwise(facts):
        supersede(old, new)
    return facts


def test_a_long_chain_is_cut_and_says_so(lived, browser, monkeypatch):
    """So many links to a side are shown; a chain never costs more than that."""
    monkeypatch.setattr(chains, "MOST_LINKS", 10)
    facts = make_chain(lived.space, 15)
    answer = browser.get(reverse("company:fact", args=[facts[0].pk]))
    assert len(answer.context["chain"].links) == 11 and answer.context["chain"].is_cut
    assert "longer than what is shown" in answer.text
    assert not browser.get(reverse("company:fact", args=[facts[7].pk])).context["chain"].is_cut


def test_what_else_gave_way_to_a_chain_costs_one_question(lived, browser):
    """However many links of it took the place of other facts as well."""
    facts = make_chain(lived.space, 5)
    address = reverse("company:fact", args=[facts[0].pk])
    few = queries(browser, address)
    for fact in facts[1:]:
        supersede(believe(lived.space, f"Beside {fact.pk}", vector=False), fact)
    links = browser.get(address).context["chain"].links
    assert [len(link.joined) for link in links] == [0, 1, 1, 1, 1]
    assert queries(browser, address) == few


def test_review_keeps_in_one_click(lived, browser):
    """A kept fact waits no longer; who kept it and when is on record."""
    k3 = lived.facts["k3"]
    page = browser.get(reverse("company:review"))
    (flagged,) = page.context["page"].object_list
    assert flagged.id == k3.pk and [old.id for old in flagged.joined] == [lived.facts["k2"].pk]
    assert lived.facts["k2"].pk in page.context["undoable"]
    assert browser.post(reverse("company:keep", args=[k3.pk])).status_code == 302
    with space_scope(lived.space):
        k3.refresh_from_db()
        reviewed = CompanyEvent.objects.for_space(lived.space).get(fact=k3, kind=CompanyEvent.Kind.REVIEWED)
    auditor = lived.auditor.pk
    assert (k3.flagged_at, k3.reviewed_by_id) == (None, auditor)
    assert (reviewed.actor_id, reviewed.reason) == (auditor, "kept")
    record = AuditEvent.objects.get(chain=lived.space, action="company.fact_reviewed")
    assert (record.actor_id, record.data) == (auditor, {"kept": True})
    assert browser.get(reverse("company:review")).context["page"].object_list == []
    shown = browser.get(reverse("company:fact", args=[k3.pk]))
    assert "Reviewed by Ulla" in shown.text and "Kept" in shown.text
    again = browser.post(reverse("company:keep", args=[k3.pk]))
    assert again.status_code == 409 and again.context["chain"].fact.id == k3.pk
    assert "not waiting for a review" in again.text and reverse("company:facts") in again.text


def test_a_doubt_is_shown_and_settled_in_one_click(lived, browser, subtests):
    """The page of the older fact names the newer one and asks; a second click finds nothing to decide."""
    for holds, said in (("1", "in doubt no more"), ("0", "gave way to what was said later")):
        with subtests.test(holds=holds):
            old = believe(lived.space, f"Staff meetings are on Mondays {holds}")
            new = believe(lived.space, f"Staff meetings are on Fridays {holds}", at=NOW)
            with space_scope(lived.space):
                put_in_doubt(old, by=new, since=NOW, at=NOW)
            address = reverse("company:fact", args=[old.pk])
            text = browser.get(address).text
            assert "may be out of date since" in text and new.content in text
            assert "may be out of date since" in browser.get(reverse("company:facts")).text
            answer = browser.post(reverse("company:doubt", args=[old.pk]), {"holds": holds}, follow=True)
            assert said in answer.text and "Doubt" in answer.text if holds == "1" else said in answer.text
            assert "This may be out of date" not in answer.text
            again = browser.post(reverse("company:doubt", args=[old.pk]), {"holds": holds})
            assert again.status_code == 409


def test_refusals_are_told_with_their_reasons(lived, browser):
    """What was not taken, why, and by which extraction; of one reason where asked."""
    answer = browser.get(reverse("company:refused"))
    assert "the moon is a cheese" in answer.text and "Tells the companion what to do" in answer.text
    assert reverse("company:extraction", args=[lived.extraction.pk]) in answer.text
    assert "cheese" not in browser.get(f"{reverse('company:refused')}?reason=too_long").text
    assert browser.get(f"{reverse('company:refused')}?reason=nonsense").status_code == 200


def test_extractions_and_compressions_are_told_in_numbers(lived, browser):
    """When, why, by what, and what came of it; from a compression a link leads to what was believed afterwards."""
    text = browser.get(reverse("company:extractions")).text
    assert "Silence" in text and re.search(r"<dt>believed anew</dt><dd>5</dd>", text)
    page = browser.get(reverse("company:extraction", args=[lived.extraction.pk]))
    assert "Uses K2" in page.text and "cheese" in page.text
    browser.post(reverse("company:undo", args=[lived.facts["k2"].pk]))
    again = browser.get(reverse("company:extraction", args=[lived.extraction.pk]))
    assert [fact.id for fact in again.context["facts"]] == [fact.id for fact in page.context["facts"]], (
        "what was brought back came of no extraction"
    )
    text = browser.get(reverse("company:compressions")).text
    assert "52" in text and "19" in text and "4 summaries" in text
    link = re.search(r'href="([^"]*as_of=[^"]*)"', text)[1]
    assert browser.get(link).status_code == 200


def test_no_page_tells_words_of_a_conversation(lived, browser):
    """A fact's metadata may hold what it was made of; the pages name messages by their date."""
    with space_scope(lived.space):
        fact = lived.facts["k3"]
        fact.metadata = {"quote": "between you and me, zebrafinch"}
        fact.save()
    for name in ("overview", "facts", "review"):
        assert "zebrafinch" not in browser.get(reverse(f"company:{name}")).text
    assert "zebrafinch" not in browser.get(reverse("company:fact", args=[fact.pk])).text
    exported = b"".join(browser.post(reverse("company:export"), {"form": "json", "state": "all"})).decode()
    assert "zebrafinch" not in exported and fact.content in exported


def test_an_empty_memory_has_pages_too(lived):
    """A company of which nothing is known yet."""
    make_auditor("nils", company=create_company("New AB", now=NOW))
    client = logged_in("nils")
    for name in ("overview", "facts", "search", "review", "refused", "extractions", "compressions"):
        assert client.get(reverse(f"company:{name}")).status_code == 200, name
    found = client.get(f"{reverse('company:search')}?q=anything")
    assert found.context["hits"] == [] and "Nothing in the history says this." in found.text
    assert "Nothing fits what you asked for." in client.get(reverse("company:facts")).text


def test_a_page_asks_no_more_the_more_facts_there_are(lived, browser):
    """The number of queries of a list does not grow with its rows."""
    address = f"{reverse('company:facts')}?state=all"
    few = queries(browser, address)
    for number in range(12):
        believe(lived.space, f"Has {number} cars", vector=False, said_by=lived.member)
    assert queries(browser, address) == few
