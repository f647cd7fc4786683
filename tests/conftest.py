"""What every test stands on: a real PostgreSQL, worked with as the site's own role."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections

ALIASES = ("default", "owner", "metadata")


@pytest.fixture
def now() -> datetime:
    """One fixed moment."""
    return datetime(2026, 3, 2, 14, 5, tzinfo=UTC)


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker, tmp_path_factory) -> Iterator[None]:
    """Make a database of this process's own, migrated by the owner; everything then works as the site."""
    settings.KEY_STORE_DIR = tmp_path_factory.mktemp("keys")
    name = f"test_companion_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_{os.getpid()}"
    with django_db_blocker.unblock():
        _run_as_owner(f'CREATE DATABASE "{name}"')
        for alias in ALIASES:
            connections[alias].close()
            connections[alias].settings_dict["NAME"] = name
        settings.CHANNEL_LAYERS["default"]["CONFIG"]["NAME"] = name
        call_command("migrate", verbosity=0, skip_checks=True)
    yield
    with django_db_blocker.unblock():
        for alias in ALIASES:
            connections[alias].close()
        connections["owner"].settings_dict["NAME"] = "companion"
        _run_as_owner(f'DROP DATABASE "{name}" WITH (FORCE)')


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


def _run_as_owner(statement: str) -> None:
    connection = connections["owner"]
    with connection.cursor() as cursor:
        cursor.execute(statement)
    connection.close()
