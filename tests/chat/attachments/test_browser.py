"""Pictures and files in a real browser: attached, thrown away, sent, looked at and kept by a change, wide and on a phone."""

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IN_A_BROWSER, browse, look
from tests.chat.attachments.samples import NOTES, picture
from tests.chat.attachments.test_reading import images, said
from tests.factories import make_student
from tests.llm.wire_server import Act

pytestmark = [*IN_A_BROWSER, pytest.mark.spec("C2")]

FILE = {"name": "kassa.csv", "mimeType": "text/csv", "buffer": NOTES.encode()}
PICTURE = {"name": "Bild från Lund.png", "mimeType": "image/png", "buffer": picture(size=(1200, 800))}
SVG = {"name": "drawing.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"}
#: Hands a picture over as the clipboard or a dragging hand does.
HAND_OVER = """(place, [kind, name, data]) => {
  const given = new DataTransfer();
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  given.items.add(new File([bytes], name, { type: "image/png" }));
  const rest = { bubbles: true, cancelable: true };
  const event = kind === "paste"
    ? new ClipboardEvent(kind, { clipboardData: given, ...rest })
    : new DragEvent(kind, { dataTransfer: given, ...rest });
  place.dispatchEvent(event);
}"""


@pytest.fixture
def page(committed, model, shared_browser):
    """A conversation that has just begun."""
    model.always(Act(text="I see."))
    make_student("ada")
    with browse("ada", shared_browser) as page:
        page.get_by_role("button", name="New conversation").first.click()
        page.wait_for_url("**/chat/*-*/")
        yield page


def choose(page: Page, *files) -> None:
    """Attach files by keyboard."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Attach pictures or files").press("Enter")
    chooser.value.set_files(list(files))


def waiting(page: Page):
    return page.get_by_role("list", name="Goes with your message").get_by_role("listitem")


def said_with(page: Page):
    return (
        page.get_by_role("log").get_by_role("article", name="You").last.get_by_role("list", name="Attached")
    )


def test_what_is_attached_is_sent_and_looked_at(page, model):
    """By button, paste and drop, all by keyboard but the last; what cannot be is told by name, and what is typed stays."""
    box = page.get_by_label("Message", exact=True)
    box.fill("Who owes what?")
    choose(page, PICTURE, FILE, SVG)
    expect(page.get_by_role("alert").filter(has_text="drawing.svg: Only pictures")).to_be_visible()
    expect(waiting(page)).to_have_count(2)
    expect(box).to_have_value("Who owes what?")
    data = base64.b64encode(picture(colour="red")).decode()
    box.evaluate(HAND_OVER, ["paste", "pasted.png", data])
    expect(waiting(page)).to_have_count(3)
    page.locator("body").evaluate(HAND_OVER, ["drop", "dropped.png", data])
    expect(waiting(page)).to_have_count(4)
    choose(page, FILE)
    expect(page.get_by_role("alert").filter(has_text="up to 4 files")).to_be_visible()
    page.get_by_role("button", name="Remove dropped.png").press("Enter")
    expect(waiting(page)).to_have_count(3)
    expect(box).to_be_focused()
    assert look(page) == []
    page.reload()
    expect(waiting(page)).to_have_count(3)
    box.fill("Who owes what?")
    page.keyboard.press("Enter")
    expect(said_with(page).get_by_role("img", name="Bild från Lund.png")).to_be_visible()
    expect(waiting(page)).to_have_count(0)
    expect(page.get_by_role("log").get_by_role("article", name="Companion")).to_contain_text("I see.")
    request = model.requests[-1]
    assert len(images(request)) == 2 and "Pelle owes 40 kronor." in said(request)
    with page.expect_popup() as opened:
        said_with(page).get_by_role("link", name="Bild från Lund.png").press("Enter")
    expect(opened.value.locator("img")).to_be_visible()
    opened.value.close()
    assert page.complaints == []


def test_a_changed_message_keeps_what_is_left_with_it(page):
    """What is taken out stays with the version before."""
    choose(page, PICTURE, FILE)
    expect(waiting(page)).to_have_count(2)
    expect(page.get_by_role("button", name="Remove kassa.csv")).to_be_visible()
    page.get_by_label("Message", exact=True).fill("Look")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log").get_by_role("article", name="Companion")).to_contain_text("I see.")
    expect(page.locator("article[aria-busy]")).to_have_count(0)
    page.get_by_role("link", name="Change").press("Enter")
    expect(waiting(page)).to_have_count(2)
    page.get_by_role("button", name="Remove kassa.csv").press("Enter")
    assert look(page) == []
    page.get_by_label("Message", exact=True).press("Enter")
    expect(page.get_by_role("log").get_by_role("article", name="You").last).to_contain_text("2 / 2")
    expect(said_with(page).get_by_role("link")).to_have_count(1)
    expect(page.get_by_role("log").get_by_role("article", name="Companion")).to_contain_text("I see.")
    expect(page.locator("article[aria-busy]")).to_have_count(0)
    page.get_by_role("button", name="The version before").click()
    expect(said_with(page).get_by_role("link")).to_have_count(2)
