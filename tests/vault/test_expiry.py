"""What has expired does not lie about."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import Schedule

from companion_site.accounts.models import Session
from companion_site.accounts.sessions import SessionStore
from companion_site.jobs import declared_schedules, sync_schedules
from companion_site.vault.leases import drop_expired_leases
from companion_site.vault.services import grant_lease
from tests.audit.record import actions
from tests.factories import NOW, make_access
from tests.live import leases

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
