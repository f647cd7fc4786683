"""What every test stands on: a real PostgreSQL, worked with as the site's own role."""

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import psutil
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.utils import translation

ALIASES = ("default", "owner", "metadata", "channels_postgres")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Start each running site once, however many workers there are."""
    from tests.scheduling import SiteScheduling

    return SiteScheduling(config, log)


@pytest.fixture(autouse=True)
def default_language() -> None:
    """Begin in the site's own language: the last page of an earlier test may have spoken another."""
    translation.deactivate()


@pytest.fixture
def now() -> datetime:
    """One fixed moment."""
    return datetime(2026, 3, 2, 14, 5, tzinfo=UTC)


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker, tmp_path_factory) -> Iterator[None]:
    """Make a database of this process's own, migrated by the owner; everything then works as the site."""
    settings.KEY_STORE_DIR = tmp_path_factory.mktemp("keys")
    name = f"test_companion_{os.getpid()}_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    with django_db_blocker.unblock():
        _drop_leftovers()
        _run_as_owner(f'CREATE DATABASE "{name}"')
        for alias in ALIASES:
            connections[alias].close()
            connections[alias].settings_dict["NAME"] = name
        settings.CHANNEL_LAYERS["default"]["CONFIG"]["NAME"] = name
        call_command("migrate", verbosity=0, skip_checks=True)
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
            cursor.execute(f"TRUNCATE {cursor.fetchone()[0]} CASCADE")
        connections["owner"].close()


def _drop_leftovers() -> None:
    """Drop the databases of runs that have ended; a run's own connections outlive its last test."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'test\\_companion\\_%%'")
        names = [row[0] for row in cursor.fetchall()]
    for name in names:
        if not psutil.pid_exists(int(re.search(r"\d+", name).group())):
            _run_as_owner(f'DROP DATABASE IF EXISTS "{name}"')


def _run_as_owner(statement: str) -> None:
    connection = connections["owner"]
    with connection.cursor() as cursor:
        cursor.execute(statement)
    connection.close()
