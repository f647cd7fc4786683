"""The pages of sleep: when it comes, having it now, the record of its runs, and taking back what it did."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from companion_site.accounts.models import Person
from companion_site.vault.models import Space
from memory.models import SleepRun
from memory.student.pages.runs import say_duration, say_error
from tests.cases import cases
from tests.live import run_jobs
from tests.memory.student.pages.conftest import node, remember, text_of
from tests.memory.student.sleep.sleeper import HANDBALL, MOSES

pytestmark = [pytest.mark.django_db(databases=["default", "metadata"]), pytest.mark.spec("I4", "AC-2.1.8")]
SLEEP = "/memory/sleep/"
UNDO = re.compile(r'action="(/memory/changes/[0-9a-f-]{36}/undo/)"')


@pytest.fixture
def recorded(ada, scoped):
    """Write a run's record as it is given; return it."""

    def write(**given) -> SleepRun:
        now = timezone.now()
        fields = {
            "trigger": "scheduled",
            "state": "success",
            "requested_at": now,
            "finished_at": now,
            **given,
        }
        return scoped(lambda: SleepRun.objects.create(space_id=ada.space, **fields))

    return write


def test_before_anything_was_said_the_page_says_what_sleep_is(ada, browser):
    """What happens, that it has not slept, and no button where there is nothing to sleep over."""
    page = text_of(browser, SLEEP)
    assert "What happens in sleep" in page and "It has not slept yet" in page
    assert "When you have told your companion something new." in page
    assert "Let it sleep now" not in page and "<progress" not in page


def test_the_next_sleep_is_told_in_words_and_by_the_clock_here(ada, browser):
    """How long until then, and the local time."""
    at = timezone.now() + timedelta(hours=3, minutes=30)
    Space.objects.filter(pk=ada.space).update(next_sleep_at=at)
    page = text_of(browser, SLEEP)
    assert date_format(timezone.localtime(at), "j F Y, H:i") in page
    assert re.search(r"In 3 hours, (29|30) minutes:", page)


@cases(
    ("given", "said"),
    [
        ({"next_sleep_at": timezone.now() - timedelta(minutes=1)}, "Any moment now."),
        ({"awaiting_key_since": timezone.now()}, "Awaiting your next log-in"),
    ],
)
def test_a_sleep_that_is_due_or_has_no_key_says_so(ada, browser, given, said):
    """Due is said as due; what waits for the key names the log-in."""
    Space.objects.filter(pk=ada.space).update(**given)
    assert said in text_of(browser, SLEEP)


@pytest.mark.spec("I2", "AC-2.1.1", "AC-2.1.2", "AC-2.1.3")
def test_a_sleep_is_asked_for_followed_and_told(ada, browser):
    """The button starts one; its state is told until it is over; then its record says of each memory what became of it."""
    remember(ada, *MOSES, *HANDBALL)
    assert "6 short-term memories" in text_of(browser, SLEEP)
    page = " ".join(browser.post(SLEEP, follow=True).content.decode().split())
    assert "<progress" in page and 'aria-live="polite"' in page and "Look again" in page
    assert browser.get(f"{SLEEP}state/").json() == {"open": True, "percent": 0, "label": "Waiting"}
    assert run_jobs() == 1
    assert browser.get(f"{SLEEP}state/").json() == {"open": False, "percent": 100, "label": "Done"}
    answer = browser.get(SLEEP)
    (run,) = answer.context["runs"]
    assert run.row.processed == run.row.covered + run.row.kept + run.row.let_go + run.row.left == 6
    page = " ".join(answer.content.decode().split())
    assert "Asked for by you" in page and "without a language model" in page and "Done" in page
    assert "<progress" not in page and "Not yet." not in page
    page = text_of(browser, reverse("memory:sleep_run", args=[run.row.pk]))
    assert all(words in page for words in (*MOSES, *HANDBALL))


def test_progress_counts_all_batches_of_a_sleep(ada, browser, scoped):
    """After the first of two batches about half is done, and the page goes on waiting."""
    remember(ada, *[f"My lucky number of day {number} is {7 * number}" for number in range(30)])
    browser.post(SLEEP)
    run_jobs()
    state = browser.get(f"{SLEEP}state/").json()
    (first,) = scoped(lambda: list(SleepRun.objects.for_space(ada.space).filter(state="success")))
    assert state == {"open": True, "percent": int(100 * first.processed / 30), "label": "Waiting"}
    run_jobs()
    assert browser.get(f"{SLEEP}state/").json()["open"] is False
    assert len(browser.get(SLEEP).context["runs"]) == 2


@cases(("remembers", "said"), [(True, "There is nothing new"), (False, "switched off")])
def test_no_sleep_begins_where_there_is_nothing_to_do(ada, browser, scoped, remembers, said):
    """Nothing new, or memory switched off: it is said, and no run is made."""
    if not remembers:
        remember(ada, *MOSES)
        Person.objects.filter(pk=ada.person.pk).update(memory_on=False)
    page = browser.post(SLEEP, follow=True).content.decode()
    assert said in page and "Let it sleep now" not in page
    assert not scoped(lambda: SleepRun.objects.for_space(ada.space).exists())


