"""Which entries a text brings up, by which evidence, and in which order; and the index of a space that is held: never behind, nobody else's."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_site.errors import SpaceLocked
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.plaintext import forget_space, held_spaces
from ledger.entries import EntryData
from ledger.matching import MATCHING, EntryIndex, entry_indexes, find_triggered
from ledger.services import record_entry, revise_entry, switch_entry
from tests.cases import cases
from tests.factories import NOW, make_access
from tests.ledger.conftest import make_draft

pytestmark = [pytest.mark.spec("G2", "G9")]

LATER = NOW + timedelta(hours=1)


def make_entry(content="I owe Amir two hundred kronor.", **overrides) -> EntryData:
    row = {"id": new_id(), "entry_id": new_id(), "revision": 1, "recorded_at": NOW, "superseded_at": None}
    said = {"category": "debt", "content": content, "summary": content[:20], "is_active": True}
    return EntryData(**{**row, **said, **overrides})


def find(text, *entries):
    return EntryIndex(entries).find(text, now=NOW)


def contents(text, *entries):
    return [one.content for one in find(text, *entries)]


@cases(
    ("trigger", "text", "surfaces"),
    [
        ("kronor", "How many kronor was it?", True),
        ("KRONOR", "how many kronor", True),
        ("book", "the books are heavy", True),
        ("läxa", "Läxorna är klara", True),
        ("läxa", "matteläxan är klar", True),
        ("neural networks", "Tell me about neural  networks!", True),
        ("neural networks", "a neural model of networks", False),
        ("art", "we start at the party", False),
        ("C++", "I like C++ most", True),
        ("\uff21\uff2d\uff29\uff32", "amir", True),
        ("Åsa", "A\u030asa ringde", True),
        ("kronor", "kro\u200bnor", True),
        ("(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", False),
        ("book", "", False),
    ],
)
def test_a_trigger_is_found_as_a_word(trigger, text, surfaces):
    """Case, width, ending and compound do not hide it; parts of other words are not it; no sign is an instruction."""
    assert bool(find(text, make_entry(triggers=(trigger,)))) == surfaces


@cases(
    ("threshold", "text", "surfaces"),
    [
        (0.5, "kronor", True),
        (0.5, "amir", True),
        (0.7, "kronor", False),
        (0.7, "Amir", True),
        (0.7, "Amirs", False),
        (0.7, "kronor for the ticket", True),
        (0.7, "kronor kronor kronor", False),
        (0.95, "kronor for the ticket", False),
        (1.0, "Amir wants kronor for the ticket", True),
        (0.0, "ticket", True),
    ],
)
def test_evidence_must_reach_the_threshold(threshold, text, surfaces):
    """One word may do or not; the same word again is no more evidence; all phrases together always do."""
    entry = make_entry(triggers=("kronor", "ticket"), trigger_entities=("Amir",), trigger_threshold=threshold)
    assert bool(find(text, entry)) == surfaces


def test_the_score_is_the_formula():
    """1 - Π(1 - w) over distinct phrases, by exactness and kind; 1 where all were found."""
    entry = make_entry(
        triggers=("kronor", "ticket", "Friday"), trigger_entities=("Amir",), trigger_threshold=0.1
    )
    (one,) = find("Amirs kronor, kronor", entry)
    missing = (1 - MATCHING.entity_inflected) * (1 - MATCHING.trigger_exact)
    assert one.score == pytest.approx(1 - missing)
    (one,) = find("Amir gets kronor for the ticket on Friday", entry)
    assert one.score == 1.0


def test_the_most_important_comes_first_then_the_surest():
    """Importance leads, evidence decides among equals, and both kinds keep to their limits."""
    low = make_entry("low", triggers=("tea",), importance=0.2)
    weak = make_entry("weak", triggers=("tea", "milk", "cup"), importance=0.9)
    sure = make_entry("sure", trigger_entities=("Tea", "Ceylon"), importance=0.9)
    rule = make_entry("rule", importance=0.5)
    assert contents("tea", low, weak, sure, rule) == ["sure", "weak", "rule", "low"]
    crowd = [make_entry(f"tea {number}", triggers=("tea",), importance=0.1) for number in range(50)]
    found = contents("tea", *crowd, low, rule)
    assert found[:2] == ["rule", "low"] and len(found) == MATCHING.triggered + 1
    rules = [make_entry(f"rule {number}") for number in range(50)]
    found = contents("tea", low, *rules)
    assert len(found) == MATCHING.standing + 1 and "low" in found


def test_only_what_holds_now_surfaces():
    """What has expired since the index was built is silent, and so is what is retired or superseded."""
    soon = make_entry(triggers=("tea",), expires_at=NOW + timedelta(minutes=1))
    index = EntryIndex([soon])
    assert index.find("tea", now=NOW)
    assert not index.find("tea", now=soon.expires_at)
    assert not find("tea", make_entry(triggers=("tea",), is_active=False), make_entry(superseded_at=NOW))


@given(st.lists(st.text(max_size=12), max_size=4), st.text(max_size=60))
def test_no_text_breaks_the_search(triggers, text):
    """Whatever triggers and texts are made of, a score is a share."""
    for one in find(text, make_entry(triggers=tuple(triggers), trigger_threshold=0.01)):
        assert 0 < one.score <= 1


def summaries(space, text, now=LATER):
    return [one.summary for one in find_triggered(space, text, now=now)]


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_only_new_rows_are_opened_again(space):
    """A write brings in its own row; the entries that stand are not decrypted a second time."""
    for number in range(5):
        record_entry(space, make_draft(f"Entry {number}"), now=NOW)
    before = {entry.id: entry for entry in entry_indexes.get(space).entries}
    record_entry(space, make_draft("Entry 5"), now=LATER)
    after = entry_indexes.get(space).entries
    assert len(after) == 6
    assert all(before.get(entry.id, entry) is entry for entry in after)


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_words_go_with_their_person(space):
    """What is held of a space goes when its person does."""
    entry_indexes.get(space)
    assert space in entry_indexes and space in held_spaces()
    forget_space(space)
    assert space not in entry_indexes
