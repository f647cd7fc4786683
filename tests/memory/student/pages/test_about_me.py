"""The page of what is known about a person: by what it is about, with where it comes from, and what may be out of date on top."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from chat import services
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from ledger.entries import EntryDraft
from ledger.services import record_entry
from memory.models import MemoryNode, MemorySource
from memory.student.pages import about_me
from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.pages.conftest import node, remember, tell_fact, text_of
from tests.memory.student.pages.lived import live

pytestmark = [pytest.mark.django_db(databases=["default", "metadata"]), pytest.mark.spec("G13")]
ABOUT_ME = "/memory/"


def groups(answer):
    """Return the words under each heading, those that are told there and those that are told elsewhere."""
    return {
        group.subject.name: (
            [fact.memory.text for fact in group.facts],
            [memory.text for memory in group.also],
        )
        for section in answer.context["sections"]
        for group in section["groups"]
    }


@cases(
    ("address", "told"),
    [
        (ABOUT_ME, ["Nothing remembered yet", 'href="/chat/"']),
        (f"{ABOUT_ME}?view=picture", ["Nothing remembered yet", 'href="/chat/"']),
        ("/memory/held/", ["Nothing remembered yet", 'href="/chat/"']),
        ("/memory/ledger/", ["Nothing is kept word for word yet", "Keep something"]),
        ("/memory/packs/", ["There is none for you yet"]),
        (
            "/memory/life/",
            ["No mood yet", "No goal yet", "Nothing here yet", "Nothing measured", "Nothing yet."],
        ),
    ],
)
def test_an_empty_page_says_what_to_do(browser, settings, address, told):
    """How each begins; no picture stands there without anything in it."""
    settings.SHIPPED_PACKS = False
    page = browser.get(address).content.decode()
    assert all(words in page for words in told), address
    assert "memory_graph" not in page and '<svg class="life__picture"' not in page


def test_facts_stand_under_what_they_are_about(ada, browser):
    """Each in full once, under what it names first; under what else it names it is mentioned."""
    remember(
        ada,
        "My brother Noah plays chess",
        "I live in Lund with my mother",
        "My mother is a nurse",
        "I hate Mondays",
    )
    answer = browser.get(ABOUT_ME)
    found = groups(answer)
    assert found["Noah"] == (["My brother Noah plays chess"], [])
    assert sorted(found["Lund"][0] + found["Mother"][0]) == [
        "I live in Lund with my mother",
        "My mother is a nurse",
    ]
    assert sorted(found["Lund"][1] + found["Mother"][1]) == ["I live in Lund with my mother"]
    assert [section["label"] for section in answer.context["sections"]] == ["People", "Places"]
    (other,) = answer.context["others"]
    assert [fact.memory.text for fact in other.facts] == ["I hate Mondays"]
    assert answer.content.decode().count('class="fact"') == 4


def test_a_fact_stands_under_whom_it_tells_something_of_first(ada, browser):
    """And is mentioned under whom it involves and where it takes place; forgotten, under nobody. No address has a word of them."""
    text = "My brother Noah met Mira at the station in Malmö"
    both = remember(ada, text, "Mira sings well")
    answer = browser.get(ABOUT_ME)
    assert groups(answer) == {
        "Noah": ([text], []),
        "Mira": (["Mira sings well"], [text]),
        "Malmö": ([], [text]),
    }
    subjects = [group.subject for section in answer.context["sections"] for group in section["groups"]]
    assert {len(subject.key) for subject in subjects} == {36} and "brother" in text_of(browser, ABOUT_ME)
    for fact in both:
        browser.post(reverse("memory:forget", args=[fact]))
    assert groups(browser.get(ABOUT_ME)) == {}


def test_each_fact_tells_how_sure_since_when_and_from_which_words(ada, browser):
    """With what was said where a model put it in other words, a way there, and both buttons."""
    conversation, said = _say(ada, "so yeah Noah's my brother lol")
    (fact,) = remember(ada, "Noah is my brother", confidence=0.4)
    with space_scope(ada.space):
        source = MemorySource.objects.for_space(ada.space).get(node_id=fact)
        source.source_id, source.conversation_id, source.start, source.end = said.pk, conversation.pk, 8, 25
        source.save()
    page = text_of(browser, ABOUT_ME)
    assert (
        "not sure" in page
        and "since 2 March 2026" in page
        and "<q>so yeah <mark>Noah&#x27;s my brother</mark></q>" in page
    )
    assert f'href="/chat/{conversation.pk}/?at={said.pk}#message-{said.pk}"' in page
    assert reverse("memory:forget", args=[fact]) in page and reverse("memory:correct", args=[fact]) in page


def test_search_goes_by_words_and_by_what_a_fact_is_about(ada, browser):
    """ "Cat" finds what is told of Moses; what fits nothing says so."""
    remember(ada, "Moses is my cat", "Moses sleeps a lot", "I hate Mondays")
    answer = browser.get(ABOUT_ME, {"q": "CAT"})
    assert (
        sorted(groups(answer)["Moses"][0]) == ["Moses is my cat", "Moses sleeps a lot"]
        and not answer.context["others"]
    )
    assert "2 things fit." in text_of(browser, ABOUT_ME, q="cat")
    page = text_of(browser, ABOUT_ME, q="<b>zebra")
    assert "Nothing fits what you asked for." in page and "<b>zebra" not in page


def test_of_many_facts_one_subject_has_a_page(ada, browser):
    """The first few, and a link to all of them, page by page; of what there is not, nothing."""
    remember(ada, "Moses is my cat", *[f"My cat has {number} toys" for number in range(39)], "I hate Mondays")
    assert len(groups(browser.get(ABOUT_ME))["Moses"][0]) == about_me.MOST_FACTS
    moses = browser.get(ABOUT_ME).context["sections"][0]["groups"][0].subject.key
    assert f"?about={moses}" in text_of(browser, ABOUT_ME)
    for about, count in ((moses, 40), ("life:none", 1), (str(uuid4()), 0), ("<b>", 0)):
        answer = browser.get(ABOUT_ME, {"about": about})
        assert answer.status_code == 200 and answer.context["one"].count == count
        assert len(answer.context["one"].facts) == min(count, about_me.PAGE_LENGTH)


def test_correcting_and_forgetting_come_back_to_the_page(ada, browser):
    """To the fact that was put right; to where one was with a way to undo, which brings it back."""
    old, cat = remember(ada, "I live in Lund", "Moses is my cat")
    answer = browser.post(
        reverse("memory:correct", args=[old]), {"text": "I live in Malmö", "back": ABOUT_ME}
    )
    assert answer.url == f"{ABOUT_ME}#fact-{node(ada, old).superseded_by_id}"
    answer = browser.post(reverse("memory:forget", args=[cat]), {"back": f"{ABOUT_ME}?q=cat"})
    assert answer.url.startswith(f"{ABOUT_ME}?q=cat&forgotten=")
    page = browser.get(answer.url).content.decode()
    undo = re.search(r'action="(/memory/changes/[0-9a-f-]{36}/undo/)"', page)[1]
    assert 'name="back" value="/memory/?q=cat"' in page
    assert browser.post(undo, {"back": f"{ABOUT_ME}?q=cat"}).url == f"{ABOUT_ME}?q=cat"
    assert node(ada, cat).removed_at is None


@cases("back", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil", ""])
def test_nothing_leads_elsewhere(ada, browser, back):
    """A way back that is none of this site leads to the memory, as without one."""
    (fact,) = remember(ada, "I live in Lund")
    answer = browser.post(
        reverse("memory:correct", args=[fact]), {"text": f"I live in {len(back)} Malmö", "back": back}
    )
    assert re.fullmatch(r"/memory/[0-9a-f-]{36}/", answer.url)


def test_what_may_be_out_of_date_stands_on_top(ada, browser):
    """What contradicts itself, and appointments whose day has passed; what is still to come does not."""
    live(ada, now=NOW)
    passed = tell_fact(ada, "I have a dentist appointment on 20 February", "appointment", on="2026-02-20")
    tell_fact(ada, "I see the doctor next year", "appointment", on="2127-01-01")
    answer = browser.get(ABOUT_ME)
    assert len(answer.context["contradictions"]) == 1
    assert [fact.memory.id for fact in answer.context["passed"]] == [passed.node_id]
    page = answer.content.decode()
    assert (
        page.index("Perhaps out of date")
        < page.index("Fractions are hard for me")
        < page.index('id="kind-person"')
    )
    assert "its day was 20 February 2026" in page


def test_what_is_kept_word_for_word_stands_there_too(ada, browser):
    """With a way to its own page; what does not count any more does not."""
    with unlocked(ada.space, ada.key):
        draft = EntryDraft(content="I am allergic to nuts.", category="fact", importance=0.9)
        entry = record_entry(ada.space, draft, now=NOW, actor=ada.person)
    assert reverse("memory:ledger_entry", args=[entry.entry_id]) in text_of(browser, ABOUT_ME)
    browser.post(reverse("memory:switch_entry", args=[entry.entry_id, "retire"]))
    assert "allergic" not in text_of(browser, ABOUT_ME)


def test_what_is_over_or_gone_is_not_known_any_more(ada, browser, scoped):
    """Neither what was replaced nor forgotten nor what was short-term and is over."""
    over, kept = remember(ada, "Moses is my cat", "I live in Lund")
    rows = MemoryNode.objects.for_space(ada.space)
    scoped(lambda: rows.filter(pk=over).update(expires_at=NOW - timedelta(days=1)))
    assert "Moses" not in text_of(browser, ABOUT_ME) and "Lund" in text_of(browser, ABOUT_ME)
    browser.post(reverse("memory:forget", args=[kept]))
    assert "Lund" not in text_of(browser, ABOUT_ME)


def _say(access, text):
    """Say something in a conversation of its own; return the conversation and the message."""
    row = services.begin_conversation(access, now=NOW)
    return row, services.say(access, row.pk, text=text, client_id=uuid4(), now=NOW).message
