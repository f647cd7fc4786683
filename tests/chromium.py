"""The browser of this machine, how it is started and waited for, and how its connection is cut."""

import re
import shutil

from playwright.sync_api import Page, WebSocketRoute, expect

#: The one without a window first: it is the same engine, and a new context takes a third of the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
#: Waits are for events, which a busy machine brings late; none is proved by its coming early.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)  # one for the whole process
#: Notes every length the last reply's text has had.
WATCH_GROWTH = """() => {
  window.lengths = new Set();
  new MutationObserver(() => {
    const last = [...document.querySelectorAll("[role=log] article")].at(-1);
    if (last.getAttribute("aria-busy")) window.lengths.add(last.querySelector("[data-text]").textContent.length);
  }).observe(document.querySelector("[role=log]"), { childList: true, characterData: true, subtree: true });
}"""


class Wire:
    """The socket between the page and the site, with scissors."""

    def __init__(self, page: Page, *, deaf: bool = False) -> None:
        self.deaf = deaf
        self.opened = 0
        self._sides: tuple[WebSocketRoute, WebSocketRoute] | None = None
        page.route_web_socket(re.compile("/ws/chat/"), self._connect)

    def _connect(self, browser_side: WebSocketRoute) -> None:
        site_side = browser_side.connect_to_server()
        self.opened += 1
        self._sides = (browser_side, site_side)
        site_side.on_message(lambda frame: None if self.deaf else browser_side.send(frame))

    def cut(self) -> None:
        """Drop the connection; the next one hears again."""
        assert self._sides is not None
        for side in self._sides:
            side.close(code=1012)
        self.deaf = False
