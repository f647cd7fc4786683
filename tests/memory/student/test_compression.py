"""Compression of a space: what goes, what becomes one, and what is never touched; and gravity, by which it goes."""

from datetime import datetime, timedelta

import numpy as np
import pytest

from companion_site.audit.models import AuditEvent
from companion_site.audit.services import find_breaks
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.algorithms.decay import boost_gravity, decay_gravity
from memory.models import MemoryEdge, MemoryNode, MemorySource
from memory.student.recall.ranking import rank_memories
from memory.student.store import touch
from tests.cases import cases
from tests.factories import NOW
from tests.memory.student.kept import EVENING, LATER, MORNING, busy_memory, dense, doubt, slept

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G5")]


def test_what_sleep_has_covered_and_has_faded_goes(kept):
    """Below the noise floor of 0.382, and covered by a sleep, before which nothing goes: a tombstone stays, with its content for 30 days."""
    faded, fresh, unslept = (kept.say([text])[0] for text in (MORNING[0], EVENING[0], EVENING[1]))
    slept(kept, [faded, fresh])
    kept.set([fresh], gravity=0.9, accessed_at=LATER)
    kept.set([unslept], gravity=0.0, salience=0.0)
    run = kept.compress()
    assert set(kept.active()) == {fresh, unslept}
    with space_scope(kept.space), unlocked(kept.space, kept.key):
        row = MemoryNode.objects.for_space(kept.space).get(pk=faded)
        assert (row.removed_at, row.content_until) == (LATER, LATER + timedelta(days=30))
        assert row.content == MORNING[0]
        assert row.merged_into_id is None
    assert run.loss["pruned"]["nodes"] == 1
    assert run.loss["bits"]["semantic"] > 0
    assert run.loss["bits"]["episodic"] == 0


def test_long_term_memories_go_only_where_there_are_too_many(kept):
    """Lowest gravity first, and no more than needed."""
    nodes = [kept.say([text])[0] for text in (*MORNING, *EVENING)]
    slept(kept, nodes)
    kept.set(nodes, tier="long_term", accessed_at=LATER)
    for number, node in enumerate(nodes):
        kept.set([node], gravity=0.1 + number / 100)
    kept.compress()
    assert len(kept.active()) == 6
    run = kept.compress(max_nodes=4)
    assert set(kept.active()) == set(nodes[2:])
    assert run.after["nodes"] == 4


def test_what_the_ledger_holds_is_never_pruned_or_merged(kept):
    """A live entry keeps the memory it came from; one that is over does not."""
    live, over, other = kept.say(MORNING, edges=dense(3))
    slept(kept, [live, over, other])
    kept.keep_in_ledger(live)
    kept.keep_in_ledger(over, is_active=False)
    kept.compress()
    assert list(kept.active()) == [live]


def test_what_the_person_has_yet_to_decide_is_left_alone(kept):
    """Two memories under review stay until the review is done."""
    nodes = kept.say(MORNING[:2], edges=dense(2))
    slept(kept, nodes)
    doubt(kept.space, *nodes)
    kept.compress()
    assert set(kept.active()) == set(nodes)


def test_history_stays_as_long_as_a_tombstone_does(kept):
    """A superseded memory is neither merged nor, within 30 days, pruned."""
    old, older, new = kept.say(MORNING, edges=dense(3))
    slept(kept, [old, older])
    kept.set([old], superseded_at=LATER - timedelta(days=29), superseded_by=new)
    kept.set([older], superseded_at=NOW, superseded_by=new)
    kept.compress()
    assert set(kept.nodes(removed_at=None)) == {old, new}


def test_what_hangs_together_becomes_one_that_lists_its_sources(kept):
    """One node says every statement, in order of time, and names every place that its members came from."""
    nodes = kept.say(MORNING, edges=dense(3))
    other = kept.say(EVENING[:1])[0]
    kept.join(nodes[1], other, 0.4)
    kept.compress()
    (merged,) = set(kept.active()) - {other}
    assert kept.active()[merged] == "\n".join(f"{text}." for text in MORNING)
    with space_scope(kept.space), unlocked(kept.space, kept.key):
        row = MemoryNode.objects.for_space(kept.space).get(pk=merged)
        assert row.trust == "derived"
        assert [(s.start, s.end) for s in row.sources.for_space(kept.space)] == [
            (100 * number, 100 * number + len(text)) for number, text in enumerate(MORNING)
        ]
        members = MemoryNode.objects.for_space(kept.space).filter(merged_into=merged)
        assert set(members.values_list("pk", flat=True)) == set(nodes)
        assert len(row.vectors.for_space(kept.space).get().vector) == get_embedder().dimension
        edge = MemoryEdge.objects.for_space(kept.space).get()
        assert (edge.source_id, edge.target_id, edge.weight) == (merged, other, 0.4)


