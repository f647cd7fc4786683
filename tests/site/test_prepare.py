"""What a start does to the database, and what it refuses to touch."""

import pytest
from django.core.management import CommandError, call_command

from tests.databases import connect_as_owner


@pytest.mark.usefixtures("committed")
def test_a_database_of_another_version_is_left_alone():
    """Tables that this version cannot read stop the start, which says what to do and changes nothing."""
    with connect_as_owner() as owner:
        owner.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('memory', '0002_more', now())"
        )
    try:
        with pytest.raises(CommandError, match="mv var"):
            call_command("prepare", "--no-demo")
    finally:
        with connect_as_owner() as owner:
            owner.execute("DELETE FROM django_migrations WHERE name = '0002_more'")


@pytest.mark.usefixtures("committed")
def test_tables_of_a_library_that_has_gone_are_no_other_version():
    """What a package left behind that is installed no more stops nothing."""
    with connect_as_owner() as owner:
        owner.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('axes', '0001_initial', now())"
        )
    try:
        call_command("prepare", "--no-demo")
    finally:
        with connect_as_owner() as owner:
            owner.execute("DELETE FROM django_migrations WHERE app = 'axes'")
