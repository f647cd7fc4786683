"""What contradicts what is held: found at formation, settled by the strategy that applies, decided by the person."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from companion_site.audit.models import AuditEvent
from companion_site.embeddings.service import get_embedder
from companion_site.vault.scope import lock_space, space_scope, write_scope
from companion_site.vault.services import bump_version
from ledger.models import LedgerEntry
from memory.models import Contradiction, MemoryChange, MemoryEdge, MemoryNode
from memory.reconcile import Effect, read_changes
from memory.student.contradictions import (
    Doubt,
    Found,
    find_contradictions,
    find_doubts,
    list_open,
    resolve,
    settle,
)
from memory.student.errors import NoLongerHeld
from memory.student.pages.changes import recent_changes
from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.drafts import make_statement

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G8")]

TWELVE, FORTY, SEVEN = "My room is number 12.", "My room is number 40.", "My room is number 7."
MONDAY, DAY = NOW, timedelta(days=1)
STATE, STRATEGY = Contradiction.State, Contradiction.Strategy


def edges(teller, kind=MemoryEdge.Type.CONTRADICTS):
    with space_scope(teller.space):
        rows = MemoryEdge.objects.for_space(teller.space).filter(type=kind)
        return list(rows.values_list("source_id", "target_id"))


def actions(teller) -> list[str]:
    return list(
        AuditEvent.objects.filter(chain=teller.space).order_by("position").values_list("action", flat=True)
    )


def test_a_later_fact_retires_an_earlier_one(teller):
    """The later one is believed, the earlier one is history that points to it, and everything is on record."""
    (twelve,) = teller.tell(TWELVE)
    (forty,) = teller.tell(FORTY, at=NOW + DAY)
    assert teller.held() == {FORTY}
    old = teller.node(twelve)
    assert (old.superseded_by_id, old.superseded_at, old.content) == (forty, NOW + DAY, TWELVE)
    assert edges(teller) == [(forty, twelve)]
    (row,) = teller.contradictions()
    assert (row.state, row.strategy, row.found_by) == (STATE.RESOLVED, STRATEGY.NEWER_WINS, "reader")
    (change,) = teller.changes()
    assert (change.kind, change.node_ids) == (MemoryChange.Kind.SUPERSEDED, [str(twelve), str(forty)])
    assert "memory.superseded" in actions(teller)


def test_a_chain_of_updates_leaves_the_last(teller):
    """A, then B, then C: each retires the one before it, and nothing else."""
    for day, number in enumerate([12, 40, 7]):
        teller.tell(f"My room is number {number}.", at=NOW + day * DAY)
    assert teller.held() == {"My room is number 7."}
    assert [change.kind for change in teller.changes()] == ["superseded"] * 2


def test_what_becomes_true_again_is_believed_again(teller):
    """Twelve, forty, twelve: the third is a memory of its own, beside the first as history."""
    (first,) = teller.tell(TWELVE)
    teller.tell(FORTY, at=NOW + DAY)
    (again,) = teller.tell(TWELVE, at=NOW + 2 * DAY)
    assert again != first
    assert teller.held() == {TWELVE}


@cases(
    ("one", "other"),
    [
        ("I have a friend called Elin.", "I have a friend called Sara."),
        ("I speak Arabic.", "I speak English."),
        ("My sister lives in Oslo.", "I live in Bergen."),
        ("I lived in Oslo when I was six.", "I live in Bergen."),
        ("I live in Norway.", "I live in Oslo."),
    ],
)
def test_what_can_both_be_true_stays(teller, one, other):
    """Other people, other times, things one has several of, and a more exact place retire nothing, and nobody is asked."""
    teller.tell(one)
    teller.tell(other, at=NOW + DAY)
    assert teller.held() == {one, other}
    assert list_open(teller.space) == []


def test_what_barely_speaks_against_another_is_left_to_nobody(teller):
    """Between the two bars of doubt a pair is kept for the mark in a request: no edge, no question; of a company not at all."""
    pair = (
        "I go to class 7B and I live in Lund with my mum and my brother Noah.",
        "We have moved to Malmö.",
    )
    (home,) = teller.tell(pair[0])
    (moved,) = teller.tell(pair[1], at=NOW + DAY)
    (found,) = teller.contradictions()
    assert (found.earlier_id, found.later_id, found.strategy) == (home, moved, STRATEGY.MENTION)
    assert edges(teller) == [] and list_open(teller.space) == []
    assert find_doubts(teller.space, [home, moved]) == {home: [Doubt(by=moved, is_slight=True)]}
    persons, companys = (
        read_changes([pair], embedder=teller.memory.embedder, is_company=at_work)[0].effect
        for at_work in (False, True)
    )
    assert persons is Effect.HINTS and companys is not Effect.HINTS


def test_comparing_embeds_nothing(teller, monkeypatch):
    """Statements are compared by the vectors that they have, however many are held."""
    teller.tell(TWELVE)
    teller.tell("My bike is blue.")
    embedder = teller.memory.embedder
    vectors = embedder.embed([FORTY])
    monkeypatch.setattr(type(embedder), "embed", lambda *_: pytest.fail("embeds"))
    (found,) = _find(teller, [make_statement(FORTY)], vectors)
    assert (found.statement, found.found_by) == (0, "reader")


def test_what_lies_far_from_another_is_at_most_doubted():
    """Between the two bars of likeness nothing is retired and nothing is the same, however sure the reader is; below both it reads nothing."""
    pairs = [
        ("I live in Lund.", "I have moved from Lund to Malmö, I no longer live in Lund."),
        ("My brother is called Noah.", "My brother has the name Noah."),
    ]
    read = {
        likeness: tuple(
            change.effect for change in read_changes(pairs, [likeness] * 2, embedder=get_embedder())
        )
        for likeness in (1.0, 0.4, 0.2)
    }
    assert read == {
        1.0: (Effect.REPLACES, Effect.SAME),
        0.4: (Effect.DOUBTS, Effect.HINTS),
        0.2: (Effect.NONE, Effect.NONE),
    }


def test_never_fewer_current_facts_than_before(teller):
    """A retirement comes with what takes the place, in one transaction: broken off, nothing has changed."""
    teller.tell(TWELVE)
    statements, vectors, found = teller.think(FORTY)
    with pytest.raises(RuntimeError, match="killed"), space_scope(teller.space):
        teller.write(statements, vectors, found, at=NOW + DAY)
        assert teller.held() == {FORTY}
        raise RuntimeError("killed")
    assert teller.held() == {TWELVE}
    assert teller.contradictions() == teller.changes() == []


def test_what_another_writer_did_meanwhile_is_passed_over(teller):
    """Two workers thought at once: what the first retired, the second leaves as it is."""
    teller.tell(TWELVE)
    slow = teller.think("I live in Lund.")
    teller.tell(FORTY, at=NOW + DAY)
    teller.write(*slow, at=NOW + 2 * DAY)
    assert teller.held() == {FORTY, "I live in Lund."}
    assert len(teller.changes()) == 1


def test_what_was_said_later_wins_however_late_it_is_formed(teller):
    """A backlog is formed out of order: the moment of saying decides."""
    teller.tell(FORTY, at=NOW)
    teller.tell(TWELVE, at=NOW - 30 * DAY, now=NOW + DAY)
    assert teller.held() == {FORTY}


def test_the_later_statement_of_one_message_wins(teller):
    """Somebody corrects themselves in the same breath."""
    teller.tell("I'm 13 years old.", "I'm 14 years old now.")
    assert teller.held() == {"I'm 14 years old now."}


def test_said_at_one_moment_the_stronger_holds(teller):
    """Where neither is newer, the higher present gravity takes precedence."""
    (twelve,) = teller.tell(TWELVE)
    with space_scope(teller.space):
        MemoryNode.objects.for_space(teller.space).filter(pk=twelve).update(gravity=0.95)
    teller.tell(FORTY)
    assert teller.held() == {TWELVE}
    assert teller.contradictions()[0].strategy == STRATEGY.STRONGER_WINS


def test_manual_retires_nothing_and_waits_for_the_person(teller):
    """Both stay believed and are listed; nothing ties them before the person has said which holds."""
    (twelve,) = teller.tell(TWELVE)
    statements, vectors, found = teller.think(FORTY)
    found = [replace(one, strategy=STRATEGY.MANUAL) for one in found]
    (forty,) = teller.write(statements, vectors, found, at=NOW + DAY)
    assert teller.held() == {TWELVE, FORTY}
    assert edges(teller) == []
    (waiting,) = list_open(teller.space)
    assert (waiting.earlier_id, waiting.later_id) == (twelve, forty)
    resolve(teller.space, waiting.pk, keep="later", now=NOW + 2 * DAY)
    assert edges(teller) == [(forty, twelve)]


def test_two_events_that_felt_otherwise_do_not_contradict(teller):
    """What the reader sees no change in is no contradiction by its feeling alone: two outings, however alike."""
    teller.tell("Last Friday we took my dogs to a national park.", valence=0.9)
    _, _, found = teller.think("We took my dogs to the park nearby last Saturday.", valence=-0.7)
    assert [one.found_by for one in found] == []


def test_opposite_feelings_wait_for_the_person(teller):
    """Near in meaning and opposite in feeling is a contradiction to review: one bad day undoes no general feeling."""
    teller.tell("School with my class makes me feel good.", valence=0.7)
    _, _, found = teller.think("School with my class makes me feel bad.", valence=-0.7)
    assert [(one.found_by, one.strategy) for one in found] == [("valence", "manual")]


@cases(
    ("held", "new", "kept"),
    [
        ("teacher", "person", {TWELVE, FORTY}),
        ("person", "teacher", {TWELVE, FORTY}),
        ("derived", "person", {TWELVE, FORTY}),
        ("person", "derived", {TWELVE, FORTY}),
        ("teacher", "teacher", {FORTY}),
    ],
)
def test_nobodys_word_retires_anothers(teller, held, new, kept):
    """A statement of other trust goes to review, and so does what was merged from several."""
    teller.tell(TWELVE, trust=held)
    teller.tell(FORTY, trust=new, at=NOW + DAY)
    assert teller.held() == kept
    assert len(list_open(teller.space)) == (len(kept) == 2)


def test_what_the_ledger_holds_is_not_retired_by_itself(teller):
    """What must never be lost waits for the person."""
    (twelve,) = teller.tell(TWELVE)
    with space_scope(teller.space):
        LedgerEntry.objects.create(
            space_id=teller.space,
            node_id=twelve,
            category=LedgerEntry.Category.PROMISE,
            content=TWELVE,
            summary=TWELVE,
            triggers=[],
            trigger_entities=[],
            content_hash=b"0" * 32,
            importance=0.9,
            recorded_at=NOW,
        )
    teller.tell(FORTY, at=NOW + DAY)
    assert teller.held() == {TWELVE, FORTY}
    assert len(list_open(teller.space)) == 1


def test_different_speakers_do_not_contradict_each_other(teller):
    """Of two people, one has room twelve and one room forty."""
    teller.tell(TWELVE, speaker="Ada")
    teller.tell(FORTY, speaker="Bo", at=NOW + DAY)
    assert teller.held() == {TWELVE, FORTY}


@cases(("keep", "kept"), [("earlier", {TWELVE}), ("later", {FORTY}), ("both", {TWELVE, FORTY})])
def test_the_person_decides(teller, ada, keep, kept):
    """What they keep is believed, the other is history; or both are true and nothing ties them."""
    row = _open(teller)
    settled = resolve(teller.space, row.pk, keep=keep, now=NOW + 2 * DAY, actor=ada.person)
    assert teller.held() == kept
    assert settled.state == (STATE.BOTH_TRUE if keep == "both" else STATE.RESOLVED)
    assert list_open(teller.space) == []
    assert bool(edges(teller)) == (keep != "both")
    assert actions(teller)[-1] == "memory.contradiction_settled"


def _open(teller) -> Contradiction:
    teller.tell(TWELVE)
    statements, vectors, found = teller.think(FORTY)
    teller.write(statements, vectors, [replace(one, strategy=STRATEGY.MANUAL) for one in found], at=NOW + DAY)
    (row,) = teller.contradictions()
    return row


def test_nothing_is_decided_about_what_is_not_held(teller):
    """Where one of the two was retired meanwhile there is nothing to decide, and it is not listed."""
    row = _open(teller)
    teller.tell(SEVEN, at=NOW + 3 * DAY)
    assert list_open(teller.space) == []
    with pytest.raises(NoLongerHeld):
        resolve(teller.space, row.pk, keep="earlier", now=NOW + 4 * DAY)


def test_settling_twice_writes_once(teller):
    """The same findings again, as after a retried job, add nothing."""
    (twelve,) = teller.tell(TWELVE)
    statements, vectors, found = teller.think(FORTY)
    (forty,) = teller.write(statements, vectors, found, at=NOW + DAY)
    with write_scope(teller.space):
        assert settle(teller.space, found, [forty], now=NOW + DAY) == []
        MemoryNode.objects.for_space(teller.space).filter(pk=twelve).update(
            superseded_at=None, superseded_by=None
        )
        assert settle(teller.space, found, [forty], now=NOW + DAY) == []


def test_a_statement_that_left_no_memory_settles_nothing(teller):
    """Findings about a statement without a memory, or about itself, are passed over."""
    (twelve,) = teller.tell(TWELVE)
    found = [Found(statement=0, earlier=twelve, found_by="reader", strategy="newer_wins")]
    with write_scope(teller.space):
        assert settle(teller.space, found, [None], now=NOW) == []
        assert settle(teller.space, found, [twelve], now=NOW) == []
    assert teller.held() == {TWELVE}


@cases(
    "text",
    ["", " ", "🙂🙂🙂", "42", "7.30", "no", "inte", "\u200b", "a " * 16_000, "'" * 500, "not " * 4_000],
)
def test_hostile_input_contradicts_nothing(teller, text):
    """Empty, endless and meaningless statements are compared without harm."""
    teller.tell(TWELVE)
    statements = [make_statement(text)]
    vectors = np.full((1, teller.memory.embedder.dimension), np.nan, dtype=np.float32)
    assert _find(teller, statements, vectors) == []
    assert _find(teller, statements, np.zeros_like(vectors)) == []


def _find(teller, statements, vectors, **given):
    return find_contradictions(
        statements,
        vectors,
        working_set=teller.memory.working_set(),
        embedder=teller.memory.embedder,
        language="en",
        **given,
    )


def test_nobody_is_asked_which_of_two_holds_that_speaks_of_danger(teller):
    """What speaks of danger is compared with nothing: not when it is said, and not later with what is said then."""
    statements, vectors, found = teller.think(TWELVE, FORTY)
    assert found
    assert _find(teller, statements, vectors, of_danger=frozenset({1})) == []
    (held,) = teller.tell(TWELVE)
    with space_scope(teller.space):
        MemoryNode.objects.for_space(teller.space).filter(pk=held).update(of_danger=True)
        lock_space(teller.space)
        bump_version(teller.space)
    assert teller.think(FORTY)[2] == []


def test_only_near_neighbours_are_compared(teller):
    """A memory far from what was said is not looked at, however its values differ."""
    teller.tell(TWELVE)
    statements = [make_statement(FORTY)]
    vectors = -teller.memory.embedder.embed([TWELVE])
    assert _find(teller, statements, vectors) == []


def test_recent_changes_are_told_with_their_words(teller):
    """Newest first, the retired memory before the one that took its place."""
    teller.tell(TWELVE)
    teller.tell(FORTY, at=NOW + DAY)
    teller.tell(SEVEN, at=NOW + 2 * DAY)
    newest, oldest = recent_changes(teller.space, now=NOW + 2 * DAY)
    assert [memory.text for memory in oldest.gone] == [TWELVE] and oldest.became.text == FORTY
    assert newest.became.text == SEVEN and newest.became.ended_at is None
    assert oldest.undone_at is None and newest.can_be_undone
