"""A threat raises an alert: when and in what it was said, never what."""

from datetime import timedelta

import pytest
from django.db import ProgrammingError, connections

from companion_site.errors import NotFound
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from ledger.models import ThreatAlert
from ledger.services import (
    alerts_for_spaces,
    mark_seen,
    record_entries,
    record_entry,
    revise_entry,
    switch_entry,
)
from tests.audit.record import actions, events
from tests.factories import NOW, make_access, make_student
from tests.ledger.conftest import make_draft

pytestmark = [pytest.mark.spec("G12")]

LATER = NOW + timedelta(hours=1)
THREAT = make_draft("My uncle hits me.", category="threat", trigger_entities=[], triggers=["uncle"])


def record(access, draft=THREAT, now=NOW):
    with unlocked(access.space, access.key):
        return record_entry(access.space, draft, now=now)


@pytest.mark.django_db
def test_a_threat_raises_one_alert(space):
    """Recorded again, revised, retired or brought back, an entry that was written by hand has raised its alert once."""
    row = record_entry(space, THREAT, now=NOW)
    record_entry(space, THREAT, now=LATER)
    revise_entry(space, row.entry_id, changes={"importance": 1.0}, now=LATER)
    switch_entry(space, row.entry_id, is_active=False, now=LATER)
    switch_entry(space, row.entry_id, is_active=True, now=LATER)
    with space_scope(space):
        (alert,) = ThreatAlert.objects.for_space(space)
    assert (alert.source_id, alert.said_at, alert.seen_at) == (row.entry_id, NOW, None)
    assert len(actions(space, "ledger.alert_raised")) == 1


@pytest.mark.django_db
def test_the_same_words_said_again_raise_an_alert_of_their_own(space):
    """There is one of each message, at the time at which it was said, and revising the entry adds none."""
    messages = [new_id(), new_id()]
    for at, message in enumerate([*messages, messages[0]]):
        said_at = NOW + timedelta(minutes=at)
        (row,) = record_entries(space, [THREAT], source_id=message, said_at=said_at, now=LATER)
    revise_entry(space, row.entry_id, changes={"importance": 1.0}, now=LATER)
    with space_scope(space):
        alerts = ThreatAlert.objects.for_space(space).order_by("said_at")
        assert [(one.source_id, one.said_at) for one in alerts] == [
            (messages[0], NOW),
            (messages[1], NOW + timedelta(minutes=1)),
        ]


@pytest.mark.django_db
def test_nothing_else_raises_an_alert_until_it_becomes_a_threat(space):
    """An entry of another category is silent; revised to be a threat it raises its alert then."""
    row = record_entry(space, make_draft(), now=NOW)
    with space_scope(space):
        assert not ThreatAlert.objects.for_space(space).exists()
    revise_entry(space, row.entry_id, changes={"category": "threat"}, now=LATER)
    with space_scope(space):
        assert ThreatAlert.objects.for_space(space).get().said_at == LATER


def test_alerts_are_read_for_the_spaces_asked_about(committed):
    """Who may see them reads time and entry of those spaces and no others, without any key."""
    ada, bo, eve = (make_access(name) for name in ("ada", "bo", "eve"))
    first = record(ada)
    second = record(bo, now=LATER)
    record(eve)
    alerts = alerts_for_spaces([ada.space, bo.space])
    assert [(one.space_id, one.source_id, one.said_at) for one in alerts] == [
        (bo.space, second.entry_id, LATER),
        (ada.space, first.entry_id, NOW),
    ]
    assert alerts_for_spaces([]) == []
    assert "uncle" not in repr(alerts)


def test_seeing_an_alert_is_noted_once(committed):
    """The first who saw it stays; it needs no key."""
    ada = make_access("ada")
    record(ada)
    teachers = [make_student(name, role="teacher").person for name in ("tove", "ulf")]
    (alert,) = alerts_for_spaces([ada.space])
    for hours, teacher in enumerate(teachers):
        mark_seen(ada.space, alert.id, teacher, now=LATER + timedelta(hours=hours))
    (seen,) = alerts_for_spaces([ada.space])
    assert (seen.seen_at, seen.seen_by_id) == (LATER, teachers[0].pk)
    assert [event.actor_id for event in events(ada.space, "ledger.alert_seen")] == [teachers[0].pk]
    with pytest.raises(NotFound):
        mark_seen(make_access("eve").space, alert.id, teachers[0], now=LATER)


def test_whoever_reads_alerts_cannot_read_the_entry(committed):
    """The role that alerts are read by is refused the words, sealed as they are."""
    ada = make_access("ada")
    record(ada)
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        connections["metadata"].cursor() as cursor,
    ):
        cursor.execute("SELECT content FROM ledger_ledgerentry")
