"""What every test stands on: a real PostgreSQL, worked with as the site's own role."""

import gc
import os
from collections.abc import Generator, Iterator
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.db import OperationalError, connections
from django.utils import translation
from psycopg.errors import DeadlockDetected
from psycopg.sql import SQL, Identifier

from companion_site.llm.models import LlmCall
from companion_site.vault.keystore import get_key_store
from tests.databases import DATABASE, connect_as_owner, make_database
from tests.llm.wire_server import WireServer, serve_model
from tests.vectors import keep_vectors


def pytest_configure() -> None:
    """Embed no text twice."""
    keep_vectors()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Start each running site once, however many workers there are."""
    from tests.scheduling import SiteScheduling

    return SiteScheduling(config, log)


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


@pytest.fixture
def now() -> datetime:
    """One fixed moment."""
    return datetime(2026, 3, 2, 14, 5, tzinfo=UTC)


@pytest.fixture
def model(settings, django_db_setup) -> Iterator[WireServer]:
    """A language model on this machine, which the test scripts; no other is asked.

    What it was asked is written down by another thread, which the test's own transaction does not take back.
    """
    with serve_model(settings) as server:
        yield server
    with connect_as_owner() as owner:
        owner.execute(SQL("DELETE FROM {}").format(Identifier(LlmCall._meta.db_table)))


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker, tmp_path_factory) -> Iterator[None]:
    """Make a database of this process's own; everything then works as the site."""
    settings.KEY_STORE_DIR = tmp_path_factory.mktemp("keys")
    get_key_store.cache_clear()  # a test that needs no database may have asked for keys before
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    with django_db_blocker.unblock():
        make_database(f"{DATABASE}{os.getpid()}_{worker}")
    yield
    with django_db_blocker.unblock():
        connections.close_all()


@pytest.fixture
def committed(django_db_setup, django_db_blocker) -> Iterator[None]:
    """Work with rows that are committed, seen by other connections; every table is emptied afterwards."""
    with django_db_blocker.unblock():
        yield
        for alias in ("default", "metadata"):
            connections[alias].close()
        with connections["owner"].cursor() as cursor:
            cursor.execute(
                "SELECT string_agg(quote_ident(tablename), ',') FROM pg_tables "
                "WHERE schemaname = 'public' AND tablename NOT IN ('django_migrations', 'django_content_type', "
                "'auth_permission')"
            )
            truncate = f"TRUNCATE {cursor.fetchone()[0]} CASCADE"
            for is_last in (False, False, True):
                try:
                    cursor.execute(truncate)
                    break
                except OperationalError as error:
                    # What a test left at work in another thread may hold a table that this waits for, and the other way round.
                    if is_last or not isinstance(error.__cause__, DeadlockDetected):
                        raise
        connections["owner"].close()
