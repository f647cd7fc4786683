"""`/healthz` says that the process answers, `/readyz` whether it can work, neither says more; and what a start refuses to touch."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ

from companion_site.ids import new_id
from companion_site.jobs import enqueue
from tests.databases import connect_as_owner

pytestmark = pytest.mark.spec("I9")
IN_ORDER = ("ready", "database", "migrations", "roles", "keys")


@pytest.fixture
def no_database(committed):
    """Lead the site's connection to where no server listens."""
    connection = connections["default"]
    connection.close()
    kept = dict(connection.settings_dict)
    connection.settings_dict.update(HOST="127.0.0.1", PORT="1", OPTIONS={"connect_timeout": 1})
    yield kept
    connection.close()
    connection.settings_dict.update(kept)


def ask():
    answer = Client().get("/readyz")
    return answer.status_code, answer.json()


def test_the_site_is_ready(committed):
    """With database, schema and roles in order and nothing waiting, the answer is 200."""
    status, told = ask()
    # Another test's checkpoints may lie in the directory still.
    age_s = told.pop("audit_checkpoint_age_s")
    assert age_s is None or age_s >= 0
    counted = {"oldest_job_s": 0.0, "waiting_jobs": {}, "overdue_sleeps": 0}
    assert (status, told) == (200, dict.fromkeys(IN_ORDER, True) | counted)


def test_without_a_database_the_site_lives_but_is_not_ready(no_database):
    """The answer is 503 without a detail of where the database was; the process still says that it lives."""
    status, told = ask()
    unknown = dict.fromkeys(("oldest_job_s", "waiting_jobs", "overdue_sleeps", "audit_checkpoint_age_s"))
    assert (status, told) == (503, dict.fromkeys(IN_ORDER, False) | unknown)
    assert Client().get("/healthz").text == "ok\n"


def test_a_schema_that_is_behind_is_not_ready(committed):
    """A migration that has not run is seen."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(
            "DELETE FROM django_migrations WHERE id = (SELECT id FROM django_migrations WHERE app = 'llm' "
            "ORDER BY id DESC LIMIT 1) RETURNING id, app, name, applied"
        )
        row = cursor.fetchone()
    try:
        status, told = ask()
    finally:
        with connections["owner"].cursor() as cursor:
            cursor.execute("INSERT INTO django_migrations VALUES (%s, %s, %s, %s)", row)
    assert (status, told["database"], told["migrations"]) == (503, True, False)


def test_a_queue_that_stands_still_is_not_ready(committed, settings):
    """The age of the oldest runnable job is told; beyond the limit the site is not ready."""
    enqueue("chat.tasks.form_awaiting", new_id())
    waiting = timezone.now() - timedelta(seconds=settings.JOB_STUCK_S - 60)
    OrmQ.objects.update(lock=waiting)
    status, told = ask()
    assert status == 200 and settings.JOB_STUCK_S - 60 <= told["oldest_job_s"] < settings.JOB_STUCK_S
    OrmQ.objects.update(lock=waiting - timedelta(seconds=60))
    status, told = ask()
    assert (status, told["ready"]) == (503, False)
    OrmQ.objects.update(lock=timezone.now() + timedelta(seconds=60))
    assert ask()[1]["oldest_job_s"] == 0


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


def test_a_database_of_another_version_is_left_alone(committed):
    """Tables that this version cannot read stop the start, which says what to do; those of a library that has gone do not."""
    with applied("memory", "0002_more"), pytest.raises(CommandError, match="mv var"):
        call_command("prepare", "--no-demo")
    with applied("axes", "0001_initial"):
        call_command("prepare", "--no-demo")
