"""The two tiers as a student sees them: what is held on to by part, what is short-term, insights and what they stand for."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from companion_site.audit.models import AuditEvent
from companion_site.vault import unlocked
from memory.models import MemoryChange
from memory.student.pages.memories import MOST_SHOWN
from memory.student.sleep.timing import begin_run
from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.pages.conftest import PICTURE, node, remember, see, text_of
from tests.memory.student.sleep.sleeper import HANDBALL, MOSES, NIGHT

pytestmark = [pytest.mark.django_db(databases=["default", "metadata"]), pytest.mark.spec("I1", "AC-2.1.8")]
CAT = "The kitten Moses is two years old\nMoses sleeps on the radiator"
DAY = timedelta(days=1)


@pytest.fixture
def insight(sleeper):
    """An insight made of three memories, the only one; return its id and theirs."""
    cat = sleeper.say(MOSES)
    sleeper.write([sleeper.insight(cat, CAT)])
    (made,) = sleeper.nodes(trust="derived")
    return made, cat


def change_of(sleeper, scoped, kind="consolidated"):
    return scoped(lambda: MemoryChange.objects.for_space(sleeper.space).filter(kind=kind).first())


def open_page(browser, name, *args, **given):
    return text_of(browser, reverse(f"memory:{name}", args=args), **given)


def test_what_is_held_on_to_stands_in_its_part(sleeper, insight, browser):
    """Each long-term memory with how many stand behind it, how sure it is, and when it was renewed; or word for word."""
    ball = sleeper.say(HANDBALL, at=NOW)
    sleeper.write(kept={ball[0]: "strengths"}, now=NIGHT + DAY)
    answer = browser.get(reverse("memory:held"))
    parts = {part["category"]: part["held"] for part in answer.context["held"]["parts"]}
    assert list(parts) == ["background", "strengths", "struggles", "goals"]
    assert [(one["memory"].id, one["behind"]) for one in parts["background"]] == [(insight[0], 3)]
    assert [(one["memory"].id, one["behind"]) for one in parts["strengths"]] == [(ball[0], 0)]
    page = " ".join(answer.content.decode().split())
    assert "rests on 3 memories" in page and "word for word" in page and "quite sure" in page
    assert "renewed 2 March 2026" in page and "since 3 March 2026" in page
    assert reverse("memory:memory", args=[insight[0]]) in page


def test_what_was_renewed_counts_what_was_there_first(sleeper, insight, browser):
    """A renewed insight rests on all memories that were ever taken in, not on the earlier insight."""
    (more,) = sleeper.say(["Moses has a grey tail"])
    sleeper.write([sleeper.insight([insight[0], more], f"{CAT}\nMoses has a grey tail")], now=NIGHT + DAY)
    (part, *_) = browser.get(reverse("memory:held")).context["held"]["parts"]
    (one,) = part["held"]
    assert one["behind"] == 4
    page = open_page(browser, "memory", one["memory"].id)
    assert "The 4 memories it was made of" in page and "Renews" in page


def test_an_insight_that_was_taken_apart_stands_for_nothing(sleeper, insight, browser, scoped):
    """After the undo its members are themselves again: none of them was made of it."""
    sleeper.restore(change_of(sleeper, scoped))
    for member in insight[1]:
        page = open_page(browser, "memory", member)
        assert "it was made of" not in page and "Replaces" not in page and "yet to be slept over" in page


def test_the_short_term_says_what_awaits_it(sleeper, browser):
    """What waits for sleep, with the sleeps that left it, apart from what comes to mind until its day."""
    cat = sleeper.say(MOSES)
    for _ in range(2):
        sleeper.write(left=cat[:1])
    sleeper.write(let_go=cat[1:2], now=NIGHT)
    held = browser.get(reverse("memory:held")).context["held"]
    assert {memory.id for memory in held["awaiting"]["memories"]} == {cat[0], cat[2]}
    page = open_page(browser, "held")
    assert "left at 2 sleeps" in page
    page = open_page(browser, "memory", cat[0])
    assert "left at 2 sleeps" in page and "what 3 sleeps cannot take in is kept word for word" in page
    page = open_page(browser, "memory", cat[1])
    assert "comes to mind until 1 April 2026" in page and "of no lasting importance" in page


def test_of_many_the_page_shows_some_and_leads_to_all(sleeper, browser):
    """A long part is cut, with a way to the whole list."""
    many = sleeper.say([f"I am good at game number {number}" for number in range(MOST_SHOWN + 1)])
    sleeper.write(kept=dict.fromkeys(many, "strengths"))
    answer = browser.get(reverse("memory:held"))
    assert len(answer.context["held"]["parts"][1]["held"]) == MOST_SHOWN
    address = f"{PICTURE}&tier=long_term&category=strengths"
    assert address.replace("&", "&amp;") in answer.content.decode()
    assert browser.get(address).context["page"].paginator.count == MOST_SHOWN + 1


@pytest.mark.spec("G13")
def test_the_picture_tells_tiers_apart_and_is_filtered_by_tier_and_part(sleeper, insight, browser):
    """A long-term memory has a ring and says so in words; the form leaves a tier or a part."""
    sleeper.say(["I live in Lund"])
    answer = browser.get(PICTURE)
    page = answer.content.decode()
    assert page.count('class="dot__ring" href') == 1
    assert re.search(r"radiator \(2 March 2026, Long-term\)</title>", page)
    for given, left in (
        ({"tier": "long_term"}, [CAT]),
        ({"tier": "short_term"}, ["I live in Lund"]),
        ({"category": "background"}, [CAT]),
        ({"category": "goals"}, []),
    ):
        shown = see(browser, **given).context["memories"]
        assert [memory.text for memory in shown] == left
    assert see(browser, **{"category": "<b>"}).status_code == 400


def test_the_part_of_a_long_term_memory_is_corrected(ada, sleeper, insight, browser):
    """It stands in the part that its person says; the words stay; it is on record without a word."""
    made, _ = insight
    answer = browser.post(reverse("memory:sort", args=[made]), {"category": "goals"}, follow=True)
    assert "Sorted, as you said." in answer.content.decode()
    row = sleeper.nodes(pk=made)[made]
    assert (row.category, row.tier, sleeper.active()[made]) == ("goals", "long_term", CAT)
    event = AuditEvent.objects.filter(action="memory.sorted").get()
    assert event.data == {"from": "background", "to": "goals"}


@cases(("category", "status"), [("", 400), ("hobbies", 400), ("goals", 404)])
def test_sorting_what_cannot_be_sorted_is_refused(ada, browser, category, status):
    """There are four parts, and short-term memories stand in none."""
    (fresh,) = remember(ada, "I live in Lund")
    assert browser.post(reverse("memory:sort", args=[fresh]), {"category": category}).status_code == status
    assert node(ada, fresh).category == ""


def test_a_corrected_insight_is_the_persons_own_word(sleeper, insight, browser, scoped):
    """Long-term in the same part, vouched for by the person, and not slept over again; the sleep cannot be undone past it."""
    made, _ = insight
    answer = browser.post(reverse("memory:correct", args=[made]), {"text": "Moses is three years old"})
    newer = answer.url.strip("/").split("/")[-1]
    (row,) = sleeper.nodes(pk=newer).values()
    assert (row.tier, row.category, row.trust) == ("long_term", "background", "person")
    assert row.slept_over_at is not None and row.expires_at is None
    page = open_page(browser, "memory", newer)
    assert "Replaces" in page and "Long-term memory, word for word" in page
    undo = reverse("memory:undo", args=[change_of(sleeper, scoped).pk])
    assert browser.post(undo).status_code == 409


@pytest.mark.spec("G13")
def test_what_a_forgotten_insight_was_made_of_does_not_come_back(ada, sleeper, insight, browser, scoped):
    """Neither by undoing the sleep, nor by another sleep."""
    made, cat = insight
    change = change_of(sleeper, scoped)
    browser.post(reverse("memory:forget", args=[made]))
    assert sleeper.nodes(removed_at=None) == {}
    run = reverse("memory:sleep_run", args=[change.sleep_id])
    undo = reverse("memory:undo", args=[change.pk])
    for page in (
        run,
        reverse("memory:history"),
        reverse("memory:memory", args=[cat[0]]),
        reverse("memory:changes"),
    ):
        assert undo not in browser.get(page).content.decode()
    assert browser.post(undo).status_code == 409
    begin_run(sleeper.space, trigger="requested", now=NIGHT + DAY)
    sleeper.sleep(now=NIGHT + DAY)
    assert sleeper.nodes(removed_at=None) == {}


@pytest.mark.spec("G13")
def test_forgetting_an_insight_is_undone_as_a_whole(ada, sleeper, insight, browser, scoped):
    """The insight holds again, with its members behind it; then the sleep itself can be undone."""
    made, cat = insight
    browser.post(reverse("memory:forget", args=[made]))
    browser.post(reverse("memory:undo", args=[change_of(sleeper, scoped, "forgotten").pk]))
    assert set(sleeper.nodes(removed_at=None)) == {made}
    assert "The 3 memories it was made of" in open_page(browser, "memory", made)
    browser.post(reverse("memory:undo", args=[change_of(sleeper, scoped).pk]))
    assert set(sleeper.nodes(removed_at=None)) == set(cat)


def test_an_insight_says_its_lines_apart(sleeper, insight, browser):
    """Each statement of an insight is a line of its own, and nothing in it is run as code."""
    ball = sleeper.say(HANDBALL)
    with unlocked(sleeper.space, sleeper.key):
        sleeper.write([sleeper.insight(ball, "I play handball <b>on Tuesdays</b>\nBerit is our coach")])
    page = browser.get(reverse("memory:held")).content.decode()
    assert "handball &lt;b&gt;on Tuesdays&lt;/b&gt;\nBerit is our coach" in page
