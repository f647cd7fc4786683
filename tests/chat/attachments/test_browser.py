"""Pictures and files in a real browser, beyond the walk: pasted, dropped, refused, thrown away, and there again for a change."""

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IN_A_BROWSER, browse, look
from tests.chat.attachments.samples import NOTES, picture
from tests.chat.attachments.test_reading import images
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


def test_what_is_attached_waits_and_goes_along(page, model):
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
    expect(box).to_be_focused()
    page.reload()
    expect(waiting(page)).to_have_count(3)
    box.fill("Who owes what?")
    page.keyboard.press("Enter")
    expect(waiting(page)).to_have_count(0)
    expect(page.get_by_role("log").get_by_role("article", name="Companion")).to_contain_text("I see.")
    assert len(images(model.requests[-1])) == 2
    page.get_by_role("link", name="Change").press("Enter")
    expect(waiting(page)).to_have_count(3)
    assert look(page) == [] and page.complaints == []
