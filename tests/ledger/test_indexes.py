"""The index of a space that is held in memory: never behind, never anybody else's, and gone with its person."""

from datetime import timedelta

import pytest

from companion_site.errors import SpaceLocked
from companion_site.vault import unlocked
from companion_site.vault.plaintext import forget_space, held_spaces
from ledger.matching import entry_indexes, find_triggered
from ledger.services import record_entry, revise_entry, switch_entry
from tests.factories import NOW, make_access
from tests.ledger.conftest import make_draft

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G2", "G9")]

LATER = NOW + timedelta(hours=1)


def summaries(space, text, now=LATER):
    return [one.summary for one in find_triggered(space, text, now=now)]


def test_every_change_is_seen_at_once(space):
    """Recorded, revised, retired or expired: the next message sees it."""
    assert summaries(space, "Amir") == []
    row = record_entry(space, make_draft(expires_at=LATER + timedelta(hours=1)), now=NOW)
    assert summaries(space, "Amir") == ["I owe Amir two hundred kronor."]
    revise_entry(space, row.entry_id, changes={"trigger_entities": ["Bo"], "summary": "Debt"}, now=NOW)
    assert summaries(space, "Amir") == []
    assert summaries(space, "Bo") == ["Debt"]
    assert summaries(space, "Bo", now=LATER + timedelta(hours=2)) == []
    switch_entry(space, row.entry_id, is_active=False, now=NOW)
    assert summaries(space, "Bo") == []


def test_only_new_rows_are_opened_again(space):
    """A write brings in its own row; the entries that stand are not decrypted a second time."""
    for number in range(5):
        record_entry(space, make_draft(f"Entry {number}"), now=NOW)
    before = {entry.id: entry for entry in entry_indexes.get(space).entries}
    record_entry(space, make_draft("Entry 5"), now=LATER)
    after = entry_indexes.get(space).entries
    assert len(after) == 6
    assert all(before.get(entry.id, entry) is entry for entry in after)


def test_spaces_are_kept_apart(ada):
    """What one space holds surfaces nowhere else, and a locked space gives nothing, though its index is held here."""
    eve = make_access("eve")
    with unlocked(ada.space, ada.key):
        record_entry(ada.space, make_draft(), now=NOW)
        assert summaries(ada.space, "Amir")
    with unlocked(eve.space, eve.key):
        assert summaries(eve.space, "Amir") == []
    for space in (ada.space, eve.space):
        with pytest.raises(SpaceLocked):
            find_triggered(space, "Amir", now=NOW)


def test_words_go_with_their_person(space):
    """What is held of a space goes when its person does."""
    entry_indexes.get(space)
    assert space in entry_indexes and space in held_spaces()
    forget_space(space)
    assert space not in entry_indexes
