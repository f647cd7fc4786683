"""The chips over the text box in a real browser: sound for everybody, and answered without leaving the page."""

from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from companion_site.vault.scope import space_scope
from memory.models import Suggestion
from tests.browsing import IN_A_BROWSER, browse, look_once
from tests.factories import make_business_user
from tests.memory.company.audit.rows import believe

WINDOWS = (
    ({"width": 1280, "height": 850}, "light"),
    ({"width": 375, "height": 740}, "light"),
    ({"width": 375, "height": 740}, "dark"),
)
FACTS = (
    ("unresolved", "Bo funderar på att flytta till en större lokal på Allégatan", 20),
    ("unresolved", "Siv och Bo funderar på brutet räkenskapsår från maj till april", 12),
    ("decision", "Demo AB tar en extra utdelning på 50 000 kr", 16),
)

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C10")]


@pytest.fixture
def bo(committed):
    bo, now = make_business_user("bo"), timezone.now()
    for category, content, days in FACTS:
        at = now - timedelta(days=days)
        until = at + timedelta(days=30) if category == "unresolved" else None
        fields = {"category": category, "language": "sv", "expires_at": until, "vector": False}
        believe(bo.company.space_id, content, at=at, **fields)
    return bo


@pytest.fixture
def pages(bo, shared_browser):
    """What opens a conversation of Bo's in a browser, with scripts or without."""
    with ExitStack() as stack:

        def open_conversation(*, scripts: bool = True):
            page = stack.enter_context(browse("bo", shared_browser, java_script_enabled=scripts))
            page.get_by_role("button", name="New conversation").first.click()
            page.wait_for_url("**/chat/*-*/")
            return page

        yield open_conversation


def states(bo) -> dict[str, str]:
    space = bo.company.space_id
    with space_scope(space):
        rows = Suggestion.objects.for_space(space).select_related("fact")
        return {row.fact.content.split()[0]: row.state for row in rows}


def test_the_chips_are_sound_in_each_window(pages):
    """No fault that axe-core knows of, nothing wider than the window, and the text box in view."""
    page = pages()
    for size, scheme in WINDOWS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert look_once(page) == []
        expect(page.get_by_label("Message", exact=True)).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("region", name="Suggestions").get_by_role("listitem")).to_have_count(3)


def test_the_chips_are_answered_by_keyboard_without_leaving_the_page(bo, pages):
    """The focus goes to the next chip, and at last to the box, with what was begun there kept before the words."""
    page = pages()
    place = page.get_by_role("region", name="Suggestions")
    box = page.get_by_label("Message", exact=True)
    box.fill("Hej!")
    page.evaluate("window.stayed = true")
    place.get_by_role("button", name="No, thanks").first.focus()
    page.keyboard.press("Enter")
    expect(place.get_by_role("listitem")).to_have_count(2)
    expect(place.get_by_role("button").first).to_be_focused()
    expect(page.get_by_text("You will not be asked about this again.")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(place.get_by_role("listitem")).to_have_count(1)
    place.get_by_role("button").first.press("Enter")
    expect(place).to_be_hidden()
    expect(box).to_be_focused()
    assert box.input_value().startswith("Hej!\n") and "“" in box.input_value()
    assert page.evaluate("window.stayed") and page.complaints == []
    assert sorted(states(bo).values()) == ["chosen", "dismissed", "snoozed"]


def test_a_chip_whose_answer_could_not_be_kept_stays(pages):
    """And says so; it can be answered again once the line is back, once however often it is pressed. One that was settled meanwhile says that."""
    page, asked = pages(), []
    page.route("**/suggestions/**", lambda route: asked.append(route))
    place = page.get_by_role("region", name="Suggestions")
    for name in ("Later", "No, thanks"):
        place.get_by_role("button", name=name).last.click()
    expect(place.locator("[aria-busy]")).to_have_count(1)
    (only,) = asked
    only.abort()
    expect(page.get_by_text("That could not be kept. Please try again.")).to_be_visible()
    place.get_by_role("listitem").last.get_by_role("button").first.click()
    while len(asked) < 2:
        page.wait_for_timeout(20)
    asked[1].fulfill(json={"message": ""})
    expect(page.get_by_text("That has been settled meanwhile.")).to_be_visible()
    expect(page.get_by_label("Message", exact=True)).to_have_value("")
    expect(place.get_by_role("listitem").last.get_by_role("button").first).to_be_focused()
    page.unroute("**/suggestions/**")
    place.get_by_role("button", name="Later").first.click()
    expect(place.get_by_role("listitem")).to_have_count(1)


def test_the_chips_work_without_scripts(bo, pages):
    """Choosing comes back with the words in the box; sending them is an ordinary message."""
    page = pages(scripts=False)
    page.get_by_role("region", name="Suggestions").get_by_role("button").first.click()
    page.wait_for_url("**/?suggestion=*")
    box = page.get_by_label("Message", exact=True)
    words = box.input_value()
    assert "“" in words
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("log")).to_contain_text(words)
    page.get_by_role("button", name="No, thanks").first.click()
    expect(page.get_by_role("region", name="Suggestions").get_by_role("listitem")).to_have_count(1)
    assert sorted(states(bo).values()) == ["chosen", "dismissed", "offered"]
