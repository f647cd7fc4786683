"""What a start does to the database, and what it refuses to touch."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import CommandError, call_command

from tests.databases import connect_as_owner

pytestmark = pytest.mark.usefixtures("committed")


@contextmanager
def applied(app: str, name: str) -> Iterator[None]:
    """Have the database tell in the block that it went through a migration which this version does not have."""
    with connect_as_owner() as owner:
        owner.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", [app, name]
        )
    try:
        yield
    finally:
        with connect_as_owner() as owner:
            owner.execute("DELETE FROM django_migrations WHERE app = %s AND name = %s", [app, name])


def test_a_database_of_another_version_is_left_alone():
    """Tables that this version cannot read stop the start, which says what to do; those of a library that has gone do not."""
    with applied("memory", "0002_more"), pytest.raises(CommandError, match="mv var"):
        call_command("prepare", "--no-demo")
    with applied("axes", "0001_initial"):
        call_command("prepare", "--no-demo")
