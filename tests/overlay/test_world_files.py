"""A world file is taken whole or refused with everything that is wrong in it, each with its place."""

import pytest

from overlay.errors import WorldRefused
from overlay.importer import SCHOOL_SCIENCE
from overlay.params import BOUNDS
from overlay.world_files import WorldFile, parse_world, write_world
from tests.cases import cases
from tests.overlay.building import CONCEPTS, EDGES, named, written

pytestmark = pytest.mark.spec("G10")


def problems_of(raw):
    with pytest.raises(WorldRefused) as refused:
        parse_world(raw)
    return [str(problem) for problem in refused.value.problems]


def test_the_world_that_comes_along_is_in_order():
    """It passes the same checks, has about forty concepts and names in both languages."""
    world = parse_world(SCHOOL_SCIENCE.read_bytes())
    assert 40 <= len(world.concepts) <= 60 and all(concept.description for concept in world.concepts)
    assert sum(bool(concept.aliases) for concept in world.concepts) > 40


@cases(
    ("raw", "told"),
    [
        (b"", "line 1, column 1"),
        (b"[]", "in braces"),
        (b'{"format": ', "not JSON"),
        (b"\xff\xfe{\x00}\x00", "UTF-8"),
        (written().decode().encode("utf-16"), "UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b'{"format": NaN}', "NaN is no number"),
        (b'{"concepts": [-Infinity]}', "-Infinity is no number"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "number that is too long"),
        (b'{"a": 1, "a": 2}', "stands twice"),
        (b" " * (BOUNDS.file_bytes + 1), "larger than 16 MB"),
    ],
)
def test_what_is_no_world_is_told_in_one_sentence(raw, told):
    """Broken, hostile and huge files get one clear answer, not a traceback."""
    (only,) = problems_of(raw)
    assert told in only


def test_a_million_concepts_are_refused_before_any_is_looked_at():
    """A file of 1,000,000 nodes is refused by its size, one of a node or an edge too many by its count, with the number that is allowed."""
    node = b'{"id":"a","name":"b"}'
    (by_size,) = problems_of(b'{"concepts":[' + b",".join([node] * 1_000_000) + b"]}")
    assert "larger than" in by_size
    (by_count,) = problems_of(b'{"concepts":[' + b",".join([b"{}"] * 20_001) + b"]}")
    assert by_count == "concepts: There are 20001; at most 20000 can be taken in."
    (by_edges,) = problems_of(b'{"edges":[' + b",".join([b"{}"] * 100_001) + b"]}")
    assert by_edges.startswith("edges: There are 100001")


@cases(
    ("change", "place"),
    [
        ({"format": "companion-world/2"}, "format"),
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"concept": []}, "concept"),
        ({"concepts": {}}, "concepts"),
        ({"edges": "none"}, "edges"),
        ({"concepts": [7]}, "concepts[0]"),
        ({"concepts": [{"name": "Keystone"}], "edges": []}, "concepts[0].id"),
        ({"concepts": [{"id": "k k", "name": "Keystone"}]}, "concepts[0].id"),
        ({"concepts": [{"id": "", "name": "Keystone"}]}, "concepts[0].id"),
        ({"concepts": [{"id": 7, "name": "Keystone"}]}, "concepts[0].id"),
        ({"concepts": named("x" * 201)}, "concepts[0].name"),
        ({"concepts": named("Keystone", aliases=["Stone"] * 21)}, "concepts[0].aliases"),
        ({"concepts": named("Keystone", aliases="Stone")}, "concepts[0].aliases"),
        ({"concepts": named("Keystone", colour="red")}, "concepts[0].colour"),
        ({"concepts": named("Keystone", description="x" * 2_001)}, "concepts[0].description"),
        ({"edges": [{"source": "arch", "target": "vault", "type": "needs"}]}, "edges[0].type"),
        ({"edges": [{"source": "arch", "target": "vault"}]}, "edges[0].type"),
    ],
)
def test_what_has_another_form_is_told_with_its_place(change, place):
    """A field that is missing, unknown, of another kind or too long is named; what it held is not repeated."""
    found = problems_of(written(**change))
    assert found[0].startswith(f"{place}: "), found


