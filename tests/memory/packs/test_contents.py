"""What the packs of our own hold: well-formed nodes that hang together, for both of them."""

import re
from collections import Counter, deque
from datetime import UTC, datetime
from itertools import count

import pytest

from companion_site.language import detect_language
from companion_site.running import PROJECT
from memory.nodes.limits import clean_node
from memory.packs.entries import parse_entry, write_entry
from memory.packs.importer import plan_pack
from memory.packs.manifest import describe
from memory.packs.sources import HOLDS, read_source, shipped_sources

pytestmark = pytest.mark.spec("K6")

NOW = datetime(2026, 3, 1, tzinfo=UTC)
PACKS = {folder.name: read_source(folder) for folder in shipped_sources()}
#: How nodes hang together; docs/packs.md says what each means.
RELATIONS = {
    "contrasts",
    "example_of",
    "explains",
    HOLDS,
    "is_a",
    "leads_to",
    "part_of",
    "prevents",
    "see",
    "uses",
}
#: as `memory.algorithms.activation` walks a pack: this many of the heaviest links of each node
MAX_PER_NODE = 6


@pytest.fixture(params=sorted(PACKS))
def pack(request):
    return PACKS[request.param]


def spread(nodes, starts, *, most):
    """Return the hops to each path that links lead to, the `most` heaviest of each node taken."""
    links = {node["id"]: sorted(node["links"], key=lambda link: (-link["w"], link["to"])) for node in nodes}
    hops, queue = dict.fromkeys(starts, 0), deque(starts)
    while queue:
        path = queue.popleft()
        for link in links[path][:most]:
            if link["to"] not in hops:
                hops[link["to"]] = hops[path] + 1
                queue.append(link["to"])
    return hops


def defaults_of(nodes):
    return [node["id"] for node in nodes if node["meta"].get("default")]


def test_two_packs_ship_with_the_site():
    """One for students of programming in English, one for small companies in Swedish, each of real size."""
    assert {name: len(nodes) >= least for name, (_, nodes), least in _sizes()} == dict.fromkeys(PACKS, True)
    assert {name: manifest["language"] for name, (manifest, _) in PACKS.items()} == {
        "bokforing-litet-bolag": "sv",
        "python-idioms": "en",
    }


def test_every_node_is_kept_as_it_is_written(pack):
    """The bounds of a node change nothing of ours: what is reviewed is what is remembered."""
    for node in pack[1]:
        content = clean_node(node).content
        assert content == {name: node[name] for name in content}, node["id"]


def test_the_nodes_pass_the_first_reading_of_an_import(pack):
    """Ids once, links and children lead to nodes of the pack, children in no circle."""
    manifest, nodes = pack
    described = describe(**manifest, now=NOW)
    number = count(1)
    lines = (write_entry(node, described) for node in nodes)
    entries = (parse_entry(line, described, number=next(number)) for line in lines)
    assert plan_pack(entries) == [node["id"] for node in nodes]


def test_links_say_how_in_words_that_are_known(pack):
    for node in pack[1]:
        for link in node["links"]:
            assert link["rel"] in RELATIONS, (node["id"], link)
            assert 0.3 <= link["w"] <= 1, (node["id"], link)


def test_every_node_is_linked_by_its_author(pack):
    """A node that only hangs in its folder lights nothing up."""
    for node in pack[1]:
        assert [link for link in node["links"] if link["rel"] != HOLDS], node["id"]


def test_activation_reaches_every_node_from_the_defaults(pack):
    """Over links alone, the heaviest six of each node, as a pack is walked; and not from far away."""
    _, nodes = pack
    hops = spread(nodes, defaults_of(nodes), most=MAX_PER_NODE)
    assert {node["id"] for node in nodes} - hops.keys() == set()
    near = sum(hop <= 2 for hop in hops.values())
    assert near >= 0.75 * len(nodes)


def test_spreading_from_a_node_leads_to_others(pack):
    """Two hops from any node reach at least five others."""
    _, nodes = pack
    for node in nodes:
        hops = spread(nodes, [node["id"]], most=MAX_PER_NODE)
        assert sum(0 < hop <= 2 for hop in hops.values()) >= 5, node["id"]


def test_every_area_has_a_default(pack):
    """A concept that stands for its file: a search that finds too little falls back on those."""
    _, nodes = pack
    covered = {tag for node in nodes if node["meta"].get("default") for tag in node["tags"]}
    assert covered >= {tag for node in nodes for tag in node["tags"]}
    assert 10 <= len(defaults_of(nodes)) <= 30


def test_definitions_are_said_once_and_say_something(pack):
    _, nodes = pack
    said = Counter(node["payload"]["definition"] for node in nodes)
    assert [text for text, times in said.items() if times > 1] == []
    assert [text for text in said if len(text) < 40 or len(text) > 700] == []
    assert max(Counter(node["label"] for node in nodes).values()) == 1


def test_the_words_are_in_the_language_of_the_manifest(pack):
    """Ten nodes at a time, so that a stretch in the other language would be seen."""
    manifest, nodes = pack
    said = [node["payload"]["definition"] for node in nodes]
    stretches = [" ".join(said[start : start + 10]) for start in range(0, len(said), 10)]
    assert {detect_language(text, default="") for text in stretches} == {manifest["language"]}


def test_several_types_take_part(pack):
    """So that the caps for each type leave something of every kind."""
    kinds = Counter(node["type"] for node in pack[1])
    assert kinds.keys() >= {"concept", "skill", "fact", "snippet", "task", "persona", "tool"}
    assert min(kinds[kind] for kind in ("concept", "skill", "fact", "snippet")) >= 10


def test_the_page_about_them_tells_what_they_hold():
    """docs/packs.md names every relation, and of each pack how many nodes there are."""
    page = (PROJECT / "docs" / "packs.md").read_text(encoding="utf-8")
    assert [relation for relation in sorted(RELATIONS) if f"| `{relation}` |" not in page] == []
    for name, (_, nodes) in PACKS.items():
        shown = sum("code" in node["payload"] or "booking" in node["payload"] for node in nodes)
        assert re.search(rf"\| `{name}` \| \w+ \| {len(nodes)}, {shown} of them", page), name


def _sizes():
    least = {"python-idioms": 120, "bokforing-litet-bolag": 90}
    return [(name, pack, least[name]) for name, pack in PACKS.items()]
