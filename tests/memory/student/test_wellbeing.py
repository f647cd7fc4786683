"""Wellbeing is read from metadata alone, by a role that could not read more."""

from datetime import timedelta

import pytest
from django.db import ProgrammingError, connections, transaction
from django.test.utils import CaptureQueriesContext

from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from ledger.models import ThreatAlert
from memory.models import MemorySource
from memory.student.wellbeing import indicate_wellbeing
from tests.cases import cases
from tests.factories import NOW, make_student, open_space
from tests.memory.student.drafts import make_node

pytestmark = pytest.mark.spec("G12")

DAY = timedelta(days=1)


@pytest.fixture
def ada(committed):
    return make_student("ada").person


def remember(person, *, days_ago, trust="person", **given):
    """Write one memory that formed, and was said, some days ago; its person has logged in today."""
    at, space = NOW - days_ago * DAY, person.space_id
    with space_scope(space), unlocked(space, open_space(person)):
        node = make_node(space, "zebrafinch", at=at, trust=trust, **given)
        node.save()
        kind = {"person": "message", "teacher": "observation"}[trust]
        MemorySource.objects.create(
            space_id=space, node=node, kind=kind, source_id=new_id(), start=0, end=5, said_at=at
        )


def alert(space, **given):
    with space_scope(space):
        return ThreatAlert.objects.create(space_id=space, source_id=new_id(), **{"said_at": NOW, **given})


def wellbeing(person):
    return indicate_wellbeing([person.space_id], now=NOW)[person.space_id]


def test_a_student_who_sinks_is_seen(ada):
    """Memories that grow darker by the week make a falling trend, with its numbers."""
    for week in range(6):
        for day in (1, 3):
            remember(ada, days_ago=7 * week + day, valence=-0.8 + 0.25 * week)
    found = wellbeing(ada)
    assert found.trend.direction == "falling" and found.trend.slope == pytest.approx(-0.25)
    assert found.memories == 12


def test_only_what_the_student_said_counts(ada):
    """What a teacher noticed is not the student's mood; what was superseded or removed was felt all the same."""
    remember(ada, days_ago=2, valence=-1, trust="teacher")
    assert wellbeing(ada).memories == 0
    remember(ada, days_ago=2, valence=0.5, superseded_at=NOW)
    assert wellbeing(ada).memories == 1 and wellbeing(ada).weeks.means[-1] == pytest.approx(0.5)


def test_weighty_memories_weigh_more(ada):
    """A week's mood is its memories' valence, weighted by their salience."""
    remember(ada, days_ago=1, valence=1, salience=0.9)
    remember(ada, days_ago=2, valence=-1, salience=0.3)
    assert wellbeing(ada).weeks.means[-1] == pytest.approx(0.5)


def test_a_new_student_is_too_little_to_tell(ada):
    """No memory, no alert, no activity: no claim."""
    found = wellbeing(ada)
    assert (found.trend.direction, found.memories, found.alerts, found.unseen) == ("too_little", 0, [], 0)
    assert (found.active_days, found.last_active) == (0, None)


def test_activity_is_counted_by_days(ada):
    """Days with a log-in or with anything said; twice on one day is one day, and a month ago is over."""
    for days_ago in (0, 0.1, 3, 27, 40):
        remember(ada, days_ago=days_ago, valence=0)
    found = wellbeing(ada)
    assert found.active_days == 3 and found.last_active == NOW.date()


def test_alerts_come_with_their_times(ada):
    """New and seen alerts are there, the newest first; only the new ones count as unseen."""
    seen = alert(ada.space_id, said_at=NOW - DAY, seen_at=NOW)
    new = alert(ada.space_id)
    found = wellbeing(ada)
    assert [item.id for item in found.alerts] == [new.pk, seen.pk] and found.unseen == 1


def test_spaces_are_told_apart(ada):
    """One student's indicators hold nothing of another's."""
    elsa = make_student("elsa").person
    remember(elsa, days_ago=1, valence=-1)
    alert(elsa.space_id)
    found = indicate_wellbeing([ada.space_id, elsa.space_id], now=NOW)
    assert (found[ada.space_id].memories, found[ada.space_id].unseen) == (0, 0)
    assert (found[elsa.space_id].memories, found[elsa.space_id].unseen) == (1, 1)


def test_a_class_asks_no_more_than_a_student(ada):
    """The number of queries does not grow with the number of spaces."""
    people = [ada, *(make_student(f"student{number}").person for number in range(4))]
    assert queries([ada]) == queries(people)


def queries(people):
    aliases = ("default", "metadata")
    with (
        CaptureQueriesContext(connections[aliases[0]]) as site,
        CaptureQueriesContext(connections[aliases[1]]) as meta,
    ):
        indicate_wellbeing([person.space_id for person in people], now=NOW)
    assert not any('FROM "memory_' in query["sql"] for query in site)
    return len(site), len(meta)


@cases(
    ("table", "column"),
    [
        ("memory_memorynode", "content"),
        ("memory_memorynode", "content_hash"),
        ("memory_memoryvector", "vector"),
        ("memory_memorysource", "speaker"),
        ("chat_message", "text"),
        ("ledger_ledgerentry", "content"),
        ("vault_sealedbox", "sealed_text"),
        ("vault_inboxkey", "private_key"),
    ],
)
def test_the_role_that_reads_it_cannot_read_a_sealed_column(ada, table, column):
    """The database refuses: a mistake in the code above could not show a word."""
    remember(ada, days_ago=1, valence=0)
    connection = connections["metadata"]
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT count(id) FROM "{table}"')  # noqa: S608 (names of the list above)
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(using="metadata"),
        connection.cursor() as cursor,
    ):
        cursor.execute(f'SELECT "{column}" FROM "{table}"')  # noqa: S608