@cases(
    ("name", "told"),
    [
        ("", "blank"),
        ("   ", "blank"),
        ("\u00a0", "blank"),
        ("pH", "at least 3 letters"),
        ("x y", "at least 3 letters"),
        ("…!?", "needs letters"),
        ("1789", "needs letters"),
        ("🏛️🏛️🏛️", "needs letters"),
        ("the", "too common"),
        ("what they were", "too common"),
        ("inte", "too common"),
        ("Key\nstone", "cannot be seen"),
        ("Key\tstone", "cannot be seen"),
        ("Key\u200bstone", "cannot be seen"),
        ("Key\u0000stone", "cannot be seen"),
        ("\u202eenotsyek", "cannot be seen"),
        ("Key\ue000stone", "cannot be seen"),
        ("Key\ud800stone", "no proper text"),
    ],
)
@cases("field", ["name", "alias"])
def test_a_name_has_to_be_one(name, told, field):
    """Blank, tiny, invisible and all too common names are refused: the stream of every reply is searched for them."""
    concepts = named(name) if field == "name" else named("Keystone", aliases=["slutsten", name])
    (only,) = problems_of(written(concepts=concepts, edges=[]))
    assert told in only
    assert only.startswith("concepts[0].name: " if field == "name" else "concepts[0].aliases[1]: ")


def test_ids_and_names_are_told_apart_across_concepts():
    """An id stands once; a name of one concept is no other's, whatever its case, width and spacing; twice in one it is no problem."""
    parse_world(written(concepts=named("Diffusion", aliases=["diffusion"]), edges=[]))
    assert problems_of(written(concepts=[*CONCEPTS, {"id": "arch", "name": "Pointed arch"}])) == [
        "concepts[4].id: The id arch is already that of concepts[1]."
    ]
    concepts = [
        *named("Keystone", "Arch"),
        {"id": "x", "name": "Stone", "aliases": ["KEY\uff33TONE", " arch "]},
    ]
    assert problems_of(written(concepts=concepts, edges=[])) == [
        "concepts[2].aliases[0]: “KEY\uff33TONE” is already a name of concepts[0] (c0).",
        "concepts[2].aliases[1]: “arch” is already a name of concepts[1] (c1).",
    ]


def test_edges_lead_from_one_concept_to_another():
    """Dangling edges, edges to oneself and edges told twice are refused; what relates has no direction."""
    edges = [
        *EDGES,
        {"source": "arch", "target": "dome", "type": "requires"},
        {"source": "tower", "target": "arch", "type": "part_of"},
        {"source": "arch", "target": "arch", "type": "relates_to"},
        {"source": "mortar", "target": "arch", "type": "relates_to"},
    ]
    assert problems_of(written(edges=edges)) == [
        "edges[3].target: There is no concept dome.",
        "edges[4].source: There is no concept tower.",
        "edges[5]: This edge leads from a concept to itself.",
        "edges[6]: This edge is already told by edges[2].",
    ]


def test_a_circle_of_requirements_or_parts_is_named():
    """The way round is told by ids; what merely relates may lead anywhere."""
    round_about = [("keystone", "arch"), ("arch", "vault"), ("vault", "keystone")]

    def told(kind):
        edges = [{"source": a, "target": b, "type": kind} for a, b in round_about]
        return written(edges=edges)

    way = "keystone → arch → vault → keystone"
    assert problems_of(told("requires")) == [
        f"edges: These concepts lead round in a circle by “requires”: {way}."
    ]
    assert way in problems_of(told("part_of"))[0]
    assert len(parse_world(told("relates_to")).edges) == 3


@pytest.mark.slow
def test_a_world_as_large_as_allowed_is_read():
    """20,000 concepts with two aliases each, and as many edges, are a world, and the same when written back; of 50 mistakes twenty are told."""
    with pytest.raises(WorldRefused) as refused:
        parse_world(written(concepts=[{"id": f"c{n}"} for n in range(50)], edges=[]))
    assert (len(refused.value.problems), refused.value.others) == (20, 30)
    concepts = [
        {"id": f"c{n}", "name": f"Concept number {n}", "aliases": [f"begrepp nummer {n}", f"notion {n}"]}
        for n in range(BOUNDS.concepts)
    ]
    edges = [
        {"source": f"c{n}", "target": f"c{n // 2}", "type": "requires"} for n in range(1, BOUNDS.concepts)
    ]
    world = WorldFile.model_validate(
        {"format": "companion-world/1", "name": "Large", "concepts": concepts, "edges": edges}
    )
    assert len(world.concepts) == BOUNDS.concepts and parse_world(write_world(world)) == world
