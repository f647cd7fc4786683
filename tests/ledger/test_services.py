"""The ledger is written in revisions: nothing edited, nothing lost, nothing twice."""

import math
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from companion_site.audit.services import find_breaks
from companion_site.errors import NotFound, SpaceLocked
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope, write_scope
from ledger.entries import LIMITS, entry_history, list_entries, live_sources
from ledger.errors import EntryChanged, EntryExists, InvalidEntry
from ledger.models import LedgerEntry
from ledger.services import record_entries, record_entry, revise_entry, switch_entry
from tests.audit.record import actions, events
from tests.cases import cases
from tests.factories import NOW, make_access
from tests.ledger.conftest import make_draft

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G2")]

LATER = NOW + timedelta(hours=1)


def count(space):
    with space_scope(space):
        return LedgerEntry.objects.for_space(space).count()


def version(space):
    return Space.objects.get(pk=space).version


def test_an_entry_keeps_every_field(space):
    """What was drafted is what is read, word for word."""
    node, expiry = new_id(), NOW + timedelta(days=30)
    draft = make_draft(
        "Jag är skyldig Åsa en förklaring \u2014 100 % 🙂",
        summary="En förklaring till Åsa",
        triggers=["förklaring", "C++"],
        trigger_entities=["Åsa"],
        importance=0.6,
        trigger_threshold=0.7,
        expires_at=expiry,
        node_id=node,
        trust="teacher",
    )
    record_entry(space, draft, now=NOW)
    (entry,) = list_entries(space)
    kept = {name: getattr(entry, name) for name in draft.__dataclass_fields__}
    assert kept == {**draft.__dict__, "triggers": ("förklaring", "C++"), "trigger_entities": ("Åsa",)}
    assert entry.revision == 1 and entry.is_live(NOW) and entry.recorded_at == NOW


def test_the_same_words_are_one_entry(space):
    """Said again, however cased and spaced, an entry stays as it is; in another category it is another."""
    first = record_entry(space, make_draft(), now=NOW)
    before = version(space)
    for text in (
        "I owe Amir two hundred kronor.",
        "  i OWE amir two  hundred kronor!! ",
        "I owe Amir two hundred kronor",
    ):
        assert record_entry(space, make_draft(text), now=LATER).pk == first.pk
    assert version(space) == before
    assert actions(space, "ledger.") == ["ledger.recorded"]
    assert record_entry(space, make_draft(category="promise"), now=LATER).entry_id != first.entry_id


def test_several_entries_are_written_together(space):
    """Each is written and told of in order, one that says the same as another is that, and of one that cannot be written none is."""
    words = ("I owe Amir two hundred kronor.", "I owe Bo a book.", "i owe amir TWO hundred kronor")
    first, other, again = record_entries(space, [make_draft(text) for text in words], now=NOW)
    assert again is first and other.entry_id != first.entry_id
    assert {entry.content for entry in list_entries(space)} == {*words[:2]}
    assert actions(space, "ledger.") == ["ledger.recorded"] * 2 and version(space) == 1
    with pytest.raises(InvalidEntry):
        record_entries(space, [make_draft("I owe Cleo a pen."), make_draft(" ")], now=NOW)
    assert record_entries(space, [], now=NOW) == [] and count(space) == 2


def test_a_change_is_a_new_revision(space):
    """The row before keeps its bytes; only that it was superseded, when and by which, is added."""
    first = record_entry(space, make_draft(), now=NOW)
    fields = [field.attname for field in LedgerEntry._meta.concrete_fields]

    def raw(pk):
        with space_scope(space), connection.cursor() as cursor:
            columns = ", ".join(field.column for field in LedgerEntry._meta.concrete_fields)
            cursor.execute(f"SELECT {columns} FROM ledger_ledgerentry WHERE id = %s", [pk])  # noqa: S608 - columns of our own
            return dict(zip(fields, cursor.fetchone(), strict=True))

    before = raw(first.pk)
    second = revise_entry(space, first.entry_id, changes={"content": "I paid Amir back."}, now=LATER)
    after = raw(first.pk)
    changed = {name for name in fields if before[name] != after[name]}
    assert changed == {"superseded_at", "superseded_by_id"}
    assert (after["superseded_at"], after["superseded_by_id"]) == (LATER, second.pk)
    newer, older = entry_history(space, first.entry_id)
    assert (older.content, newer.content) == ("I owe Amir two hundred kronor.", "I paid Amir back.")
    assert (older.revision, newer.revision, newer.summary) == (1, 2, "I paid Amir back.")
    assert [entry.id for entry in list_entries(space)] == [second.pk]


