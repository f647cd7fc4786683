"""Somebody who walks through the chat in a real browser: at one width, in one scheme and language, by hand or by keyboard."""

import re
from dataclasses import dataclass, field

from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import Locator, Page, expect

from tests.browsing import look_once

#: Where something stands, seen from what has the focus: whether before it.
IS_BEFORE = (
    "one => Boolean(document.activeElement.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING)"
)
#: A conversation fills its window; what is scrolled is the log in it.
IS_CUT = "() => document.body.matches('.page--chat') && scrollY > 0"
HAS_FOCUS = "one => one === document.activeElement"
#: More than a page has places for the focus.
MOST_TABS = 150


@dataclass(frozen=True, kw_only=True)
class Way:
    """How somebody goes. In `WAYS` there are both widths, both schemes, both languages, and the keyboard and the hand."""

    width: int
    scheme: str
    language: str
    by_keyboard: bool

    def __str__(self) -> str:
        return f"{self.width}-{self.scheme}-{self.language}-{'keys' if self.by_keyboard else 'hand'}"

    @property
    def is_phone(self) -> bool:
        return self.width < 600

    @property
    def options(self) -> dict:
        """What a browser's context is made with."""
        height = 844 if self.is_phone else 850
        return {
            "viewport": {"width": self.width, "height": height},
            "color_scheme": self.scheme,
            "locale": {"en": "en-GB", "sv": "sv-SE"}[self.language],
        }


WAYS = (
    Way(width=390, scheme="dark", language="sv", by_keyboard=True),
    Way(width=1280, scheme="light", language="en", by_keyboard=False),
)


@dataclass
class Walker:
    """One way through the site's pages, in the words of its language."""

    page: Page
    way: Way
    states: list[str] = field(default_factory=list, kw_only=True)

    def words(self, text: str, **given: object) -> str:
        """Return a text of the pages in the language of the way, as the catalogue has it."""
        with translation.override(self.way.language):
            found = gettext(text)
        return found % given if given else found

    def link(self, text: str, *, within: Page | Locator | None = None, **given: object) -> Locator:
        return (within or self.page).get_by_role("link", name=self.words(text, **given), exact=True)

    def button(self, text: str, *, within: Page | Locator | None = None, **given: object) -> Locator:
        return (within or self.page).get_by_role("button", name=self.words(text, **given), exact=True)

    def text(self, text: str, *, within: Page | Locator | None = None, **given: object) -> Locator:
        return (within or self.page).get_by_text(self.words(text, **given), exact=True)

    @property
    def box(self) -> Locator:
        return self.page.get_by_role("textbox", name=self.words("Message"), exact=True)

    @property
    def said(self) -> Locator:
        return self._articles("You, %(time)s")

    @property
    def replies(self) -> Locator:
        return self._articles("Companion, %(time)s")

    @property
    def title(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    def _articles(self, name: str) -> Locator:
        start = self.words(name, time="")
        return self.page.get_by_role("log").get_by_role("article", name=re.compile(f"^{re.escape(start)}"))

    def press(self, what: Locator) -> None:
        """Press something: by hand, or by going there with the Tab key."""
        if not self.way.by_keyboard:
            what.click()
            return
        self.reach(what)
        self.page.keyboard.press("Enter")

    def tick(self, what: Locator) -> None:
        """Tick a box."""
        if not self.way.by_keyboard:
            what.check()
            return
        self.reach(what)
        self.page.keyboard.press("Space")
        expect(what).to_be_checked()

    def reach(self, what: Locator) -> None:
        """Go with the Tab key alone to something, whichever way is nearer, and see that it shows the focus."""
        expect(what).to_be_visible()
        self.page.wait_for_load_state()
        key = "Shift+Tab" if what.evaluate(IS_BEFORE) else "Tab"
        for _ in range(MOST_TABS):
            if what.evaluate(HAS_FOCUS):
                break
            self.page.keyboard.press(key)
        expect(what).to_be_focused()

    def write(self, where: Locator, text: str) -> None:
        """Put a text into a field in place of what is there."""
        if not self.way.by_keyboard:
            where.fill(text)
            return
        self.reach(where)
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def say(self, text: str) -> None:
        """Write a message and send it."""
        self.write(self.box, text)
        if self.way.by_keyboard:
            self.page.keyboard.press("Enter")
        else:
            self.button("Send").click()
        expect(self.said.last).to_contain_text(text)

    def hear(self, text: str) -> Locator:
        """Wait until the last reply is whole and holds a text; return it."""
        expect(self.replies.last).to_contain_text(text)
        expect(self.page.locator("article[aria-busy]")).to_have_count(0)
        return self.replies.last

    def wait_until(self, holds: str, given: object = None) -> None:
        self.page.wait_for_function(holds, arg=given)

    def see(self, state: str) -> None:
        """Look at the page as it stands: nothing that axe-core knows of, nothing too wide, no complaint, the header in its place."""
        self.states.append(state)
        found = look_once(self.page)
        if self.page.evaluate(IS_CUT):
            found.append("the page lies above its window")
        assert (state, found) == (state, [])
