"""What every test stands on: a real PostgreSQL, worked with as the site's own role."""

import gc
import os
import sys
import tempfile
import threading
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
from _pytest import runner
from django.conf import settings
from django.db import connections
from django.test import Client
from django.utils import translation
from django_q.models import OrmQ

from chat.access import ChatAccess
from companion_site.llm.models import LlmCall
from companion_site.vault.grants import Grants, open_grants
from companion_site.vault.keystore import get_key_store
from tests.databases import (
    DATABASE,
    close_kept_connections,
    empty_table,
    empty_tables,
    is_at_rest,
    keep_connections_of_pools,
    make_database,
)
from tests.factories import make_access
from tests.frames import give_room
from tests.live import logged_in_staff
from tests.llm.wire_server import WireServer, serve_model
from tests.places import write_to_memory
from tests.vectors import keep_vectors

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browsing import OpenBrowsers

#: No property depends on how busy a machine is.
hypothesis.settings.register_profile("all", deadline=None)
hypothesis.settings.load_profile("all")
#: What `make test` has: where a property does not hold, few examples find it more often than not; `make check` has all.
hypothesis.settings.register_profile("brief", max_examples=20)


def pytest_configure() -> None:
    """Have room for calls, embed no text twice, connect no more often than needed, wait for no disk, and go over nothing while all that stays is loaded."""
    give_room(runner.pytest_runtest_protocol, threading.Thread.run)
    keep_vectors()
    keep_connections_of_pools()
    write_to_memory()
    gc.disable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Start each running site once, however many workers there are."""
    from tests.scheduling import SiteScheduling

    return SiteScheduling(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long: at the end no worker then waits for another's."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Have the garbage collector pass over what stays until the end, all tests and modules, and look seldom at what does not."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50)
    gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Collect no garbage while a failure is written down.

    What ends a browser's dead greenlets changes the depth of the stack, and a parser that is at work then gives up; with it
    the whole run.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture(autouse=True)
def default_language() -> None:
    """Begin in the site's own language: the last page of an earlier test may have spoken another."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def grants(request) -> Grants:
    """Ask which grants still stand only where rows are committed: of others no other connection would see any."""
    found = open_grants()
    found.paused = "committed" not in request.fixturenames
    return found


@pytest.fixture
def ada(db) -> ChatAccess:
    """A student, inside the test's own transaction."""
    return make_access("ada")


@pytest.fixture
def staff(db) -> Client:
    """The browser of "root", who may do everything in the admin."""
    return logged_in_staff()


@pytest.fixture
def now() -> datetime:
    """One fixed moment."""
    return datetime(2026, 3, 2, 14, 5, tzinfo=UTC)


@pytest.fixture
def no_disk(monkeypatch) -> None:
    """Let a temporary file fail: nothing of what was sent may lie on the disk."""
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")


@pytest.fixture
def model(settings, django_db_setup) -> Iterator[WireServer]:
    """A language model on this machine, which the test scripts; no other is asked.

    What it was asked is written down by another thread, which the test's own transaction does not take back.
    """
    with serve_model(settings) as server:
        yield server
    empty_table(LlmCall)


@pytest.fixture
def open_browsers() -> "OpenBrowsers":
    """The browsers of this process; those that stay open do so as long as each test asks for this."""
    from tests.browsing import OPEN_BROWSERS

    return OPEN_BROWSERS


@pytest.fixture
def shared_browser(open_browsers) -> "Browser":
    """A browser with nothing in it; the tests that follow one another have the same."""
    return open_browsers.get()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Close the browsers before a test that has none: it may run a loop of its own."""
    try:
        return (yield)
    finally:
        if nextitem is None or "open_browsers" not in getattr(nextitem, "fixturenames", ()):
            close_browsers()


def pytest_sessionfinish() -> None:
    """Leave no browser behind."""
    close_browsers()


def close_browsers() -> None:
    """Close those that are open; most tests have not even loaded what drives them."""
    if "tests.browsing" in sys.modules:
        sys.modules["tests.browsing"].OPEN_BROWSERS.close()


@pytest.fixture
def own_record(settings, tmp_path) -> Path:
    """Keys and checkpoints of the record for one test alone; return the directory of both. Ask for it first."""
    settings.AUDIT_KEYS_DIR = tmp_path / "keys"
    settings.AUDIT_CHECKPOINT_DIR = tmp_path / "checkpoints"
    return tmp_path


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker, tmp_path_factory) -> Iterator[None]:
    """Make a database of this process's own; everything then works as the site."""
    settings.KEY_STORE_DIR = tmp_path_factory.mktemp("keys")
    settings.AUDIT_KEYS_DIR = settings.KEY_STORE_DIR / "audit"
    settings.AUDIT_CHECKPOINT_DIR = tmp_path_factory.mktemp("checkpoints")
    get_key_store.cache_clear()  # a test that needs no database may have asked for keys before
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    with django_db_blocker.unblock():
        make_database(f"{DATABASE}{os.getpid()}_{worker}")
    yield
    with django_db_blocker.unblock():
        close_kept_connections()
        connections.close_all()


@pytest.fixture
def committed(django_db_setup, django_db_blocker) -> Iterator[None]:
    """Work with rows that are committed, seen by other connections; every table is emptied afterwards.

    The next test goes on with this one's connections, unless they were left in the middle of something. A turn of the test
    before may still have queued a job when its tables were empty already.
    """
    with django_db_blocker.unblock():
        OrmQ.objects.all().delete()
        yield
        for connection in connections.all(initialized_only=True):
            if connection.connection is not None and not is_at_rest(connection):
                connection.close()
        empty_tables()