@cases(
    ("first", "second"),
    [
        ("My favourite colour is purple", "My favourite colour is cyan"),
        ("I have 2 cats", "I have 3 cats"),
        ("I like maths a lot", "I do not like maths a lot"),
        ("My best friend is Oskar", "My best friend is Fatima"),
    ],
)
@cases("together", [True, False])
def test_values_that_differ_are_never_merged(kept, first, second, together):
    """Whatever holds them together: edge, message or likeness, down to any target."""
    nodes = kept.say([first, second]) if together else [kept.say([text])[0] for text in (first, second)]
    kept.join(*nodes, 1.0, "SUPPORTS")
    kept.compress(max_nodes=1)
    assert set(kept.active()) == set(nodes)


def test_the_same_said_again_becomes_one(kept):
    """Without an edge between them, however cased and ended, and from both messages."""
    text, again = "They bring me so much joy.", "they bring me so much  joy!"
    kept.say([text]), kept.say([again], at=NOW + timedelta(days=1))
    kept.compress()
    (merged,) = kept.active()
    with space_scope(kept.space):
        assert MemorySource.objects.for_space(kept.space).filter(node_id=merged).count() == 2


@cases("difference", [{"tier": "long_term"}, {"trust": "teacher"}, {"language": "sv"}, {"category": "goals"}])
def test_what_is_of_two_kinds_does_not_become_one(kept, difference):
    """Tiers, vouchers, languages and categories are not mixed."""
    nodes = kept.say(MORNING[:2], edges=dense(2))
    kept.set(nodes[:1], **difference)
    kept.compress(max_nodes=1)
    assert set(kept.active()) == set(nodes)


def test_what_two_people_said_does_not_become_one(kept):
    """A statement of somebody else's in the conversation is not the person's own."""
    mine, theirs = kept.say(MORNING[:1])[0], kept.say(MORNING[1:2], speaker="Fatima")[0]
    kept.join(mine, theirs, 1.0)
    kept.compress()
    assert set(kept.active()) == {mine, theirs}


def test_a_merged_memory_weighs_what_its_heaviest_member_would(kept):
    """At every later moment; gravity as a whole never grows."""
    nodes = kept.say(MORNING, edges=dense(3))
    kept.set(nodes[:1], gravity=0.9, accessed_at=NOW - timedelta(days=9))
    kept.set(nodes[1:2], gravity=0.6, accessed_at=NOW, salience=0.8)
    run = kept.compress()
    assert run.after["gravity"] <= run.before["gravity"]
    (merged,) = kept.nodes(removed_at=None).values()
    for days in (30, 37, 400):
        present = [at(kept.nodes()[node], NOW + timedelta(days=days)) for node in nodes]
        assert at(merged, NOW + timedelta(days=days)) == pytest.approx(max(present), rel=1e-12)


def at(node: MemoryNode, moment: datetime) -> float:
    age_days = (moment - node.accessed_at).total_seconds() / 86_400
    return float(decay_gravity(node.gravity, salience=node.salience, age_days=age_days))


def test_to_a_target_the_statements_of_one_message_come_together_first(kept):
    """Above the bound, what was said together becomes one before anything is dropped."""
    kept.say(MORNING), kept.say(EVENING)
    kept.compress()
    assert len(kept.active()) == 6
    run = kept.compress(max_nodes=3)
    assert len(kept.active()) == 3
    assert run.loss["pruned"]["nodes"] == 0
    kept.compress(max_nodes=2)
    assert sorted(text.split()[0] for text in kept.active().values()) == ["I", "My"]


def test_a_settled_memory_stays_as_it_is(kept):
    """A second compression at the same moment changes no row, and says so."""
    kept.say(MORNING, edges=dense(3)), kept.say(EVENING, edges=dense(3, 0.65))
    first = kept.compress(max_nodes=3)
    before, version = kept.look(versions=True), Space.objects.get(pk=kept.space).version
    second = kept.compress(max_nodes=3)
    assert kept.look(versions=True) == before
    assert Space.objects.get(pk=kept.space).version == version
    assert (second.cycles, second.integrity_hash) == (1, first.integrity_hash)
    assert first.cycles <= 3


def test_a_memory_without_a_vector_or_with_an_empty_one_is_left_alone(kept):
    """There is nothing that it could be found by once it is part of another."""
    zeros = np.zeros((2, get_embedder().dimension), np.float32)
    nodes = kept.say(MORNING[:2], edges=dense(2), vectors=zeros)
    kept.compress(max_nodes=1)
    assert set(kept.active()) == set(nodes)


