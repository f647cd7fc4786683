"""The map in a real browser: by pointer and keyboard, on a phone and on a desk, in light and dark."""

import pytest

from companion_site.accounts.models import School
from companion_site.vault import unlocked
from overlay.importer import ensure_demo_world
from overlay.services import set_opinion
from overlay.worlds import worlds
from tests.browsing import IN_A_BROWSER, WINDOWS, browse, look_once
from tests.factories import NOW, make_access
from tests.overlay.building import id_of, meet

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
    meet(access, *SAID)
    with unlocked(access.space, access.key):
        liked = id_of(worlds.get(school.world_space_id), "osmosis")
        set_opinion(access.person, access.space, liked, attitude=1.0, familiarity=1.0, now=NOW)
    return access


@pytest.fixture(params=WINDOWS, ids=["desk", "phone"])
def page(ada, shared_browser, request):
    """The map, open in a browser."""
    size, scheme = request.param
    with browse("ada", shared_browser, viewport=size, color_scheme=scheme) as page:
        page.goto("/map/")
        yield page


def test_the_map_grows_and_a_concept_opens_by_keyboard_and_pointer(page):
    """The buttons change the map's size, and “All of it” makes it fit; Enter on a concept shows its details beside it, Escape leads back; saving keeps what was said."""
    assert look_once(page) == []
    picture = page.locator("[data-map-picture]")
    first = picture.bounding_box()["width"]
    page.get_by_role("button", name="Larger").click()
    assert picture.bounding_box()["width"] > first
    page.get_by_role("button", name="All of it").click()
    assert picture.bounding_box()["width"] <= page.locator("[data-map-frame]").bounding_box()["width"]
    link = page.locator("a.plate", has_text="Osmosis").first
    link.focus()
    page.keyboard.press("Enter")
    panel = page.locator("[data-map-details]")
    panel.get_by_role("heading", name="Osmosis").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Osmosis"
    assert look_once(page) == []
    page.keyboard.press("Escape")
    assert panel.is_hidden() and page.evaluate("document.activeElement.matches('a.plate')")
    page.locator("a.plate", has_text="Diffusion").first.click()
    panel.get_by_role("heading", name="Diffusion").wait_for()
    panel.get_by_label("Your notes").fill("as ink in water")
    panel.get_by_role("button", name="Save").click()
    page.wait_for_url("**/map/*-*/")
    assert page.get_by_label("Your notes").input_value() == "as ink in water"
    assert look_once(page) == []
    assert page.complaints == []
