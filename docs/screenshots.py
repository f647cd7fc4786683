"""`python -m docs.screenshots`: take the pictures of the README anew, from the running site.

It starts the site on data of its own, tells the companion something as the demo student Ada, comes back in a new
conversation, and photographs what is there. The replies come from a model on this machine that says what is written
here; memories form, are found and are shown as always.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from companion_site.running import PROJECT
from tests.chromium import CHROMIUM, FLAGS
from tests.e2e.model import Model
from tests.e2e.pages import articles, await_remembered, begin_conversation, exchange, log_in
from tests.e2e.starting import environment, running
from tests.llm.wire_server import Act

IMAGES = PROJECT / "docs" / "images"
WIDE = {"width": 1200, "height": 1280}
PHONE = {"width": 375, "height": 760}
TOLD = (
    (
        "I find recursion hard, please explain step by step",
        "That is good to know: one step at a time, then. Where does it stop making sense for you, at the call to "
        "itself or at the way back?",
    ),
    (
        "I prefer examples before theory, and my exam is on 12 December",
        "Examples first, then, and a date to work towards. Shall we begin with the function you got stuck on?",
    ),
)
ASKED = "can you help me with recursion?"
ANSWER = """Gladly. You find recursion hard, and you prefer examples before theory, so here is the example first:

```python
def count_down(n):
    if n == 0:
        return ["go"]
    return [n] + count_down(n - 1)
```

Step one: `count_down(0)` asks nobody, it **gives back** `["go"]`. What does `count_down(1)` give, then?"""


def take_all() -> list[Path]:
    """Take every picture; return where they are."""
    IMAGES.mkdir(exist_ok=True)
    with site_and_model() as (address, model), sync_playwright() as playwright:
        if CHROMIUM is None:
            raise SystemExit(
                "No Chromium is installed (Debian, Ubuntu: apt install chromium-headless-shell)."
            )
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        path = live_a_conversation(open_window(browser, address), model)
        return [
            take(
                open_window(browser, address, scheme="light"), path, "conversation-light", open_memories=True
            ),
            take(open_window(browser, address, scheme="dark"), path, "conversation-dark", open_memories=True),
            take(open_window(browser, address, size=PHONE), path, "conversation-phone"),
        ]


def live_a_conversation(window: BrowserContext, model: Model) -> str:
    """Tell the companion something, come back, and ask; return the address of the second conversation."""
    page = window.new_page()
    log_in(page, "ada")
    begin_conversation(page)
    for number, (told, answered) in enumerate(TOLD, start=1):
        model.script(Act(text=answered))
        exchange(page, told, messages=2 * number)
        await_remembered(page, told)
    path = begin_conversation(page)
    model.script(Act(text=ANSWER))
    exchange(page, ASKED)
    return path


def take(window: BrowserContext, path: str, name: str, *, open_memories: bool = False) -> Path:
    """Photograph a conversation as it looks on coming back to it."""
    page = window.new_page()
    log_in(page, "ada")
    page.goto(path)
    for status in page.get_by_role("status").all():
        expect(status).to_be_empty()
    if open_memories:
        articles(page).last.locator("summary").click()
        articles(page).first.scroll_into_view_if_needed()
    settle(page)
    image = IMAGES / f"{name}.png"
    page.screenshot(path=image)
    window.close()
    return image


def settle(page: Page) -> None:
    """Wait until nothing moves any more, and take the caret out of the picture."""
    page.get_by_role("log").focus()
    page.evaluate("document.activeElement.blur()")
    page.evaluate("Promise.all(document.getAnimations().map((animation) => animation.finished))")


def open_window(
    browser: Browser, address: str, *, scheme: str = "light", size: dict[str, int] | None = None
) -> BrowserContext:
    """Open a browser window that knows nothing yet."""
    options = {"viewport": size or WIDE, "color_scheme": scheme, "device_scale_factor": 2, "locale": "en-GB"}
    return browser.new_context(base_url=address, timezone_id="Europe/Stockholm", **options)


@contextmanager
def site_and_model() -> Iterator[tuple[str, Model]]:
    """Run the site on new data for as long as the pictures take, with a model it can ask."""
    with tempfile.TemporaryDirectory() as place, Model() as model:
        env = environment(Path(place), model_url=model.url)
        with running(Path(place), env) as site:
            yield f"http://127.0.0.1:{site.port}", model


if __name__ == "__main__":
    for taken in take_all():
        sys.stdout.write(f"{taken.relative_to(PROJECT)}\n")