def test_a_revision_that_changes_nothing_is_none(space):
    """The same values again write no row, no event and no version."""
    row = record_entry(space, make_draft(), now=NOW)
    before = version(space)
    assert revise_entry(space, row.entry_id, changes={"triggers": ["kronor"]}, now=LATER).pk == row.pk
    assert version(space) == before and count(space) == 1


def test_a_revision_goes_on_top_of_the_last(space):
    """Two who change different things both have their way; one who looked at an older revision is told."""
    row = record_entry(space, make_draft(), now=NOW)
    revise_entry(space, row.entry_id, changes={"importance": 0.9}, now=LATER, revision=1)
    revise_entry(space, row.entry_id, changes={"triggers": ["money"]}, now=LATER)
    (entry,) = list_entries(space)
    assert (entry.importance, entry.triggers, entry.revision) == (0.9, ("money",), 3)
    with pytest.raises(EntryChanged):
        revise_entry(space, row.entry_id, changes={"importance": 0.1}, now=LATER, revision=1)
    with pytest.raises(NotFound):
        revise_entry(space, row.pk, changes={"importance": 0.1}, now=LATER)
    assert count(space) == 3


def test_an_entry_is_retired_and_brought_back(space):
    """Both are revisions; what is retired is listed and not live, and doing it twice does it once."""
    row = record_entry(space, make_draft(node_id=new_id()), now=NOW)
    assert live_sources(space, now=NOW) == {row.node_id}
    switch_entry(space, row.entry_id, is_active=False, now=LATER)
    switch_entry(space, row.entry_id, is_active=False, now=LATER)
    (entry,) = list_entries(space)
    assert not entry.is_live(LATER) and entry.revision == 2
    assert live_sources(space, now=LATER) == set()
    switch_entry(space, row.entry_id, is_active=True, now=LATER)
    assert list_entries(space)[0].is_live(LATER)
    assert actions(space, "ledger.") == ["ledger.recorded", "ledger.deactivated", "ledger.reactivated"]


def test_words_of_a_retired_entry_may_be_recorded_anew(space):
    """The new entry holds; the old one cannot come back beside it, nor can a third be revised to say the same."""
    row = record_entry(space, make_draft(), now=NOW)
    other = record_entry(space, make_draft("I owe Bo a book."), now=NOW)
    switch_entry(space, row.entry_id, is_active=False, now=NOW)
    record_entry(space, make_draft(), now=LATER)
    with pytest.raises(EntryExists):
        switch_entry(space, row.entry_id, is_active=True, now=LATER)
    with pytest.raises(EntryExists):
        revise_entry(space, other.entry_id, changes={"content": make_draft().content}, now=LATER)
    assert sum(entry.is_live(LATER) for entry in list_entries(space)) == 2


def test_an_expired_entry_said_again_holds_again(space):
    """It becomes the next revision of the same entry, and an expired one can still be corrected."""
    row = record_entry(space, make_draft(expires_at=LATER), now=NOW)
    after = LATER + timedelta(days=1)
    assert not list_entries(space)[0].is_live(LATER)
    revise_entry(space, row.entry_id, changes={"importance": 0.2}, now=after)
    assert not list_entries(space)[0].is_live(after)
    again = record_entry(space, make_draft(), now=after)
    assert (again.entry_id, again.revision) == (row.entry_id, 3)
    assert list_entries(space)[0].is_live(after)


REGEX = ["(a+)+$", "[", "*", ".*?", "\\"]
REFUSED = [
    {"triggers": [f"word{number}" for number in range(10_000)]},
    {"triggers": REGEX},
    {"triggers": ["🙂"]},
    {"triggers": ["ok", "x" * (LIMITS.phrase_chars + 1)]},
    {"trigger_entities": ["!?"]},
    {"content": ""},
    {"content": " \u200b\x00 "},
    {"content": "a" * (LIMITS.content_chars + 1)},
    {"summary": "a" * (LIMITS.summary_chars + 1)},
    {"category": "gossip"},
    {"trust": "derived"},
    {"importance": math.nan},
    {"importance": math.inf},
    {"importance": 10**400},
    {"importance": -0.1},
    {"trigger_threshold": 1.1},
    {"expires_at": NOW},
    {"expires_at": NOW - timedelta(days=1)},
    {"expires_at": NOW.replace(tzinfo=None)},
]


