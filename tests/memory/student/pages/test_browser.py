"""The pages of memory in a real browser: sound for everybody, and the picture used by keyboard, pointer and form."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browsing import IN_A_BROWSER, browse, faults, look
from tests.live import run_jobs
from tests.memory.student.pages.conftest import remember
from tests.memory.student.pages.lived import live, put_in_class

PAGES = (
    "", "?view=picture", "history/", "{memory}/", "{moved}/", "{forgotten}/", "changes/", "?q=fractions", "?about=topic:fractions", "clean-up/", "clean-up/{run}/", "sleep/",
    "sleep/{slept}/", "{insight}/", "held/", "life/", "ledger/",
    "ledger/{entry}/", "progress/", "progress/share/", "about/", "?view=picture&history=on&q=fractions", "?view=picture&modality=nonsense",
)  # fmt: skip

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("G13", "E5")]


@pytest.fixture
def ids(access):
    now = timezone.now()
    made = live(access, now=now)
    put_in_class(access.person, now=now)
    return made


@pytest.fixture
def page(shared_browser, ids):
    with browse("ada", shared_browser) as page:
        yield page


def test_every_page_is_sound(ids, page):
    """No fault that axe-core knows of, nothing wider than the window, no complaint: wide in light, on a phone in dark."""
    for name in PAGES:
        page.goto(f"/memory/{name.format(**ids)}")
        assert (name, look(page)) == (name, [])


def test_the_picture_is_used_by_keyboard(ids, page):
    """Arrows go from memory to memory and say which, Enter opens it, plus zooms in and 0 out again."""
    page.goto("/memory/?view=picture")
    stage = page.get_by_role("application", name="Picture of your memory")
    stage.focus()
    whole = page.locator("[data-svg]").get_attribute("viewBox")
    page.keyboard.press("ArrowRight")
    told = page.get_by_role("complementary", name="The memory looked at")
    first = told.locator("[data-text]").inner_text()
    page.keyboard.press("ArrowUp")
    expect(told.locator("[data-text]")).not_to_have_text(first)
    second = told.locator("[data-text]").inner_text()
    page.keyboard.press("+")
    assert page.locator("[data-svg]").get_attribute("viewBox") != whole
    page.keyboard.press("0")
    expect(page.locator("[data-svg]")).to_have_attribute("viewBox", whole)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/memory/[0-9a-f-]{36}/$"))
    expect(page.get_by_role("article")).to_contain_text(second)


def test_the_picture_is_used_by_pointer(ids, page):
    """On a phone it stands first. Pointing at a dot tells its words; dragging moves the picture; the buttons zoom."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/memory/?view=picture")
    assert page.locator("[data-svg]").bounding_box()["y"] < 400
    page.set_viewport_size({"width": 1280, "height": 1300})
    page.locator(".dot--procedural").first.hover(force=True)
    told = page.get_by_role("complementary", name="The memory looked at")
    expect(told.locator("[data-text]")).to_contain_text(re.compile("hints|examples"))
    svg = page.locator("[data-svg]")
    whole = svg.get_attribute("viewBox")
    page.get_by_role("button", name="Zoom in").click()
    near = svg.get_attribute("viewBox")
    box = svg.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 60, steps=4)
    page.mouse.up()
    assert len({whole, near, svg.get_attribute("viewBox")}) == 3
    page.get_by_role("button", name="All").click()
    expect(svg).to_have_attribute("viewBox", whole)


def test_form_and_slider_change_picture_list_and_address(ids, page):
    """What is asked for shows at once in the picture, then in the list, and the address can be kept."""
    page.goto("/memory/?view=picture")
    page.get_by_text("Search and filter").click()
    page.get_by_role("searchbox").or_(page.get_by_label("Search")).fill("fractions")
    expect(page.locator("[data-list]")).to_contain_text("I passed the fractions test")
    expect(page.locator("[data-list]")).not_to_contain_text("Moses")
    shown = page.locator("[data-row]:not([hidden])").count()
    assert shown == page.locator(".memory-item").count()
    expect(page).to_have_url(re.compile("q=fractions"))
    page.get_by_label("Search").fill("")
    page.get_by_label("What was remembered as of").focus()
    page.keyboard.press("Home")
    expect(page.locator("[data-list] li")).to_have_count(2)
    assert page.locator("[data-row]:not([hidden])").count() == 2
    page.reload()
    expect(page.locator("[data-row]:not([hidden])")).to_have_count(2)
    assert page.complaints == []


def test_a_clean_up_is_followed_to_its_end(ids, page):
    """The page that waits shows by itself what the clean-up did."""
    page.goto("/memory/clean-up/")
    page.get_by_role("button", name="Tidy up now").click()
    expect(page.get_by_role("progressbar", name="Cleaning up")).to_be_visible()
    assert faults(page) == []
    run_jobs()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.get_by_role("heading", name=re.compile("^Tidied up on"))).to_be_visible()


@pytest.mark.spec("I4")
def test_a_sleep_is_followed_to_its_end(access, page):
    """The page that waits goes on over all batches, and shows by itself what came of it."""
    remember(access, *[f"My lucky number of day {number} is {7 * number}" for number in range(12)])
    page.goto("/memory/sleep/")
    runs = page.locator("#earlier-title ~ .moments > .moment")
    before = runs.count()
    page.get_by_role("button", name="Let it sleep now").click()
    bar = page.get_by_role("progressbar", name="Sleeping")
    expect(bar).to_be_visible()
    assert faults(page) == []
    run_jobs()
    expect(bar).to_be_visible()
    while run_jobs():
        pass
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(runs).to_have_count(before + 2)
    runs.first.get_by_role("link").first.click()
    expect(page.get_by_role("heading", name=re.compile("^Sleep of"))).to_be_visible()
    assert (faults(page), page.complaints) == ([], [])


@pytest.mark.spec("I1")
def test_the_picture_tells_the_tiers_apart(ids, page):
    """Long-term memories have a ring; the form leaves one part of them, and the panel says which it is."""
    page.goto("/memory/?view=picture")
    rings = page.locator("[data-row]:not([hidden]) .dot__ring")
    assert rings.count() == 2
    page.get_by_text("Search and filter").click()
    page.get_by_label("About", exact=True).select_option("goals")
    expect(page.locator("[data-row]:not([hidden])")).to_have_count(1)
    expect(page.locator("[data-list]")).to_contain_text("marine biologist")
    page.get_by_role("application", name="Picture of your memory").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-tier]")).to_have_text("Long-term · Goals")


def test_without_scripts_everything_is_there(ids, shared_browser):
    """The filter is a form, the words stand in the list and in each dot's title, and a link looks again."""
    with browse("ada", shared_browser, java_script_enabled=False) as plain:
        plain.goto("/memory/?view=picture")
        assert plain.locator("[data-row] title").count() == plain.locator("[data-row]").count() > 20
        plain.get_by_text("Search and filter").click()
        plain.get_by_label("Search").fill("fractions")
        plain.get_by_role("button", name="Show").click()
        expect(plain.locator(".memory-item")).to_have_count(plain.locator("[data-row]:not([hidden])").count())
        plain.goto("/memory/clean-up/")
        plain.get_by_role("button", name="Tidy up now").click()
        run_jobs()
        plain.get_by_role("link", name="Look again").click()
        expect(plain.get_by_role("progressbar")).to_have_count(0)
