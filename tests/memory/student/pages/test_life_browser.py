"""The page of mood and goals in a real browser: sound for everybody, used by keyboard, by finger and without scripts."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from companion_site.vault import unlocked
from memory.student.life.demo import live_demo_weeks
from tests.browsing import IN_A_BROWSER, browse, look
from tests.memory.student.pages.conftest import tell_fact

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("L4"), pytest.mark.spec("E5")]
LIFE = "/memory/life/"


@pytest.fixture
def weeks(access):
    """Some weeks of life, and an appointment that is kept in mind."""
    tell_fact(access, "I have an appointment with the dentist on Monday", "appointment")
    with unlocked(access.space, access.key):
        live_demo_weeks(access.space, language="en", now=timezone.now(), person=access.person)


@pytest.fixture
def page(shared_browser, access):
    with browse("ada", shared_browser) as page:
        yield page


def named(verb, what):
    """Return the name of a button that says for listeners alone what it is about; a browser may put a space before that."""
    return re.compile(rf"^{verb}\s*: {what}")


def test_the_page_is_sound_empty_and_full(weeks, page):
    """No fault that axe-core knows of, nothing wider than the window, with every part open, after a deletion and a mistake."""
    page.goto(LIFE)
    expect(page.locator(".life__point")).not_to_have_count(0)
    for summary in page.locator("main summary").all():
        if summary.is_visible() and summary.locator("..").get_attribute("open") is None:
            summary.click()
    assert look(page) == []
    page.get_by_role("button", name=named("Delete", "Pancakes on a Thursday")).click()
    page.wait_for_url(f"**{LIFE}")
    assert look(page) == []
    page.get_by_label("What I want to reach", exact=True).fill("x" * 10)
    page.evaluate("document.querySelector('#id_goal-text').removeAttribute('maxlength')")
    page.get_by_label("What I want to reach", exact=True).fill("x" * 400)
    page.get_by_role("button", name="Set this goal").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert look(page) == []


def test_the_page_is_used_by_keyboard(page):
    """A mood, a goal and something to be grateful for are written down without a pointer."""
    page.goto(LIFE)
    page.get_by_role("radio", name="Calm").focus()
    page.keyboard.press("Space")
    page.get_by_label("A few words, if you like").focus()
    page.keyboard.type("Read on the sofa")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Written down.")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("^Mood over the last six weeks"))).to_be_visible()
    page.get_by_label("What I want to reach", exact=True).focus()
    page.keyboard.type("Walk after lunch")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=named("Reached", "Walk after lunch"))).to_be_visible()
    page.get_by_label("I am grateful for").focus()
    page.keyboard.type("The sun")
    page.keyboard.press("Enter")
    remove = page.get_by_role("button", name=named("Delete", "The sun"))
    remove.focus()
    page.keyboard.press("Enter")
    expect(remove).to_have_count(0)
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    expect(remove).to_be_visible()
    assert page.complaints == []


def test_the_page_works_without_scripts(weeks, shared_browser):
    """The picture is there, with its table; goals move, the wishes are kept, and what is kept in mind is closed."""
    with browse("ada", shared_browser, java_script_enabled=False) as plain:
        plain.goto(LIFE)
        points = plain.locator(".life__point").count()
        plain.get_by_text("The same as a table").click()
        expect(plain.get_by_role("region", name="Mood by day").locator("tbody tr")).to_have_count(points)
        plain.get_by_role("button", name=named("Reached", "Ask someone new")).click()
        plain.get_by_text("2 goals that are closed").click()
        expect(plain.get_by_role("button", name=named("Take it up again", "Ask someone new"))).to_be_visible()
        plain.get_by_label("Never bring up").fill("spiders")
        plain.get_by_label("Keep a calm tone with me").check()
        plain.get_by_role("button", name=named("Save", "How you want to be spoken with")).click()
        expect(plain.get_by_label("Never bring up")).to_have_value("spiders")
        expect(plain.get_by_label("Keep a calm tone with me")).to_be_checked()
        plain.get_by_role("button", name=named("Do not bring this up again", "I have an appointment")).click()
        expect(plain.get_by_text("One that is not brought up")).to_be_visible()
