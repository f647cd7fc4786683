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
from memory.student.errors import CannotUndo
from tests.cases import cases
from tests.factories import make_access
from tests.memory.student.kept import EVENING, LATER, MORNING, Kept, busy_memory, dense, slept
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G5")]


@cases("order", [1, -1])
def test_undoing_everything_brings_back_exactly_what_was_there(kept, order):
    """Nodes, edges, strengths, sources and vectors of every member; of what a merge made, a tombstone is left."""
    before = busy_memory(kept)
    kept.compress()
    assert len(kept.active()) == 2
    made = set(kept.active())
    changes = kept.changes("merged") + kept.changes("pruned")
    assert len(changes) == 3
    for change in changes[::order]:
        assert kept.restore(change).undone_at == LATER
    after = kept.look()
    for part in ("nodes", "vectors", "sources"):
        at_id = 1 if part == "nodes" else 0
        assert [row for row in after[part] if row[at_id] not in made] == before[part]
    assert after["edges"] == before["edges"]
    assert made.isdisjoint(kept.active())


def test_undoing_one_leaves_the_others_as_they_are(kept):
    """Edges of what comes back lead to what their other ends have become by now."""
    first = kept.say(MORNING, edges=dense(3))
    second = kept.say(EVENING, edges=dense(3))
    kept.join(first[0], second[0], 0.4)
    kept.compress()
    (second_merged,) = (pk for pk, text in kept.active().items() if "handball" in text)
    (change,) = (change for change in kept.changes("merged") if str(first[0]) in change.node_ids)
    kept.restore(change)
    assert set(kept.active()) == {*first, second_merged}
    ends = {(source, target) for source, target, *_ in kept.look()["edges"]}
    assert (first[0], second_merged) in ends


def test_what_was_undone_is_not_done_again(kept):
    """The next compression leaves alone what the person wanted back; undoing would be in vain otherwise."""
    busy_memory(kept)
    kept.compress()
    for change in kept.changes("merged") + kept.changes("pruned"):
        kept.restore(change)
    back = kept.look(versions=True)
    kept.compress(now=LATER + timedelta(hours=1))
    assert kept.look(versions=True) == back


def test_what_came_to_a_merged_memory_later_stays_with_a_member(kept):
    """New edges and new sources are not lost with the node that held them."""
    kept.say(MORNING, edges=dense(3))
    kept.compress()
    (merged,) = kept.active()
    (later,) = kept.say(EVENING[:1])
    kept.join(later, merged, 0.7)
    said_again = new_id()
    with space_scope(kept.space):
        MemorySource.objects.create(
            space_id=kept.space,
            node_id=merged,
            kind="message",
            source_id=said_again,
            start=0,
            end=5,
            said_at=LATER,
        )
    kept.restore(kept.changes("merged")[0])
    with space_scope(kept.space):
        edge = MemoryEdge.objects.for_space(kept.space).get(source_id=later)
        assert edge.target_id in kept.active() and edge.target_id != merged
        heirs = MemorySource.objects.for_space(kept.space).filter(source_id=said_again)
        assert edge.target_id in heirs.values_list("node_id", flat=True)


def test_what_was_said_again_stays_the_new_memorys(kept):
    """The same words are believed once: the old node stays a tombstone that leads to the new one."""
    (faint,) = kept.say(MORNING[:1])
    slept(kept, [faint])
    kept.compress()
    (again,) = kept.say(MORNING[:1], at=LATER)
    kept.restore(kept.changes("pruned")[0])
    assert list(kept.active()) == [again]
    with space_scope(kept.space):
        assert MemoryNode.objects.for_space(kept.space).get(pk=faint).merged_into_id == again
        assert MemorySource.objects.for_space(kept.space).filter(node_id=again).count() == 2


def test_what_later_things_rest_on_is_not_undone(kept):
    """A merged memory that was replaced since cannot come apart."""
    kept.say(MORNING, edges=dense(3))
    kept.compress()
    (merged,) = kept.active()
    kept.set([merged], superseded_at=LATER)
    before = kept.look(versions=True)
    with refused(CannotUndo, "change-buried"):
        kept.restore(kept.changes("merged")[0])
    assert kept.look(versions=True) == before


def test_a_stranger_can_neither_undo_nor_run_anything(kept):
    """Another space's change and run are not there."""
    kept.say(MORNING, edges=dense(3))
    kept.compress()
    waiting = begin_run(kept.space, trigger="requested", now=LATER)
    elsa = Kept(make_access("elsa"))
    with pytest.raises(NotFound):
        elsa.restore(kept.changes("merged")[0])
    with pytest.raises(NotFound):
        compress(elsa.space, waiting.pk, key=elsa.key, now=LATER)
    with space_scope(kept.space):
        assert CompressionRun.objects.for_space(kept.space).get(pk=waiting.pk).state == "waiting"