@cases("fields", REFUSED)
def test_what_cannot_be_kept_is_refused_whole(space, fields):
    """A draft that is too large, unusable or of no known kind is a clear error, and nothing of it is written."""
    with pytest.raises(InvalidEntry) as refusal:
        record_entry(space, make_draft(**{"content": "I owe Bo a book.", **fields}), now=NOW)
    assert str(refusal.value).endswith(".")
    assert count(space) == 0 and actions(space, "ledger.") == [] and version(space) == 0


def test_triggers_are_cleaned(space):
    """Blank ones go, the same in another case, width or spacing is one, and a name is no trigger besides."""
    triggers = [
        "  ",
        "",
        "Neural  networks",
        "neural networks",
        "\uff2eeural networks",
        "amir",
        "\u202ebook\x00",
    ]
    record_entry(space, make_draft(triggers=triggers), now=NOW)
    (entry,) = list_entries(space)
    assert entry.triggers == ("Neural networks", "book")


def test_a_summary_is_made_where_there_is_none(space):
    """It is the content on one line, cut at a word."""
    record_entry(space, make_draft("I owe Amir\n" + "very " * 100 + "much."), now=NOW)
    (entry,) = list_entries(space)
    assert len(entry.summary) <= LIMITS.summary_chars
    assert entry.summary.startswith("I owe Amir very") and entry.summary.endswith("very…")


def test_another_space_sees_and_changes_nothing(space):
    """An entry's id is worth nothing in another space, and without the key nothing is written."""
    row = record_entry(space, make_draft(), now=NOW)
    eve = make_access("eve")
    with unlocked(eve.space, eve.key):
        assert list_entries(eve.space) == []
        with pytest.raises(NotFound):
            entry_history(eve.space, row.entry_id)
        for is_active in (False, True):
            with pytest.raises(NotFound):
                switch_entry(eve.space, row.entry_id, is_active=is_active, now=LATER)
        with pytest.raises(NotFound):
            revise_entry(eve.space, row.entry_id, changes={"importance": 1.0}, now=LATER)
        record_entry(eve.space, make_draft(), now=NOW)
    with pytest.raises(SpaceLocked):
        record_entry(eve.space, make_draft("I owe Bo a book."), now=NOW)
    assert count(eve.space) == 1


def test_every_change_is_on_record_without_a_word(space, ada):
    """Each change is one event that names ids, and the chain holds."""
    row = record_entry(space, make_draft(), now=NOW, actor=ada.person)
    revise_entry(space, row.entry_id, changes={"content": "I owe Amir nothing."}, now=LATER, actor=ada.person)
    assert actions(space, "ledger.") == ["ledger.recorded", "ledger.revised"]
    for event in events(space, "ledger."):
        assert event.actor_id == ada.person.pk and event.data["entry"] == str(row.entry_id)
        assert "Amir" not in str(event.data)
    assert list(find_breaks(space)) == []


def test_a_failed_caller_leaves_nothing_behind(space):
    """Recording joins the caller's transaction: what comes after it takes it back whole."""
    before = version(space)
    with pytest.raises(RuntimeError), write_scope(space):
        record_entry(space, make_draft(category="threat"), now=NOW)
        raise RuntimeError
    assert count(space) == 0 and version(space) == before and actions(space, "ledger.") == []


def test_the_database_refuses_two_last_revisions(space):
    """Even code that goes round the services cannot make an entry say two things."""
    row = record_entry(space, make_draft(), now=NOW)
    with pytest.raises(IntegrityError), space_scope(space), transaction.atomic():
        LedgerEntry.objects.create(
            space_id=space,
            entry_id=row.entry_id,
            revision=2,
            category="debt",
            content="Another",
            summary="Another",
            triggers=[],
            trigger_entities=[],
            content_hash=b"1" * 32,
            importance=0.5,
            recorded_at=NOW,
        )