def test_a_merge_that_would_say_what_another_memory_says_is_left_out(kept):
    """The same words are believed once; the cluster stays as it is and everything else goes on."""
    nodes = kept.say(MORNING[:2], edges=dense(2))
    whole = kept.say([f"{MORNING[0]}.\n{MORNING[1]}"], trust="teacher")
    kept.say(EVENING[:2], edges=dense(2))
    kept.compress()
    assert set(kept.active()) >= {*nodes, *whole}
    assert len(kept.active()) == 4


def test_recall_finds_what_was_merged(kept, sets):
    """Words and meaning of each member lead to the merged memory, in a working set that was there before."""
    embedder = get_embedder()
    kept.say(MORNING, edges=dense(3)), kept.say(EVENING, edges=dense(3))

    def first(question: str) -> str:
        with unlocked(kept.space, kept.key):
            held = sets.get(kept.space, model=embedder.model, dimension=embedder.dimension)
            (vector,) = embedder.embed([question])
            return held.nodes[rank_memories(held, question, vector=vector, now=LATER).order[0]].text

    assert first("What does Moses do at night with the curtains?") == MORNING[2]
    kept.compress()
    assert MORNING[2] in first("What does Moses do at night with the curtains?")
    assert EVENING[0] in first("When do I play handball?")


@pytest.mark.spec("G6")
def test_the_run_and_the_audit_chain_hold_numbers_and_the_hash(kept):
    """Before and after, cycles, the loss in bits and the integrity hash; not a word."""
    kept.say(MORNING, edges=dense(3))
    run = kept.compress()
    assert run.state == "done" and run.progress == 1.0 and run.finished_at == LATER
    assert (run.before["nodes"], run.after["nodes"]) == (3, 1)
    assert (run.before["edges"], run.after["edges"]) == (3, 0)
    assert run.integrity_hash == kept.hash()
    assert run.loss["merged"]["nodes"] == 3 and run.loss["merged"]["into"] == 1
    assert sum(run.loss["bits"].values()) == pytest.approx(
        run.loss["entropy"]["before"] - run.loss["entropy"]["after"], abs=1e-5
    )
    (event,) = AuditEvent.objects.filter(chain=kept.space, action="memory.compressed")
    assert event.data["integrity_hash"] == run.integrity_hash
    assert "Moses" not in str(event.data)
    assert list(find_breaks(kept.space)) == []


@pytest.mark.spec("G6")
@cases("what", ["content_hash", "merged_into", "edge"])
def test_whoever_changes_the_graph_changes_its_hash(kept, what):
    """Content, structure and what became of removed memories are all in it."""
    nodes = kept.say(MORNING, edges=dense(3, 0.5))
    known = kept.hash()
    with space_scope(kept.space):
        if what == "edge":
            MemoryEdge.objects.for_space(kept.space).filter(source_id=nodes[0]).update(weight=0.500001)
        else:
            value = bytes(32) if what == "content_hash" else nodes[1]
            MemoryNode.objects.for_space(kept.space).filter(pk=nodes[0]).update(**{what: value})
    assert kept.hash() != known


@pytest.mark.spec("G7")
def test_an_access_alone_writes_gravity(kept):
    """It stores the boosted present value with its moment; nothing else that runs writes a faded value."""
    (node, other) = kept.say(MORNING[:2])
    touch(kept.space, [node], now=LATER)
    touched, left = kept.nodes()[node], kept.nodes()[other]
    assert touched.gravity == pytest.approx(
        float(boost_gravity(decay_gravity(0.5, salience=0.5, age_days=30)))
    )
    assert (touched.accessed_at, left.accessed_at, left.gravity) == (LATER, NOW, 0.5)


@pytest.mark.spec("G7")
def test_each_of_several_used_at_once_is_boosted_from_its_own_value(kept):
    """Two are used together, one of them also the day before: neither gets the other's number."""
    (first, second) = kept.say(MORNING[:2])
    touch(kept.space, [second], now=LATER - timedelta(days=1))
    touch(kept.space, [first, second], now=LATER)
    stored = {pk: row.gravity for pk, row in kept.nodes().items()}
    once = boost_gravity(decay_gravity(0.5, salience=0.5, age_days=30))
    day_before = boost_gravity(decay_gravity(0.5, salience=0.5, age_days=29))
    again = boost_gravity(decay_gravity(day_before, salience=0.5, age_days=1))
    assert stored == {first: pytest.approx(float(once)), second: pytest.approx(float(again))}


@pytest.mark.spec("G7")
def test_compression_writes_no_faded_value(kept):
    """Every pair of gravity and last access that is stored afterwards was stored before."""
    busy_memory(kept)
    stored = pairs(kept)
    kept.compress()
    for change in kept.changes("merged") + kept.changes("pruned"):
        kept.restore(change)
    assert pairs(kept) <= stored


def pairs(kept) -> set:
    return {(row.gravity, row.accessed_at) for row in kept.nodes().values()}
