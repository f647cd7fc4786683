"""The review page and the clean-up: contradictions settled by a click, changes undone, progress that can be followed."""

import re

import pytest
from django.urls import reverse
from django_q.models import OrmQ

from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import CompressionRun, Contradiction
from memory.student.contradictions import Doubt, find_doubts
from tests.cases import cases
from tests.factories import NOW
from tests.live import run_jobs
from tests.memory.student.kept import doubt
from tests.memory.student.pages.conftest import node, remember

pytestmark = [pytest.mark.django_db(databases=["default", "metadata"]), pytest.mark.spec("G13")]


HARD, EASY = "Fractions are hard for me", "I understand fractions really well now"


@pytest.fixture
def asked(ada) -> Contradiction:
    """A contradiction that waits for Ada, beside another memory."""
    hard, easy, _ = remember(ada, HARD, EASY, "My cat is called Moses")
    return doubt(ada.space, hard, easy, found_by="valence")


def settle(browser, asked, keep, **given):
    return browser.post(reverse("memory:settle", args=[asked.pk]), {"keep": keep}, **given)


def now_of(asked):
    with space_scope(asked.space_id):
        return Contradiction.objects.for_space(asked.space_id).get(pk=asked.pk)


def test_what_waits_is_counted_on_every_page(asked, browser):
    """The way to the review says how many contradictions wait; settled, it says nothing."""
    count = re.compile(r'subnav__count">1<')
    assert count.search(browser.get(reverse("memory:ledger")).content.decode())
    settle(browser, asked, "both")
    assert "subnav__count" not in browser.get(reverse("memory:ledger")).content.decode()


@cases(("keep", "gone"), [("earlier", "later"), ("later", "earlier"), ("both", None)])
def test_a_contradiction_is_settled_once_as_the_person_says(asked, ada, browser, keep, gone):
    """What is not kept is replaced by what is; of two that are true both stay. An answer from another tab is told that it came too late."""
    page = browser.get(reverse("memory:about_me")).content.decode()
    assert HARD in page and EASY in page
    assert "Settled, as you said." in settle(browser, asked, keep, follow=True).content.decode()
    row = now_of(asked)
    assert row.state != Contradiction.State.OPEN
    ended = {end for end in ("earlier", "later") if node(ada, getattr(row, f"{end}_id")).superseded_at}
    assert ended == ({gone} if gone else set())
    assert settle(browser, asked, keep).status_code == 409


@cases("keep", ["", "neither", "<b>"])
def test_an_answer_that_is_none_is_refused(asked, browser, keep):
    """Nothing is settled by a broken form."""
    assert settle(browser, asked, keep).status_code == 400 and now_of(asked).state == Contradiction.State.OPEN


def test_a_settled_contradiction_can_be_undone_from_the_same_page(asked, ada, browser):
    """What was replaced stands under the changes with a button that brings it back."""
    settle(browser, asked, "later")
    page = browser.get(reverse("memory:changes")).content.decode()
    undo = re.search(
        r'action="(/memory/changes/[0-9a-f-]{36}/undo/)".{0,400}?: Fractions are hard', page, re.DOTALL
    )[1]
    browser.post(undo)
    assert node(ada, asked.earlier_id).superseded_at is None


def test_what_a_clean_up_took_is_shown_and_can_be_had_back(ids, ada, browser):
    """The clean-up's page names what it took away; one click brings it back."""
    page = browser.get(reverse("memory:clean_up_run", args=[ids["run"]])).content.decode()
    assert "24 memories before, 23 after" in page and "The lamps in the library flicker" in page
    back = {"back": reverse("memory:clean_up_run", args=[ids["run"]])}
    answer = browser.post(reverse("memory:undo", args=[ids["change"]]), back, follow=True)
    assert (
        "undone" in answer.content.decode()
        and reverse("memory:undo", args=[ids["change"]]) not in answer.content.decode()
    )


def test_a_clean_up_is_told_before_asked_for_and_followed(ada, browser):
    """What it does is said first; the button starts one; its state is told until it is over, and then what it did."""
    remember(ada, "I live in Lund", "My cat is Moses")
    page = browser.get(reverse("memory:clean_up")).content.decode()
    assert "30 days" in page and "Tidy up now" in page
    answer = browser.post(reverse("memory:clean_up"))
    state = f"{answer.url}state/"
    waiting = browser.get(answer.url).content.decode()
    assert "<progress" in waiting and 'aria-live="polite"' in waiting and "Look again" in waiting
    assert browser.get(state).json() == {"open": True, "percent": 0, "label": "Waiting"}
    assert run_jobs() == 1
    assert browser.get(state).json() == {"open": False, "percent": 100, "label": "Done"}
    assert "<progress" not in browser.get(answer.url).content.decode()


def test_asking_twice_is_one_clean_up(ada, browser, scoped):
    """Two clicks, or two tabs, lead to the same one."""
    remember(ada, "I live in Lund")
    first, second = (browser.post(reverse("memory:clean_up")).url for _ in range(2))
    (job,) = OrmQ.objects.all()
    assert first == second and first.strip("/").split("/")[-1] == job.args()[1]
    assert job.args()[0] == str(ada.space), "ids alone"
    assert "<progress" in browser.get(reverse("memory:clean_up")).content.decode()


def test_a_clean_up_that_failed_says_so(ada, browser, scoped):
    """It changed nothing, and can be tried again."""
    run = scoped(
        lambda: CompressionRun.objects.create(
            space_id=ada.space, trigger="requested", state="failed", requested_at=NOW
        )
    )
    page = browser.get(reverse("memory:clean_up_run", args=[run.pk])).content.decode()
    assert "Nothing was changed by it" in page and "Try again" in page


def test_of_guesses_about_one_memory_the_nearest_is_asked(ada, browser):
    """A memory replaces one thing at most: further guesses of the reader are doubts in a reply and no question on the page."""
    near, far, other, moved = remember(
        ada, "I live in Lund", "I know the cell membrane", "I practise on Fridays", "We have moved to Malmö"
    )
    doubt(ada.space, near, moved, found_by="reader")
    doubt(ada.space, far, moved, found_by="reader")
    assert [
        (one["earlier"].id, one["found_by"]) for one in browser.get("/memory/").context["contradictions"]
    ] == [(near, "The words")]
    doubt(ada.space, other, moved)
    assert [one["earlier"].id for one in browser.get("/memory/").context["contradictions"]] == [other]
    with unlocked(ada.space, ada.key):
        assert set(find_doubts(ada.space, [near, far, other])) == {near, far, other}


def test_what_there_is_little_doubt_in_is_marked_and_nobody_is_asked(ada, browser):
    """It is a mark in a request alone, beside what more speaks for, which is asked about."""
    lund, choir, moved = remember(ada, "I live in Lund", "I sing on Fridays", "We have moved to Malmö")
    doubt(ada.space, lund, moved, found_by="reader", strategy="mention")
    assert browser.get("/memory/").context["contradictions"] == []
    with unlocked(ada.space, ada.key):
        assert find_doubts(ada.space, [lund, choir]) == {lund: [Doubt(by=moved, is_slight=True)]}
    doubt(ada.space, lund, choir, found_by="reader")
    doubt(ada.space, moved, choir, found_by="reader", strategy="mention")
    with unlocked(ada.space, ada.key):
        assert find_doubts(ada.space, [lund]) == {lund: [Doubt(by=choir), Doubt(by=moved, is_slight=True)]}
    assert [one["earlier"].id for one in browser.get("/memory/").context["contradictions"]] == [lund]
