"""What a compression did can be undone, one change at a time, and leaves everything as it was."""

from datetime import timedelta

import pytest

from companion_site.errors import NotFound
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.models import (
    CompressionRun,
    MemoryEdge,
    MemoryNode,
    MemorySource,
)
from memory.student.compression.run import begin_run, compress
from memory.student.errors import ChangeBuried
from tests.cases import cases
from tests.factories import make_access
from tests.memory.student.kept import EVENING, LATER, MORNING, Kept, busy_memory, dense, slept

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G5")]


@pytest.fixture
def ada(db) -> Kept:
    return Kept(make_access("ada"))


@cases("order", [1, -1])
def test_undoing_everything_brings_back_exactly_what_was_there(ada, order):
    """Nodes, edges, strengths, sources and vectors of every member; of what a merge made, a tombstone is left."""
    before = busy_memory(ada)
    ada.compress()
    assert len(ada.active()) == 2
    made = set(ada.active())
    changes = ada.changes("merged") + ada.changes("pruned")
    assert len(changes) == 3
    for change in changes[::order]:
        assert ada.restore(change).undone_at == LATER
    after = ada.look()
    for part in ("nodes", "vectors", "sources"):
        at_id = 1 if part == "nodes" else 0
        assert [row for row in after[part] if row[at_id] not in made] == before[part]
    assert after["edges"] == before["edges"]
    assert made.isdisjoint(ada.active())


def test_undoing_one_leaves_the_others_as_they_are(ada):
    """Edges of what comes back lead to what their other ends have become by now."""
    first = ada.say(MORNING, edges=dense(3))
    second = ada.say(EVENING, edges=dense(3))
    ada.join(first[0], second[0], 0.4)
    ada.compress()
    (second_merged,) = (pk for pk, text in ada.active().items() if "handball" in text)
    (change,) = (change for change in ada.changes("merged") if str(first[0]) in change.node_ids)
    ada.restore(change)
    assert set(ada.active()) == {*first, second_merged}
    ends = {(source, target) for source, target, *_ in ada.look()["edges"]}
    assert (first[0], second_merged) in ends


def test_what_was_undone_is_not_done_again(ada):
    """The next compression leaves alone what the person wanted back; undoing would be in vain otherwise."""
    busy_memory(ada)
    ada.compress()
    for change in ada.changes("merged") + ada.changes("pruned"):
        ada.restore(change)
    back = ada.look(versions=True)
    ada.compress(now=LATER + timedelta(hours=1))
    assert ada.look(versions=True) == back


def test_what_came_to_a_merged_memory_later_stays_with_a_member(ada):
    """New edges and new sources are not lost with the node that held them."""
    ada.say(MORNING, edges=dense(3))
    ada.compress()
    (merged,) = ada.active()
    (later,) = ada.say(EVENING[:1])
    ada.join(later, merged, 0.7)
    said_again = new_id()
    with space_scope(ada.space):
        MemorySource.objects.create(
            space_id=ada.space,
            node_id=merged,
            kind="message",
            source_id=said_again,
            start=0,
            end=5,
            said_at=LATER,
        )
    ada.restore(ada.changes("merged")[0])
    with space_scope(ada.space):
        edge = MemoryEdge.objects.for_space(ada.space).get(source_id=later)
        assert edge.target_id in ada.active() and edge.target_id != merged
        heirs = MemorySource.objects.for_space(ada.space).filter(source_id=said_again)
        assert edge.target_id in heirs.values_list("node_id", flat=True)


def test_what_was_said_again_stays_the_new_memorys(ada):
    """The same words are believed once: the old node stays a tombstone that leads to the new one."""
    (faint,) = ada.say(MORNING[:1])
    slept(ada, [faint])
    ada.compress()
    (again,) = ada.say(MORNING[:1], at=LATER)
    ada.restore(ada.changes("pruned")[0])
    assert list(ada.active()) == [again]
    with space_scope(ada.space):
        assert MemoryNode.objects.for_space(ada.space).get(pk=faint).merged_into_id == again
        assert MemorySource.objects.for_space(ada.space).filter(node_id=again).count() == 2


def test_what_later_things_rest_on_is_not_undone(ada):
    """A merged memory that was replaced since cannot come apart."""
    ada.say(MORNING, edges=dense(3))
    ada.compress()
    (merged,) = ada.active()
    ada.set([merged], superseded_at=LATER)
    before = ada.look(versions=True)
    with pytest.raises(ChangeBuried):
        ada.restore(ada.changes("merged")[0])
    assert ada.look(versions=True) == before


def test_a_stranger_can_neither_undo_nor_run_anything(ada):
    """Another space's change and run are not there."""
    ada.say(MORNING, edges=dense(3))
    ada.compress()
    waiting = begin_run(ada.space, trigger="requested", now=LATER)
    elsa = Kept(make_access("elsa"))
    with pytest.raises(NotFound):
        elsa.restore(ada.changes("merged")[0])
    with pytest.raises(NotFound):
        compress(elsa.space, waiting.pk, key=elsa.key, now=LATER)
    with space_scope(ada.space):
        assert CompressionRun.objects.for_space(ada.space).get(pk=waiting.pk).state == "waiting"
