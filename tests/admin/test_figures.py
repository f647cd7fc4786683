"""The staff's page of figures: pictures with their numbers beneath, and failures to look through."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from companion_site.accounts.models import Person
from companion_site.audit.checkpoint_services import make_checkpoint
from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.jobs import enqueue
from companion_site.llm.models import LlmCall
from companion_site.metrics.charts import draw
from companion_site.metrics.counts import days_until
from companion_site.metrics.figures import Chart, Limit, Series
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import SleepRun
from memory.student.params import SLEEP
from tests.browsing import browse, in_a_browser, look
from tests.cases import cases
from tests.factories import make_access, make_student
from tests.live import logged_in
from tests.site.test_metrics import reply_of, slept

PAGE = "/admin/figures/"
pytestmark = pytest.mark.spec("I9")


@pytest.fixture
def ada(committed):
    make_student("root", role=Person.Role.STAFF)
    return make_access("ada")


@pytest.fixture
def staff(ada):
    return logged_in("root")


def failed(space, **fields):
    return slept(space, at=timezone.now() - timedelta(minutes=5), state="failed", **fields)


def fill(access):
    """Give the page something to show of every kind."""
    now = timezone.now()
    failed(access.space, duration_ms=60_000, commit_ms=40, error="llm.timeout", provider="anthropic")
    for state, duration_ms in (("success", 900), ("success", 1900), ("partial", 2900)):
        at = now - timedelta(minutes=5)
        slept(access.space, at=at, state=state, duration_ms=duration_ms, commit_ms=40, provider="anthropic")
    for position, level in enumerate(("none", "low", "medium", "high"), start=1):
        measures = {"memory_tokens": 100 * position, "timings_ms": {"embed": 10, "recall": 10 * position}}
        reply_of(access, at=now, position=position, personalisation=level, **measures)
    call = {"model": "m", "role": "chat", "purpose": "p", "outcome": "ok", "duration_ms": 5}
    for provider in ("anthropic", "openai", "offline"):
        LlmCall.objects.create(provider=provider, input_tokens=1234, at=now, **call)


def picture(text, slug):
    """Return what stands in one chart's section."""
    return re.search(rf'<section[^>]*aria-labelledby="figure-{slug}".*?</section>', text, re.DOTALL).group()


def cells(text):
    return [
        re.sub(r"<[^>]+>|\s+", " ", cell).strip()
        for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", text, re.DOTALL)
    ]


def test_a_site_without_rows_says_so(staff):
    """Each picture that has nothing to show says that, and nothing waits for a look."""
    answer = staff.get(PAGE)
    assert answer.status_code == 200
    assert answer.text.count("Nothing to show yet") == 8
    assert "No failed sleep waits for a look." in answer.text
    assert "<polyline" not in answer.text


def test_the_figures_stand_as_pictures_with_their_numbers(ada, staff):
    """Sleep, its success and times, retrieval, personalisation, providers and tokens: each drawn, each in a table."""
    fill(ada)
    text = staff.get(PAGE).text
    today = timezone.localdate().isoformat()
    sleeps = picture(text, "sleeps")
    assert "Done 2, Done in part 1, Failed 1." in sleeps
    assert sleeps.count('class="figures__bar figures__tone--good" x') == 1
    assert cells(sleeps)[5:10] == [today, "2", "1", "1", "50 %"]
    assert cells(picture(text, "sleep-times"))[4:8] == [today, "1,900", "2,800", "40"]
    assert cells(picture(text, "retrieval"))[4:8] == [today, "35", "48.5", "49.7"]
    assert cells(picture(text, "personalisation"))[5:10] == [today, "1", "1", "1", "1"]
    assert cells(picture(text, "memory-tokens"))[3:6] == [today, "250", "385"]
    models = cells(picture(text, "models"))
    assert models[6:12] == ["anthropic", "m", "1", "1", "1,234", "0"]
    assert all(picture(text, slug).count('role="img" aria-label=') == 1 for slug in ("sleeps", "retrieval"))