def test_a_sleep_without_a_key_for_the_worker_waits_for_the_next_log_in(ada, browser, settings):
    """Where no lease is given, the page says what it waits for instead of turning for ever."""
    settings.LEASE_HOURS = 0
    remember(ada, *MOSES)
    browser.post(SLEEP)
    assert browser.get(f"{SLEEP}state/").json()["label"] == "Waiting for your next log-in"


def test_an_insight_is_shown_with_what_it_was_made_of_and_undone_by_one_click(ada, sleeper, browser):
    """Its words, its part, its members; undone, the members hold again and the page says so."""
    cat = sleeper.say(MOSES)
    text = "The kitten Moses is two years old\nMoses sleeps on the radiator"
    sleeper.write([sleeper.insight(cat, text, category="background")])
    address = reverse("memory:sleep_run", args=[sleeper.runs()[-1].pk])
    page = browser.get(address).content.decode()
    assert text in page and "Background" in page and "Made of 3 memories" in page
    assert all(words in page for words in MOSES)
    (undo,) = set(UNDO.findall(page))
    page = browser.post(undo, {"back": address}, follow=True).content.decode()
    assert "These hold again:" in page and not UNDO.findall(page)
    assert set(sleeper.nodes(removed_at=None)) == set(cat)


def test_what_was_kept_or_let_go_is_shown_and_undone(ada, sleeper, browser):
    """Each in its own part of the page, with one undo for the batch; undone, all of it is short-term and to be slept over."""
    cat = sleeper.say(MOSES)
    sleeper.write(kept={cat[0]: "goals"}, let_go=cat[1:])
    address = reverse("memory:sleep_run", args=[sleeper.runs()[-1].pk])
    page = browser.get(address).content.decode()
    assert (
        page.index("Kept word for word")
        < page.index(MOSES[0])
        < page.index("Of no lasting importance")
        < page.index(MOSES[1])
    )
    for undo in UNDO.findall(page):
        browser.post(undo, {"back": address})
    rows = [node(ada, each) for each in cat]
    assert {(row.tier, row.category, row.slept_over_at, row.expires_at) for row in rows} == {
        ("short_term", "", None, None)
    }
    assert not UNDO.findall(browser.get(address).content.decode())


def test_insights_stand_among_what_changed_by_itself(ada, sleeper, browser):
    """The review page has the insight with an undo; what was merely kept or let go does not crowd it."""
    cat = sleeper.say(MOSES)
    sleeper.write([sleeper.insight(cat[:2], "Moses is a kitten")], let_go=cat[2:])
    page = browser.get(reverse("memory:changes")).content.decode()
    assert "Taken into an insight" in page and "Moses is a kitten" in page
    assert "Of no lasting importance" not in page and len(UNDO.findall(page)) == 1


def test_a_sleep_done_in_part_says_what_that_means(recorded, browser):
    """How many are left, that they are looked at again, and what happens in the end."""
    run = recorded(state="partial", processed=12, covered=8, let_go=1, left=2, created=2, updated=1, categories={"goals": 2, "background": 1}, provider="anthropic", model="a-model", duration_ms=12_300)  # fmt: skip
    for address in (SLEEP, reverse("memory:sleep_run", args=[run.pk])):
        page = text_of(browser, address)
        assert "2 memories are important" in page and "at the next sleep" in page and "3 sleeps" in page
        assert "2 insights made, one insight renewed: Background 1, Goals 2." in page
        assert "a-model" in page and "12 seconds" in page and "Done in part" in page
    (shown_run,) = browser.get(SLEEP).context["runs"]
    assert shown_run.row.kept == 1


def test_a_failed_sleep_says_why_and_when_it_is_tried_again(ada, recorded, browser):
    """The meaning of the error in words, that nothing was changed, and the time of the next try."""
    at = timezone.now() + timedelta(minutes=5)
    Space.objects.filter(pk=ada.space).update(next_sleep_at=at)
    recorded(state="failed", error="llm.malformed", attempt=1)
    page = text_of(browser, SLEEP)
    assert "What the language model answered could not be used. Nothing was changed." in page
    assert f"It is tried again {date_format(timezone.localtime(at), 'j F Y, H:i')}." in page
    recorded(attempt=2, state="waiting", finished_at=None)
    assert "It was tried again later." not in text_of(browser, SLEEP)
    recorded(attempt=2, processed=3, covered=3)
    page = text_of(browser, SLEEP)
    assert "It was tried again later." in page and "try 2" in page


@cases("code", ["llm.timeout", "llm.unavailable", "sleep.never-at-rest", "unexpected", "what.is-this"])
def test_no_error_is_told_by_its_code(code):
    """A person reads a sentence, also for an error that has no words of its own."""
    assert code not in say_error(code) and say_error(code).endswith(".")


@cases(
    ("milliseconds", "said"),
    [
        (None, ""),
        (0, "less than a second"),
        (1_400, "1 second"),
        (59_000, "59 seconds"),
        (125_000, "2 min 5 s"),
    ],
)
def test_durations_are_told_as_one_says_them(milliseconds, said):
    """Seconds, and minutes from the first."""
    assert say_duration(milliseconds) == said


def test_the_history_has_pages(recorded, browser):
    """Twenty on a page; the older ones follow."""
    for number in range(21):
        recorded(processed=number + 1, covered=number + 1)
    assert [len(browser.get(SLEEP, {"page": page}).context["runs"]) for page in (1, 2)] == [20, 1]
