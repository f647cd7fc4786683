"""The pages of packs in a real browser: sound for everybody, used by keyboard and without scripts."""

import re

import pytest
from playwright.sync_api import expect

from tests.browsing import IN_A_BROWSER, browse, look
from tests.factories import make_access
from tests.memory.packs.making import node
from tests.memory.student.pages.test_packs import PACKS, take_in

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("K6"), pytest.mark.spec("E5")]
LONG = "def tie(rope: str, *, where: str) -> str:\n    return f'{rope} is tied round {where} with two turns and a tuck, and it holds'"


@pytest.fixture
def page(shared_browser, committed, settings):
    settings.SHIPPED_PACKS = False
    make_access("ada")
    with browse("ada", shared_browser) as page:
        yield page


def test_the_pages_are_sound_empty_and_full(page):
    """No fault that axe-core knows of and nothing wider than the window: list, pack, search, node with long code."""
    page.goto(PACKS)
    expect(page.get_by_text("There is none for you yet")).to_be_visible()
    assert look(page) == []
    nodes = [
        node(
            f"knots.a-path-without-a-space-in-it.number-{number:03}",
            label=f"Knot number {number}",
            payload={
                "definition": "It holds. " * 12,
                "code": LONG,
                "booking": [{"account": "1510", "debit": 5}],
            },
            tags=["rope", "tie"],
        )
        for number in range(45)
    ]
    pack = take_in("Knots", nodes)
    page.goto(PACKS)
    page.get_by_role("button", name=re.compile("^Use it")).click()
    expect(page.get_by_text("in use", exact=True)).to_be_visible()
    assert look(page) == []
    page.get_by_role("link", name="Knots").click()
    expect(page.get_by_role("heading", name="What stands in it")).to_be_visible()
    assert look(page) == []
    page.get_by_label("Search in it").fill("zebra")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing in it has")).to_be_visible()
    assert look(page) == []
    page.goto(f"{PACKS}{pack.space_id}/")
    page.get_by_role("link", name="Knot number 7", exact=True).click()
    expect(page.get_by_role("heading", name="Knot number 7")).to_be_visible()
    assert look(page) == []


def test_a_pack_is_mounted_by_keyboard(page):
    take_in("Knots")
    page.goto(PACKS)
    page.get_by_role("button", name=re.compile("^Use it")).focus()
    page.keyboard.press("Enter")
    off = page.get_by_role("button", name=re.compile("^Stop using it"))
    expect(off).to_be_visible()
    off.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("^Use it"))).to_be_visible()
    assert page.complaints == []
