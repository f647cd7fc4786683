"""What has expired does not lie about; with `LEASE_HOURS=0` nobody but the person's own session ever holds the key."""

from base64 import b64encode, urlsafe_b64encode
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from psycopg.sql import SQL, Identifier

from companion_site.accounts.models import Session
from companion_site.accounts.sessions import SessionStore
from companion_site.jobs import declared_schedules, sync_schedules
from companion_site.vault.keystore import get_key_store
from companion_site.vault.leases import drop_expired_leases
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import grant_lease
from tests.audit.record import actions
from tests.chat.talking import converse
from tests.factories import NOW, make_access
from tests.live import leases, logged_in

pytestmark = pytest.mark.spec("G11")


def test_a_lease_goes_when_its_hours_are_over(committed):
    """An expired lease is deleted and its end recorded; one that still runs stays."""
    ada, elsa = make_access("ada"), make_access("elsa")
    grant_lease(ada.key, now=NOW)
    grant_lease(elsa.key, now=NOW + timedelta(hours=12))
    assert drop_expired_leases(now=NOW + timedelta(hours=24)) == 1
    assert (leases(ada), leases(elsa)) == (0, 1)
    assert len(actions(ada.space, "vault.lease_expired")) == 1


@pytest.mark.django_db
def test_sessions_that_ended_are_deleted():
    """An expired session's row, with its half of a key, does not stay in the table."""
    for age in (timedelta(minutes=-1), timedelta(minutes=1)):
        session = SessionStore()
        session.set_expiry(timezone.now() + age)
        session.save()
    SessionStore.clear_expired()
    assert Session.objects.count() == 1


@pytest.mark.django_db
def test_schedules_are_the_declared_ones():
    """What is no longer declared goes, what is stays once, however often it is synced."""
    Schedule.objects.create(name="old", func="gone.away", schedule_type=Schedule.MINUTES, minutes=1)
    assert sync_schedules() == sync_schedules()
    rows = list(Schedule.objects.order_by("name").values_list("name", "func"))
    assert rows == [(schedule.name, schedule.task) for schedule in declared_schedules()]


def test_with_leases_off_nothing_of_the_key_stays_after_log_out(committed, settings):
    """No slot, session, job or file holds the key; what was said waits, and the next log-in finds it waiting."""
    settings.LEASE_HOURS = 0
    access = make_access("ada")
    person, key, client = access.person, access.key, logged_in("ada")
    converse(access, "I am afraid of wasps")
    space = Space.objects.get(pk=person.space_id)
    assert space.awaiting_key_since is not None and not OrmQ.objects.exists()
    client.post("/logout/")
    with space_scope(space.pk):
        kinds = set(KeySlot.objects.for_space(space).values_list("kind", flat=True))
    assert kinds == {"password", "recovery"} and not Session.objects.exists()
    forms = [key.data_key.hex(), b64encode(key.data_key).decode(), urlsafe_b64encode(key.data_key).decode()]
    kept = everything_in_the_database() + "".join(
        path.read_bytes().hex() for path in get_key_store().directory.rglob("*") if path.is_file()
    )
    assert person.password in kept
    assert [form for form in forms if form in kept] == []
    again = logged_in("ada")
    assert again.get("/chat/").status_code == 200
    assert Space.objects.get(pk=space.pk).awaiting_key_since is not None and not OrmQ.objects.exists()


def everything_in_the_database() -> str:
    """Return every row of every table as text, binary columns in hex."""
    texts = []
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (table,) in cursor.fetchall():
            cursor.execute(SQL("SELECT t::text FROM {} AS t").format(Identifier(table)))
            texts += [row[0] for row in cursor.fetchall()]
    return "\n".join(texts)
