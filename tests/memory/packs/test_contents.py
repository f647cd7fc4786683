"""What the packs of our own hold: well-formed nodes that hang together, in both of them."""

from collections import Counter, deque
from datetime import UTC, datetime
from itertools import count

import pytest

from companion_site.language import detect_language
from memory.nodes import clean_node
from memory.packs.contents import load_nodes
from memory.packs.format import parse_entry, write_entry
from memory.packs.importer import plan_pack
from memory.packs.manifest import describe
from memory.packs.search import defaults, search_packs
from memory.packs.sources import HOLDS, SHIPPED, read_source, shipped_sources
from tests.factories import NOW
from tests.memory.packs.making import DIMENSION, MODEL, pack_file, take_in, vector_of

pytestmark = pytest.mark.spec("K6")

PACKS = {folder.name: read_source(folder) for folder in shipped_sources()}
#: How nodes hang together; docs/packs.md says what each means.
RELATIONS = {
    *("contrasts", "example_of", "explains", HOLDS, "is_a", "leads_to", "part_of", "prevents", "see", "uses")
}
#: as `memory.algorithms.activation` walks a pack: this many of the heaviest links of each node
MAX_PER_NODE = 6


@pytest.fixture(params=sorted(PACKS))
def pack(request):
    return PACKS[request.param]


def reached(nodes, starts):
    """Return the paths that links lead to from some, over the heaviest links of each node."""
    links = {node["id"]: sorted(node["links"], key=lambda link: (-link["w"], link["to"])) for node in nodes}
    found, queue = set(starts), deque(starts)
    while queue:
        ways = {link["to"] for link in links[queue.popleft()][:MAX_PER_NODE]} - found
        found |= ways
        queue += ways
    return found


def test_two_packs_ship_with_the_site():
    """One for students of programming in English, one for small companies in Swedish, each of real size."""
    told = {name: (manifest["language"], len(nodes) >= 90) for name, (manifest, nodes) in PACKS.items()}
    assert told == {"bokforing-litet-bolag": ("sv", True), "python-idioms": ("en", True)}


def test_the_nodes_are_taken_in_as_they_are_written(pack):
    """The bounds of a node change nothing of ours; ids stand once, links and children lead to nodes, in no circle."""
    manifest, nodes = pack
    described, number = describe(**manifest, now=datetime(2026, 3, 1, tzinfo=UTC)), count(1)
    for node in nodes:
        content = clean_node(node).content
        assert content == {name: node[name] for name in content}, node["id"]
    lines = (write_entry(node, described) for node in nodes)
    entries = (parse_entry(line, described, number=next(number)) for line in lines)
    assert plan_pack(entries) == [node["id"] for node in nodes]


def test_activation_reaches_every_node_from_the_defaults(pack):
    """Over known relations, the heaviest six links of each node, as a pack is walked; each area has a default."""
    _, nodes = pack
    defaults = [node for node in nodes if node["meta"].get("default")]
    assert reached(nodes, [node["id"] for node in defaults]) == {node["id"] for node in nodes}
    assert {link["rel"] for node in nodes for link in node["links"]} <= RELATIONS
    areas = {tag for node in nodes for tag in node["tags"]}
    assert {tag for node in defaults for tag in node["tags"]} == areas


def test_definitions_are_said_once_in_the_language_of_the_manifest(pack):
    """Language is told of ten nodes at a time, so that a stretch in the other one would be seen."""
    manifest, nodes = pack
    said = [node["payload"]["definition"] for node in nodes]
    assert max(Counter(said).values()) == 1
    stretches = [" ".join(said[start : start + 10]) for start in range(0, len(said), 10)]
    assert {detect_language(text, default="") for text in stretches} == {manifest["language"]}


ASKED = {
    "python-idioms": {
        "Why does my function keep the list from the last call as its default value?": "python.functions.mutable-default",
        "How do I read a CSV file with commas inside the fields?": "python.files.csv",
        "when is it the same object and when the same value": "python.mistakes.is-or-equals",
        "parametrize one test with many cases": "python.testing.parametrize",
        "sort by points and then by name": "python.sorting.several-keys",
    },
    "bokforing-litet-bolag": {
        "Hur bokför jag lunch med en kund?": "bokforing.representation.lunch",
        "Hur länge ska verifikationer sparas i arkivet?": "bokforing.arkiv",
        "avskrivning på maskin under fem år": "bokforing.anlaggning.avskrivning",
        "tjänst köpt från Irland utan moms, omvänd skattskyldighet": "bokforing.moms.omvand-eu",
        "hur stora är arbetsgivaravgifterna": "bokforing.lon.avgifter",
    },
}


@pytest.fixture(params=sorted(ASKED))
def taken_in(request):
    manifest, nodes = read_source(SHIPPED / request.param)
    described = describe(**manifest, now=NOW, embedding_model=MODEL, dimension=DIMENSION)
    embedded = [
        {**node, "embeddings": {"model": MODEL, "vector": vector_of(node["label"]).tolist()}}
        for node in nodes
    ]
    return request.param, take_in(pack_file(embedded, about=described)), nodes


@pytest.mark.django_db
def test_a_pack_of_our_own_is_taken_in_found_in_and_read(taken_in):
    """Whole, with its links; questions in everyday words lead to the node that answers; defaults stand for the domain."""
    name, pack, nodes = taken_in
    assert (pack.state, pack.node_count) == ("ready", len(nodes))
    assert pack.edge_count == sum(len(node["links"]) for node in nodes)
    for question, wanted in ASKED[name].items():
        hits = search_packs([pack.space_id], vector=None, words=question, k=3)
        assert wanted in [hit.path for hit in hits], (question, [hit.path for hit in hits])
    standing = load_nodes(pack.space_id, defaults(pack, pack.domain_tags[:1]))
    assert [node["id"] for node in standing] == [node["id"] for node in nodes if node["meta"].get("default")]
    last = load_nodes(pack.space_id, [len(nodes) - 1])[0]
    assert {part: last[part] for part in ("id", "payload", "tags")} == {
        part: nodes[-1][part] for part in ("id", "payload", "tags")
    }
