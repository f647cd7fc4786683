"""What a process keeps of packs that it has read: bounded, and never what may be otherwise later."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion_site.vault.scope import space_scope
from memory.models import Pack, PackVector
from memory.packs.cache import BoundedCache
from memory.packs.contents import load_nodes, read_nodes
from memory.packs.removal import remove_pack
from memory.packs.search import cosines, search_packs, search_ready
from tests.factories import NOW
from tests.memory.packs.making import MODEL, take_in, vector_of

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K6")]


@pytest.fixture
def pack() -> Pack:
    return take_in()


def ask(pack: Pack, words: str = "resource statement nowhere"):
    """Return what is found, and the statements that it took."""
    with CaptureQueriesContext(connection) as asked:
        found = search_ready([pack], vector=vector_of("pattern.with"), model=MODEL, words=words, k=1)
    return found, [query["sql"] for query in asked]


def test_what_was_read_is_not_read_again(pack):
    """Asked again, words and nodes come from what is kept, and what is found is the same to the last digit."""
    first, second = ask(pack), ask(pack)
    assert first[0] == second[0] and first[0]
    for table, times in (("memory_packposting", 1), ("unnest", 1)):
        assert sum(table in sql for sql in first[1]) == times
        assert not any(table in sql for sql in second[1])
    assert not any('"memory_pack"' in sql for sql in first[1])


def test_nodes_are_kept_as_they_go_over_the_wire(pack):
    """In the order asked for, with what each says in a context; where none stands, nothing is kept."""
    for _ in range(2):
        found = read_nodes(pack.space_id, [2, 9, 0])
        assert list(found) == [2, 0]
        assert [one.node for one in found.values()] == load_nodes(pack.space_id, [2, 9, 0])
        assert '"_label":"Closing files"' in found[2].text.tell(0)
    with CaptureQueriesContext(connection) as asked:
        read_nodes(pack.space_id, [0, 2])
    assert len(asked) == 0


def test_a_vector_that_comes_later_is_found(pack):
    """Of a model that the pack has no vectors of yet, nothing is kept."""
    query = vector_of("anything")
    assert not cosines(pack.space_id, [0, 1], query, model="later").any()
    with space_scope(pack.space_id):
        PackVector.objects.for_space(pack.space_id).update(model="later")
    found = cosines(pack.space_id, [1, 0], query, model="later")
    expected = [float(vector_of(path) @ query) for path in ("pattern.with", "concept.resource")]
    assert found == pytest.approx(expected, abs=1e-6)


def test_a_removed_pack_is_found_in_nothing_that_is_kept(pack):
    """Whoever asks for it by its id gets nothing, also in a process that has read it."""
    ask(pack)
    read_nodes(pack.space_id, [0, 1, 2])
    remove_pack(pack.space_id, actor=None, now=NOW)
    assert load_nodes(pack.space_id, [0, 1, 2]) == []
    assert search_packs([pack.space_id], vector=None, words="resource") == []


def test_a_cache_keeps_within_its_bound():
    """The longest unused goes first; what is put again is counted once; what is too large by itself is not kept."""
    cache: BoundedCache[str, int] = BoundedCache(10)
    for key in ("a", "b", "b"):
        cache.keep(key, 1, 4)
    assert (list(cache.find(["a", "b", "c"])), cache.size_bytes) == (["a", "b"], 8)
    cache.find(["a"])
    cache.keep("c", 3, 4)
    assert (cache.find(["a", "b", "c"]), cache.size_bytes) == ({"a": 1, "c": 3}, 8)
    cache.keep("d", 4, 11)
    assert (cache.find(["a", "c", "d"]), cache.size_bytes) == ({}, 0)
