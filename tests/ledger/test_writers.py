"""Several writers of one ledger at once, and writers that die."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection

from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from ledger.entries import entry_history, list_entries
from ledger.errors import EntryChanged
from ledger.services import record_entry, revise_entry
from tests.factories import NOW, make_access
from tests.ledger.conftest import make_draft
from tests.racing import at_once

pytestmark = [pytest.mark.spec("G2")]

LATER = NOW + timedelta(hours=1)


def run_at_once(access, works):
    """Run each work on a connection of its own, together; return results and errors in order."""

    def unlock(work):
        with unlocked(access.space, access.key):
            try:
                return work()
            except Exception as error:  # noqa: BLE001 - handed to the test
                return error

    return at_once(*(partial(unlock, work) for work in works))


def test_writers_at_once_lose_nothing(committed):
    """Of several who record the same, one entry comes; of several who revise, each sits on top of another."""
    ada = make_access("ada")
    same = run_at_once(ada, [lambda: record_entry(ada.space, make_draft(), now=NOW)] * 4)
    assert len({row.pk for row in same}) == 1
    entry = same[0].entry_id
    changes = [{"importance": 0.1}, {"trigger_threshold": 0.9}, {"summary": "Debt"}, {"triggers": ["money"]}]
    works = [
        lambda change=change: revise_entry(ada.space, entry, changes=change, now=LATER) for change in changes
    ]
    assert sorted(row.revision for row in run_at_once(ada, works)) == [2, 3, 4, 5]
    with unlocked(ada.space, ada.key):
        (last,) = list_entries(ada.space)
        assert len(entry_history(ada.space, entry)) == 5
    assert (last.importance, last.trigger_threshold, last.summary, last.triggers) == (
        0.1,
        0.9,
        "Debt",
        ("money",),
    )
    works = [
        lambda share=share: revise_entry(
            ada.space, entry, changes={"importance": share}, now=LATER, revision=5
        )
        for share in (0.2, 0.3)
    ]
    outcomes = run_at_once(ada, works)
    assert sum(isinstance(outcome, EntryChanged) for outcome in outcomes) == 1


def test_a_writer_that_dies_leaves_nothing(committed):
    """A connection that breaks between two rows takes the whole change with it, and its lock."""
    ada = make_access("ada")
    with unlocked(ada.space, ada.key):
        row = record_entry(ada.space, make_draft(), now=NOW)

    def die():
        with space_scope(ada.space):
            revise_entry(ada.space, row.entry_id, changes={"content": "Half a change"}, now=LATER)
            connection.connection.close()

    (error,) = run_at_once(ada, [die])
    assert isinstance(error, Exception)
    with unlocked(ada.space, ada.key):
        assert [entry.content for entry in entry_history(ada.space, row.entry_id)] == [make_draft().content]
        assert revise_entry(ada.space, row.entry_id, changes={"importance": 0.1}, now=LATER).revision == 2
