"""Working sets come and go with their people, and are read while they change."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest

from companion_site.errors import SpaceLocked
from companion_site.vault import unlocked
from companion_site.vault.fields import Box
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, MemoryVector
from memory.student.workingset import WorkingSets, working_sets
from tests.factories import NOW, make_access
from tests.live import logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G11")]

MODEL, DIMENSION = "any", 4


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def people():
    return [make_access(name) for name in ("ada", "elsa")]


def take(sets, access):
    with unlocked(access.space, access.key):
        return sets.get(access.space, model=MODEL, dimension=DIMENSION)


def test_without_the_key_there_is_no_working_set(people):
    """What is already in memory is still given out to nobody who has not unlocked the space."""
    sets = WorkingSets(budget_bytes=10**9, idle_s=60)
    take(sets, people[0])
    with pytest.raises(SpaceLocked):
        sets.get(people[0].space, model=MODEL, dimension=DIMENSION)


def test_the_longest_unused_goes_first(people):
    """Over the budget, the least recently used is dropped and the one in use stays."""
    sets = WorkingSets(budget_bytes=10, idle_s=60)
    first, second = (take(sets, person) for person in people[:2])
    second.size_bytes = first.size_bytes = 8
    take(sets, people[0])
    assert take(sets, people[0]) is first
    assert take(sets, people[1]) is not second


def test_the_idle_are_dropped_even_if_nobody_comes(people):
    """After the idle time what was decrypted leaves the process by itself."""
    clock = Clock()
    sets = WorkingSets(budget_bytes=10**9, idle_s=0.05, clock=clock)
    held = take(sets, people[0])
    assert take(sets, people[0]) is held
    clock.now = 1.0
    for _ in range(100):
        if not sets._kept:
            break
        sleep(0.02)
    assert take(sets, people[0]) is not held


def test_log_out_drops_it(people):
    """Logging out leaves nothing decrypted in the process."""
    held = take(working_sets, people[0])
    assert take(working_sets, people[0]) is held
    logged_in("ada").post("/logout/")
    assert take(working_sets, people[0]) is not held


def test_a_changed_dimension_starts_anew(people):
    """Another embedding model's working set is not mixed with the old one's."""
    sets = WorkingSets(budget_bytes=10**9, idle_s=60)
    held = take(sets, people[0])
    with unlocked(people[0].space, people[0].key):
        assert sets.get(people[0].space, model="other", dimension=8) is not held


def test_what_is_history_is_not_opened(memory, sets):
    """A process that starts anew opens only what is believed: of the rest not even a damaged box is in its way."""
    kept = memory.hear("I find recursion hard, please explain step by step")
    gone = memory.hear("My cat is called Moses and sleeps on the piano all day")
    with space_scope(memory.space):
        MemoryNode.objects.for_space(memory.space).filter(pk__in=gone).update(removed_at=NOW)
        for row in MemoryVector.objects.for_space(memory.space).filter(node_id__in=gone):
            row.vector = Box(b"damaged")
            row.save(update_fields=["vector"])
    sets.forget(memory.space)
    held = memory.working_set()
    assert gone and [node.id for node in held.nodes] == kept


@pytest.mark.slow
def test_searching_while_memories_arrive(memory):
    """Threads that recall meanwhile see the memory before or after a write, never between."""
    memory.hear("I find recursion hard, please explain step by step")
    held = memory.working_set()
    (vector,) = memory.embedder.embed(["Can you help me with recursion?"])
    going = True

    def search() -> int:
        from memory.student.recall.ranking import recall

        count = 0
        while going:
            assert recall(held, "recursion help", vector=vector, embedder=memory.embedder, now=NOW)
            count += 1
        return count

    with ThreadPoolExecutor(2) as pool:
        searches = [pool.submit(search) for _ in range(2)]
        try:
            for number in range(4):
                memory.hear(
                    f"My friend number {number} is called Name{number} and lives in Town{number} by the sea"
                )
                assert memory.working_set() is held
        finally:
            going = False
        assert all(each.result() for each in searches)
