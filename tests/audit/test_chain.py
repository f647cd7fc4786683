"""The record is one chain per space: what is rewritten, taken out or moved is found and named."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection, connections, transaction
from hypothesis import given
from hypothesis import strategies as st

from companion_site.audit.chain import FIELDS, START, event_hash
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import PLATFORM, find_breaks, record_event
from companion_site.errors import AuditRefused
from companion_site.ids import new_id
from tests.cases import cases
from tests.factories import NOW

pytestmark = pytest.mark.spec("E3")
VALUES = dict.fromkeys(FIELDS, "x") | {"position": 1, "data": {}}

#: What somebody with the owner's rights may do to event 3 of 5, and where it shows.
TAMPERING = {
    "another action": ("UPDATE audit_auditevent SET action = 'memory.forgotten' WHERE {}", {3}),
    "another time": ("UPDATE audit_auditevent SET at = at + interval '1 microsecond' WHERE {}", {3}),
    "another actor": ("UPDATE audit_auditevent SET actor_id = gen_random_uuid() WHERE {}", {3}),
    "other data": ("UPDATE audit_auditevent SET data = '{{\"count\": 99}}' WHERE {}", {3}),
    "another label": ("UPDATE audit_auditevent SET actor_label = 'staff' WHERE {}", {3}),
    "another hash": ("UPDATE audit_auditevent SET hash = decode(repeat('00', 32), 'hex') WHERE {}", {3, 4}),
    "taken out": ("DELETE FROM audit_auditevent WHERE {}", {4}),
}


@pytest.fixture
def chains(own_record, committed):
    """Two chains of five events each; return their names."""
    chains = [new_id(), new_id()]
    for chain in chains:
        write(chain, 5)
    return chains


def write(chain, count):
    for number in range(count):
        with transaction.atomic():
            at = NOW + timedelta(minutes=number)
            record_event("memory.formed", chain=chain, data={"count": number}, now=at)


def as_owner(statement, *values):
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement, values)


def third(chain):
    return f"chain = '{chain}' AND position = 3"


def broken(chain=None):
    return {(place.chain, place.position) for place in find_breaks(chain)}


def test_an_untouched_record_verifies(chains):
    """The command says how much it checked."""
    out = StringIO()
    call_command("verify_audit", stdout=out)
    assert broken() == set() and "10 events in 2 chains: all hold." in out.getvalue()


@cases("how", TAMPERING)
def test_what_is_tampered_with_is_found_and_named(chains, how):
    """The command fails, names chain and position, and leaves the other chain alone."""
    statement, positions = TAMPERING[how]
    as_owner(statement.format(third(chains[0])))
    assert broken() == {(chains[0], position) for position in positions}
    errors = StringIO()
    with pytest.raises(CommandError):
        call_command("verify_audit", stderr=errors)
    assert f"{chains[0]} #{min(positions)}" in errors.getvalue() and str(chains[1]) not in errors.getvalue()
    call_command("verify_audit", space=chains[1], stdout=StringIO())


def test_two_events_in_each_other_s_place_are_found(chains):
    """Swapping the positions of two events breaks the chain at both."""
    as_owner("UPDATE audit_auditevent SET position = 99 WHERE chain = %s AND position = 2", chains[0])
    as_owner("UPDATE audit_auditevent SET position = 2 WHERE chain = %s AND position = 3", chains[0])
    as_owner("UPDATE audit_auditevent SET position = 3 WHERE chain = %s AND position = 99", chains[0])
    assert {(chains[0], 2), (chains[0], 3)} <= broken()


def test_an_event_moved_to_another_chain_is_found(chains):
    """An event cannot be made to speak about another space."""
    as_owner(
        "UPDATE audit_auditevent SET chain = %s, position = 6 WHERE chain = %s AND position = 5",
        chains[1],
        chains[0],
    )
    assert broken() == {(chains[1], 6)}


def test_an_event_put_in_by_hand_is_found(chains):
    """A made-up event with a made-up hash does not fit."""
    as_owner(
        "INSERT INTO audit_auditevent (id, chain, position, at, action, actor_id, actor_label, subject_type, subject_id, data, "
        "hash, previous_hash, key, seal) SELECT gen_random_uuid(), chain, 6, at, action, actor_id, actor_label, "
        "subject_type, subject_id, data, hash, previous_hash, key, seal FROM audit_auditevent WHERE chain = %s AND position = 5",
        chains[0],
    )
    assert broken() == {(chains[0], 6)}


def test_the_site_s_own_role_cannot_rewrite_it(chains):
    """Changing, deleting and emptying are refused by the database, whatever the code asks for."""
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
    assert AuditEvent.objects.count() == 10


@pytest.mark.django_db
@cases("action", ["", "formed", "Memory.Formed", "memory.formed!", "my cat is called Moses"])
def test_an_action_has_a_form(action):
    """What cannot be recorded properly is refused, so that the work it belongs to does not happen."""
    with pytest.raises(AuditRefused), transaction.atomic():
        record_event(action, now=NOW)


def test_nothing_is_recorded_outside_of_a_transaction(committed):
    """An event goes with the rows it is about, or not at all."""
    with pytest.raises(AuditRefused):
        record_event("memory.formed", now=NOW)
    with pytest.raises(RuntimeError), transaction.atomic():
        record_event("memory.formed", now=NOW)
        raise RuntimeError
    assert not AuditEvent.objects.exists()


@pytest.mark.django_db
def test_chains_are_counted_apart():
    """Each space's chain and the platform's begin at one and have no gaps."""
    space = new_id()
    for chain in (space, PLATFORM, space, PLATFORM, space):
        record_event("memory.formed", chain=chain, now=NOW)
    positions = AuditEvent.objects.order_by("position").values_list("position", flat=True)
    assert list(positions.filter(chain=space)) == [1, 2, 3]
    assert list(positions.filter(chain=PLATFORM)) == [1, 2]


@given(st.sampled_from(FIELDS), st.sampled_from(["y", "", None, "x\x00"]))
def test_a_hash_covers_every_field(field, value):
    """A change of any field, to nothing too, changes the hash, and so does another event before it."""
    assert event_hash(START, {**VALUES, field: value}) != event_hash(START, VALUES)
    assert event_hash(bytes(31) + b"\x01", VALUES) != event_hash(START, VALUES)


@given(st.text(max_size=5), st.text(max_size=5))
def test_fields_cannot_run_into_each_other(first, second):
    """Moving letters from one field to the next makes another event."""
    one = {**VALUES, "actor_label": first + "a", "subject_type": second}
    other = {**VALUES, "actor_label": first, "subject_type": "a" + second}
    assert event_hash(START, one) != event_hash(START, other)
