"""The record is one chain per space: what belongs into it, and who may not touch it."""

import pytest
from django.db import ProgrammingError, connection, transaction

from companion_site.audit.models import AuditEvent
from companion_site.audit.services import PLATFORM, find_breaks, record_event, record_events
from companion_site.errors import AuditRefused
from companion_site.ids import new_id
from tests.factories import NOW
from tests.racing import at_once

pytestmark = pytest.mark.spec("E3")


def test_the_site_s_own_role_cannot_rewrite_it(committed):
    """Changing, deleting and emptying are refused by the database, whatever the code asks for."""
    with transaction.atomic():
        record_event("memory.formed", now=NOW)
    for statement in (
        "UPDATE audit_auditevent SET action = 'x.y'",
        "DELETE FROM audit_auditevent",
        "TRUNCATE audit_auditevent",
        "ALTER TABLE audit_auditevent DISABLE TRIGGER ALL",
        "DROP TABLE audit_auditevent",
    ):
        with pytest.raises(ProgrammingError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    with pytest.raises(ProgrammingError), transaction.atomic():
        AuditEvent.objects.all().delete()
    assert AuditEvent.objects.count() == 1


def test_nothing_is_recorded_outside_of_a_transaction_or_without_a_proper_action(committed):
    """An event goes with the rows it is about, or not at all; what cannot be recorded properly stops the work it belongs to."""
    for action in ("", "formed", "Memory.Formed", "memory.formed!", "my cat is called Moses"):
        with pytest.raises(AuditRefused), transaction.atomic():
            record_event(action, now=NOW)
    with pytest.raises(AuditRefused):
        record_event("memory.formed", now=NOW)
    with pytest.raises(RuntimeError), transaction.atomic():
        record_event("memory.formed", now=NOW)
        raise RuntimeError
    assert not AuditEvent.objects.exists()


@pytest.mark.django_db
def test_chains_are_counted_apart_and_several_events_at_once_are_links_of_one():
    """Each space's chain and the platform's begin at one, without gaps; several stand there as if each had been recorded by itself."""
    space = new_id()
    for chain in (PLATFORM, space, PLATFORM):
        record_event("memory.formed", chain=chain, now=NOW)
    told = [(None, {"found_by": "reader"}), (None, {"found_by": "valence"})]
    events = record_events("memory.contradiction_found", told, chain=space, now=NOW)
    assert record_events("memory.contradiction_found", [], chain=space, now=NOW) == []
    record_event("memory.formed", chain=space, now=NOW)
    assert [event.data["found_by"] for event in events] == ["reader", "valence"]
    assert [event.position for event in events] == [2, 3]
    positions = AuditEvent.objects.order_by("position").values_list("position", flat=True)
    assert list(positions.filter(chain=space)) == [1, 2, 3, 4]
    assert list(positions.filter(chain=PLATFORM)) == [1, 2]
    assert list(find_breaks(space)) == []


def test_writers_at_once_write_one_chain(committed):
    """Whoever waited for the chain's lock goes on from what was written meanwhile, within one transaction as well."""
    space = new_id()

    def write():
        for _ in range(5):
            with transaction.atomic():
                record_event("memory.formed", chain=space, now=NOW)
                record_event("memory.formed", chain=space, now=NOW)

    at_once(*[write] * 4)
    positions = AuditEvent.objects.filter(chain=space).order_by("position").values_list("position", flat=True)
    assert list(positions) == list(range(1, 41))
    assert list(find_breaks(space)) == []
