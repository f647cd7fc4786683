"""The map in a real browser: by pointer and keyboard, on a phone and on a desk, in light and dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from companion_site.accounts.models import School
from companion_site.vault import unlocked
from overlay.importer import ensure_demo_world
from overlay.services import learn_from_text, set_opinion
from overlay.worlds import worlds
from tests.browsing import IN_A_BROWSER
from tests.factories import NOW, PASSWORD, make_access
from tests.live import serving
from tests.overlay.building import id_of

SAID = (
    "We read about photosynthesis, chlorophyll and the chloroplast.",
    "Diffusion through the cell membrane is half of osmosis.",
    "Velocity and acceleration are not the same, and friction has a net force.",
)

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("E5", "G10")]


@pytest.fixture
def ada(committed):
    """A student of the demo world who has met ten of its concepts and likes one of them."""
    school = School.objects.create(name="North")
    ensure_demo_world(school, now=NOW)
    access = make_access("ada", school=school)
    with unlocked(access.space, access.key):
        for text in SAID:
            learn_from_text(access.person, access.space, text, now=NOW)
        liked = id_of(worlds.get(school.world_space_id), "osmosis")
        set_opinion(access.person, access.space, liked, attitude=1.0, familiarity=1.0, now=NOW)
    return access


@pytest.fixture(params=[(1280, "light"), (375, "dark")], ids=["desk", "phone"])
def page(ada, shared_browser, request):
    """The map, open in a browser; it collects what the console complains of."""
    width, scheme = request.param
    with serving() as site:
        context = shared_browser.new_context(
            viewport={"width": width, "height": 850}, color_scheme=scheme, base_url=f"http://{site.address}"
        )
        page = context.new_page()
        page.complaints = []
        page.on("console", lambda message: note(page, message))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto("/login/")
        page.get_by_label("Log-in name").fill("ada")
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/chat/")
        page.goto("/map/")
        yield page
        context.close()


def note(page, message):
    if message.type in ("error", "warning"):
        page.complaints.append(message.text)


def test_a_concept_opens_by_keyboard_and_pointer(page):
    """Enter on a concept shows its details beside the map, Escape leads back; saving keeps what was said."""
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, "wider than the screen"
    assert axe(page) == []
    link = page.locator("a.plate", has_text="Osmosis").first
    link.focus()
    page.keyboard.press("Enter")
    panel = page.locator("[data-map-details]")
    panel.get_by_role("heading", name="Osmosis").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Osmosis"
    assert axe(page) == []
    page.keyboard.press("Escape")
    assert panel.is_hidden() and page.evaluate("document.activeElement.matches('a.plate')")
    page.locator("a.plate", has_text="Diffusion").first.click()
    panel.get_by_role("heading", name="Diffusion").wait_for()
    panel.get_by_label("Your notes").fill("as ink in water")
    panel.get_by_role("button", name="Save").click()
    page.wait_for_url("**/map/*-*/")
    assert page.get_by_label("Your notes").input_value() == "as ink in water"
    assert axe(page) == []
    assert page.complaints == []


def test_the_map_grows_and_shrinks(page):
    """The buttons change the size of the map, and “All of it” makes it fit its frame."""
    picture = page.locator("[data-map-picture]")
    first = picture.bounding_box()["width"]
    page.get_by_role("button", name="Larger").click()
    assert picture.bounding_box()["width"] > first
    page.get_by_role("button", name="All of it").click()
    assert picture.bounding_box()["width"] <= page.locator("[data-map-frame]").bounding_box()["width"]
    assert page.complaints == []


def axe(page):
    return [problem["id"] for problem in Axe().run(page).response["violations"]]
