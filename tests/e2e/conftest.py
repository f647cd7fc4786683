"""The running site, a model on this machine and a real browser; nothing of the site is in this process."""

import os
import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from companion_site.running import PROJECT
from tests.chromium import CHROMIUM, PATIENCE_MS
from tests.e2e.model import Model
from tests.e2e.pages import enter
from tests.e2e.starting import environment, running
from tests.running.site import Site

STUDENTS = [f"student-{number}" for number in range(1, 41)]
#: Students of the demo school's class, who have a teacher and a world to discover.
PUPILS = [f"pupil-{number}" for number in range(1, 5)]
#: Characters of the site's output that a failure shows.
SAID_LAST = 20_000
LOADING_FAILED = re.compile(r"Failed to load resource: the server responded with a status of (\d+)")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything that drives the site from outside."""
    for item in items:
        if item.path.is_relative_to(PROJECT / "tests" / "e2e"):
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put what the site wrote last beside a failure: the cause stands there."""
    report = yield
    site = getattr(item, "funcargs", {}).get("site")
    if report.failed and site is not None:
        report.sections.append(("The site's last words", site.said()[-SAID_LAST:]))
    return report


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser of this machine."""
    if CHROMIUM is None and os.environ.get("CI") == "true":
        pytest.fail("CI=true, and no Chromium is installed: the browser tests cannot run.")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed (Debian, Ubuntu: apt install chromium-headless-shell)")
    return CHROMIUM


@pytest.fixture(scope="session")
def running_model() -> Iterator[Model]:
    with Model() as model:
        yield model


@pytest.fixture
def model(running_model) -> Iterator[Model]:
    """The language model, without a script."""
    running_model.clear()
    yield running_model
    running_model.clear()


@pytest.fixture(scope="session")
def site(chromium, running_model, tmp_path_factory) -> Iterator[Site]:
    """The product as `make run` starts it, on data of its own, with demo people and students."""
    place = tmp_path_factory.mktemp("site")
    env = environment(place, model_url=running_model.url)
    with running(place, env, [*STUDENTS, *(f"{name}@7B" for name in PUPILS)]) as site:
        yield site


@pytest.fixture
def browser(chromium, shared_browser) -> Browser:
    """A browser with nothing in it: while it is open, this process cannot run asynchronous tests."""
    return shared_browser


@dataclass
class Watch:
    """What pages complained of: errors on the console, broken policies, exceptions, requests to strangers."""

    site: str
    complaints: list[str] = field(default_factory=list)
    #: answers that a test asked for; the browser puts them on the console
    expected_statuses: set[int] = field(default_factory=set)

    def over(self, context: BrowserContext) -> None:
        context.on("console", self._hear)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("request", lambda request: self._see(request.url))

    def _hear(self, message: ConsoleMessage) -> None:
        refused = LOADING_FAILED.match(message.text)
        if refused and int(refused[1]) in self.expected_statuses:
            return
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _see(self, url: str) -> None:
        if not url.startswith((self.site, "data:")):
            self.complaints.append(f"asked for {url}")


@pytest.fixture
def watch(site) -> Watch:
    return Watch(f"http://127.0.0.1:{site.port}")


@pytest.fixture
def new_page(browser, site, watch) -> Iterator[Callable[..., Page]]:
    """Open pages in browsers that know nothing of each other; in the end none may have complained."""
    contexts: list[BrowserContext] = []

    def make(**options) -> Page:
        context = browser.new_context(base_url=watch.site, **{"locale": "en-GB", **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        watch.over(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()
    assert watch.complaints == []


@pytest.fixture
def page(new_page) -> Page:
    return new_page()


#: Names that no test has taken yet, of students and of pupils of class 7B.
UNUSED = {"student": list(STUDENTS), "pupil": list(PUPILS)}


@pytest.fixture
def student(site) -> str:
    """The log-in name of a student whom no other test has met."""
    return UNUSED["student"].pop()


@pytest.fixture
def conversation(page, student) -> Page:
    """An open, empty conversation."""
    enter(page, student)
    return page


@pytest.fixture
def other_student(site) -> str:
    return UNUSED["student"].pop()


@pytest.fixture
def pupil(site) -> str:
    """The log-in name of a student of class 7B whom no other test has met."""
    return UNUSED["pupil"].pop()