@pytest.mark.spec("I4", "AC-2.1.8")
def test_a_failed_sleep_is_looked_through(ada, staff):
    """It is listed by its space and error, with a link to its record; marked as reviewed it goes, and that is audited."""
    run = failed(ada.space, error="llm.timeout", attempt=3)
    text = staff.get(PAGE).text
    assert "llm.timeout" in text and f"/admin/memory/sleeprun/{run.pk}/change/" in text
    assert f"/admin/vault/space/{ada.space}/change/" in text
    given = {"list": "failed-sleeps", "space": ada.space, "row": run.pk}
    answer = staff.post(PAGE, given, follow=True)
    assert "Marked as reviewed." in answer.text and "llm.timeout" not in answer.text
    event = AuditEvent.objects.get(chain=ada.space, action="memory.sleep_reviewed")
    assert (event.subject_id, event.actor_label) == (run.pk, "staff")
    assert staff.post(PAGE, given).status_code == 302
    assert AuditEvent.objects.filter(action="memory.sleep_reviewed").count() == 1


@pytest.mark.spec("I4")
def test_nothing_but_a_failed_sleep_is_marked(ada, staff):
    """A run that went well, one of another space, a list that is none and words that are no ids: there is no such thing."""
    well = slept(ada.space, at=timezone.now(), state="success")
    right = {"list": "failed-sleeps", "space": ada.space, "row": failed(ada.space).pk}
    for wrong in (
        {"row": well.pk},
        {"space": make_student("bea").person.space_id},
        {"list": "others"},
        {"row": "moses"},
        {"space": ""},
    ):
        assert staff.post(PAGE, right | wrong).status_code == 404, wrong
    with space_scope(ada.space):
        assert not SleepRun.objects.for_space(ada.space).filter(reviewed_at__isnull=False).exists()


@pytest.mark.spec("I4", "AC-2.1.8")
def test_overdue_sleeps_and_a_stuck_queue_say_what_to_do(own_record, ada, staff, settings):
    """What needs a look says so and what to look at; what does not is quiet."""
    make_checkpoint(now=timezone.now())
    assert "Needs a look" not in staff.get(PAGE).text
    late = timezone.now() - timedelta(hours=SLEEP.overdue_hours + 26)
    Space.objects.filter(pk=ada.space).update(next_sleep_at=late)
    settings.JOB_STUCK_S = 0.000001
    enqueue("chat.tasks.form_awaiting", new_id())
    text = staff.get(PAGE).text
    assert text.count("Needs a look") == 2
    assert "should have slept 2.1 days ago" in text and "The worker may have stopped." in text


@cases("question", ["standings", "charts", "review_lists"])
def test_a_module_that_fails_one_question_is_named_too(ada, staff, monkeypatch, question):
    """Whether it was to tell how things stand, to draw or to list: what is missing on the page is said to be missing."""

    def fail(*asked):
        raise RuntimeError

    monkeypatch.setattr(f"memory.figures.{question}", fail)
    assert "Some figures could not be counted (memory.figures)" in staff.get(PAGE).text


def chart(kind, values, **fields):
    days = days_until(timezone.now(), len(values))
    series = [Series(label="A", tone="one", values=values)]
    return Chart(slug="s", title="T", told="", kind=kind, days=days, series=series, **fields)


def test_a_day_without_measures_breaks_the_line():
    """Nothing is drawn where nothing was measured: no zero, and no line across the gap."""
    (line,) = draw(chart("lines", [1, 2, None, 4])).lines
    assert (len(line.runs), len(line.points)) == (1, 3)


def test_every_shape_lies_within_the_picture():
    """The scale reaches the highest number and the limit, whichever is more."""
    for values, limit in (([1], 3000), ([7000, 12], 200), ([1], None), ([99_999, 1], None)):
        drawn = draw(chart("bars", values, limit=Limit(label="L", value=limit) if limit else None))
        assert all(float(bar.box[1]) >= 0 and float(bar.box[3]) >= 1 for bar in drawn.bars)
        assert not limit or 0 <= float(drawn.limit_at) <= 180


@in_a_browser
@pytest.mark.spec("E5")
def test_the_page_fits_and_can_be_read(ada, staff, shared_browser):
    """No sideways scrolling, nothing against the policy, and no fault that axe finds; a failure is marked without a mouse."""
    fill(ada)
    with browse("root", shared_browser) as page:
        page.goto(PAGE)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert look(page, within=".figures") == []
        page.goto(PAGE)
        page.get_by_role("button", name=re.compile("Mark the one of .* as reviewed")).focus()
        page.keyboard.press("Enter")
        page.get_by_text("No failed sleep waits for a look.").wait_for()
