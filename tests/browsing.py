"""What modules that drive a real browser against a live server share; add `*IN_A_BROWSER` to their `pytestmark`.

The fixture `shared_browser` is one for all tests of a process that follow one another; each has a context of its own in it.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, sync_playwright

from tests.chromium import CHROMIUM, FLAGS, PATIENCE_MS
from tests.factories import PASSWORD
from tests.live import serving

WINDOWS = ({"width": 1280, "height": 850}, "light"), ({"width": 375, "height": 740}, "dark")
IN_A_BROWSER = (
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),  # as companion_site/asgi.py says
    # A browser that moves on drops its connections, and with them files that were being sent.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    # Somebody's own machine may have no browser; with CI=true the tests run, and fail without one.
    pytest.mark.skipif(
        CHROMIUM is None and os.environ.get("CI") != "true", reason="Chromium is not installed"
    ),
)


def in_a_browser(test: Callable) -> Callable:
    """Mark one test of a module as `IN_A_BROWSER` marks all of them."""
    for mark in IN_A_BROWSER:
        test = mark(test)
    return test


#: Given to a document once; what it finds is told in short, since all of it is longer than most pages.
AXE = Axe().axe_script
FIND_FAULTS = """async (within) => {
  const { violations } = await axe.run(within, { resultTypes: ["violations"], preload: false });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}"""


class OpenBrowsers:
    """The browsers of this process, by the flags that they were started with: to start one takes longer than most pages.

    While one is open this process cannot run asynchronous tests: `tests/conftest.py` closes them before a test that has none.
    """

    def __init__(self) -> None:
        self._driver: Playwright | None = None
        self._open: dict[tuple[str, ...], Browser] = {}
        self._ending = ExitStack()

    def start(self, *flags: str) -> Browser:
        """Return a new browser, which the caller closes."""
        if self._driver is None:
            # The driver runs a loop in this thread.
            self._ending.enter_context(pytest.MonkeyPatch.context()).setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
            self._driver = self._ending.enter_context(sync_playwright())
        return self._driver.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])

    def get(self, *flags: str) -> Browser:
        """Return a browser that stays open, without anything of those who had it before."""
        browser = self._open.get(flags)
        if browser is None or not browser.is_connected():
            browser = self._open[flags] = self.start(*flags)
        for context in browser.contexts:
            context.close()
        return browser

    def close(self) -> None:
        """End them all, and what drives them."""
        for browser in self._open.values():
            browser.close()
        self._open.clear()
        self._driver = None
        self._ending.close()


OPEN_BROWSERS = OpenBrowsers()


@contextmanager
def browse(username: str, browser: Browser, **options) -> Iterator[Page]:
    """Serve the site and open a page of it in which somebody has logged in, with a list of what the console complains of.

    Args:
        options: of the browser's context, such as its `viewport`.
    """
    with serving() as site:
        given = {"locale": "en-GB", "reduced_motion": "reduce", **options}
        context = browser.new_context(base_url=f"http://{site.address}", **given)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.complaints = []
        page.on("console", lambda message: _note(page, message))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto("/login/")
        page.get_by_role("main").get_by_role("textbox").first.fill(username)
        page.locator("input[type=password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(lambda address: "/login/" not in address)
        yield page
        context.close()


def look(page: Page, *, within: str = "html") -> list[str]:
    """Return what is wrong with a page, wide in light and on a phone in dark: for axe-core, the window and the console.

    Args:
        within: selects what axe-core is asked about, where the rest of a page is a library's.
    """
    found = []
    for size, scheme in WINDOWS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        found += [f"{size['width']}: {fault}" for fault in look_once(page, within=within)]
    return found


def look_once(page: Page, *, within: str = "html") -> list[str]:
    """Return what is wrong with a page as it is: for axe-core, the window and the console."""
    page.wait_for_load_state()  # between two pages there is no document
    return [*faults(page, within=within), *page.complaints, *(["too wide"] if overhang(page) else [])]


def overhang(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def faults(page: Page, *, within: str = "html") -> list[str]:
    """Return what axe-core finds against WCAG 2.2 AA and its best practices, with the elements concerned."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    return page.evaluate(FIND_FAULTS, within)


def _note(page: Page, message: ConsoleMessage) -> None:
    if message.type in ("error", "warning") and "400 (Bad Request)" not in message.text:
        page.complaints.append(message.text)
