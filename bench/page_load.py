"""How long a conversation takes to open, by its length: `python -m bench.page_load`, in Chromium, on a database of its own.

The page is opened by its address until it says that it is ready, its socket being open: once with nothing kept, as on a new machine,
and then again and again with what the browser keeps. Bytes are those that came over the wire.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from uuid import UUID

from playwright.sync_api import Page, Request

from bench.commands import command, make_parser
from bench.scratch import scratch_site
from bench.sentences import make_sentences
from bench.students import NOW, PASSWORD, enter_person
from tests.browsing import OPEN_BROWSERS
from tests.factories import fill_conversation
from tests.live import serving

LENGTHS = (0, 50, 600, 5000)
READY = '[data-status="ready"]'


@dataclass(frozen=True, kw_only=True)
class Load:
    """One way in: milliseconds until the page was ready, and bytes over the wire."""

    ready_ms: float
    received: int


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("page_load", __doc__)
    parser.add_argument("--rounds", type=int, default=15, help="with what the browser keeps")
    options = parser.parse_args(arguments)
    with scratch_site(durable=False):
        measure(options.rounds)


def measure(rounds: int) -> None:
    """Print a row for each length, with the time beside that of an empty conversation."""
    access = enter_person("reader", now=NOW)
    conversations = {
        length: fill_conversation(access, [text for text, _ in make_sentences(length, seed=length)], now=NOW)
        for length in LENGTHS
    }
    sys.stdout.write(
        "| messages | first time: ms, kB | then: ms at the median (worst), kB | beside none |\n|---|---|---|---|\n"
    )
    with serving() as site:
        floor = None
        for length, conversation in conversations.items():
            context = OPEN_BROWSERS.get().new_context(base_url=f"http://{site.address}")
            page = context.new_page()
            page.goto("/login/")
            page.get_by_role("main").get_by_role("textbox").first.fill("reader")
            page.locator("input[type=password]").fill(PASSWORD)
            page.keyboard.press("Enter")
            page.wait_for_url(lambda address: "/login/" not in address)
            context.new_cdp_session(page).send("Network.clearBrowserCache")
            first, *later = [open_once(page, conversation.pk) for _ in range(rounds + 1)]
            times = [one.ready_ms for one in later]
            floor = floor or median(times)
            sys.stdout.write(
                f"| {length:,} | {first.ready_ms:.0f}, {first.received / 1000:.0f} | {median(times):.0f} ({max(times):.0f}), "
                f"{later[-1].received / 1000:.1f} | {median(times) / floor:.2f} |\n"
            )
            context.close()
        OPEN_BROWSERS.close()


def open_once(page: Page, conversation: UUID) -> Load:
    """Open the page and wait until it is ready."""
    answers: list[Request] = []
    page.goto("about:blank")

    def note(request: Request) -> None:
        answers.append(request)

    page.on("requestfinished", note)
    began = time.monotonic()
    page.goto(f"/chat/{conversation}/", wait_until="commit")
    page.wait_for_selector(READY)
    ready_ms = 1000 * (time.monotonic() - began)
    page.wait_for_load_state("networkidle")
    page.remove_listener("requestfinished", note)
    return Load(ready_ms=ready_ms, received=sum(max(0, one.sizes()["responseBodySize"]) for one in answers))


if __name__ == "__main__":
    sys.exit(main())
