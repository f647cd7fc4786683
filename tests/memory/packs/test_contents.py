"""What the packs of our own hold: well-formed nodes that hang together, in both of them."""

from collections import Counter, deque
from datetime import UTC, datetime
from itertools import count

import pytest

from companion_site.language import detect_language
from memory.nodes import clean_node
from memory.packs.format import parse_entry, write_entry
from memory.packs.importer import plan_pack
from memory.packs.manifest import describe
from memory.packs.sources import HOLDS, read_source, shipped_sources

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
