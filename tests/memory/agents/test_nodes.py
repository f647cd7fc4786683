"""What an agent keeps: nodes of nine types by path, whole calls or nothing, sealed."""

from dataclasses import replace
from datetime import timedelta

import pytest

from companion_site.audit.models import AuditEvent
from companion_site.errors import NotFound, SpaceLocked
from memory.agents import nodes as nodes_module
from memory.agents.errors import TooMuch
from memory.agents.nodes import remove_node, upsert_memory
from memory.agents.search import nodes_of
from memory.models import AgentNode, AgentVector, NodeType
from memory.nodes import NodeInvalid
from tests.cases import cases
from tests.factories import NOW
from tests.memory.agents.conftest import get_node, held_by, make_agent, node, rows_of
from tests.memory.packs.making import link
from tests.refusals import refused

pytestmark = pytest.mark.spec("K1")

LATER = NOW + timedelta(hours=1)
WITH = node(
    "skill.python.context-managers",
    "skill",
    label="Context managers",
    payload={"definition": "Use with, so that what is opened is closed.", "examples": ["with open(p) as f:"]},
    links=[link("concept.python.exceptions", 0.7)],
    children={"async": "skill.python.context-managers.async"},
    tags=["Python", "resources"],
    meta={"source": "person"},
)


def test_a_node_comes_back_as_it_was_sent(teach, agent):
    """A node keeps its path, one of nine types, label, payload, links, children, tags and meta; it has stats and resonance. The same said
    twice leaves version, rows and record as they were."""
    assert teach(WITH).created == 1
    kept = get_node(agent, WITH["id"])
    assert {key: kept[key] for key in WITH} == {**WITH, "tags": ["python", "resources"]}
    assert kept["stats"] == {"uses": 0, "last_used_at": None}
    assert kept["resonance"] == {"value": 0.0, "decay": 0.98, "last_activated_at": None}
    before = held_by(agent).version
    assert teach(WITH).unchanged == 1
    assert held_by(agent).version == before
    assert AuditEvent.objects.filter(chain=agent.space, action="agents.remembered").count() == 1
    assert len(NodeType.values) == 9
    teach(*(node(f"thing.{kind}", kind) for kind in NodeType.values))
    assert all(get_node(agent, f"thing.{kind}")["type"] == kind for kind in NodeType.values)


def test_merging_adds_to_a_node_and_replacing_does_not(teach, agent):
    """Merged, fields, links, children and tags are added and the newer of two holds; replaced, only what is said now holds."""
    teach(WITH)
    more = node(
        WITH["id"],
        "pattern",
        payload={"definition": "Closes what it opens.", "tests": ["t"]},
        links=[link("concept.python.exceptions", 0.2), link("concept.raii", 0.4)],
        tags=["cleanup"],
    )
    assert teach(more).changed == 1
    kept = get_node(agent, WITH["id"])
    assert kept["payload"] == {
        "definition": "Closes what it opens.",
        "examples": WITH["payload"]["examples"],
        "tests": ["t"],
    }
    assert kept["links"] == more["links"]
    assert (kept["tags"], kept["type"]) == (["python", "resources", "cleanup"], "pattern")
    assert (kept["label"], kept["children"]) == (WITH["label"], WITH["children"])
    teach(more, merge=False)
    kept = get_node(agent, WITH["id"])
    assert (kept["payload"], kept["children"], kept["label"]) == (more["payload"], {}, "context-managers")


@cases(
    ("broken", "field", "reason"),
    [
        ({"id": ""}, "id", "missing"),
        ({"id": 7}, "id", "kind"),
        ({"id": "../etc/passwd"}, "id", "not-a-path"),
        ({"id": "skill..python"}, "id", "not-a-path"),
        ({"id": "e\u0301t"}, "id", "not-a-path"),
        ({"id": "a\x00"}, "id", "not-a-path"),
        ({"id": "a\n"}, "id", "not-a-path"),
        ({"id": "x" * 301}, "id", "too-long"),
        ({"id": ".".join("abcdefghijklm")}, "id", "too-deep"),
        ({"type": "widget"}, "type", "not-a-type"),
        ({"type": ["skill"]}, "type", "not-a-type"),
        ({"label": "x" * 301}, "label", "too-long"),
        ({"payload": {"details": "x" * 40_000}}, "payload", "too-large"),
        ({"payload": {"n": float("nan")}}, "payload", "range"),
        ({"payload": {"n": 10**400}}, "payload", "range"),
        ({"payload": {"x": object()}}, "payload", "kind"),
        ({"links": [{"to": "b", "w": 1.5}]}, "links.w", "range"),
        ({"links": [{"to": "b", "w": float("nan")}]}, "links.w", "range"),
        ({"links": [{"to": "a"}]}, "links.to", "itself"),
        ({"links": [{"to": f"b{n}"} for n in range(257)]}, "links", "too-many"),
        ({"children": {"x": "a"}}, "children", "itself"),
        ({"tags": ["x" * 61]}, "tags", "too-long"),
        ({"meta": {"source": "x" * 201}}, "meta.source", "too-long"),
        ({"stats": {"uses": 10**9 + 1}}, "stats.uses", "range"),
        ({"stats": {"last_used_at": "0001-01-01T00:00:00+14:00"}}, "stats.last_used_at", "form"),
        ({"resonance": {"value": 2}}, "resonance.value", "range"),
        ({"surprise": 1}, "node", "no-node-field"),
    ],
)  # fmt: skip
def test_what_is_no_node_is_refused_and_nothing_of_the_call_is_written(teach, agent, broken, field, reason):
    """A call with one node that breaks a limit writes none of its nodes, and says which, where and why."""
    with pytest.raises(NodeInvalid) as refused:
        teach(node("good"), {**node("a"), **broken})
    assert (refused.value.number, refused.value.field, refused.value.reason) == (1, field, reason)
    assert rows_of(agent, AgentNode) == []


def test_a_call_is_bounded_and_names_each_path_once(teach, agent):
    """More than 200 nodes, the same path twice, or no list of nodes at all: refused. So is a payload nested a hundred thousand deep, without
    recursion that would bring the process down."""
    deep: dict = {}
    for _ in range(100_000):
        deep = {"x": deep}
    for nodes, reason in (
        ([node(f"n{n}") for n in range(201)], "too-many"),
        ([node("a"), node("a")], "twice"),
        ({"id": "a"}, "kind"),
        ([["a"]], "kind"),
        ([node("a", payload=deep)], "too-deep"),
    ):
        with pytest.raises(NodeInvalid) as refused:
            upsert_memory(agent, nodes, now=NOW)
        assert refused.value.reason == reason
    while deep:  # taken apart by hand: freeing it all at once would recurse
        deep = deep.pop("x")
    assert rows_of(agent, AgentNode) == []


def test_children_never_lead_back_to_their_parent(teach, agent, monkeypatch):
    """A cycle of children is refused, within one call and across what is there. So are more nodes than an agent may remember; what is there
    can still change."""
    with pytest.raises(NodeInvalid, match="back"):
        teach(node("a", children={"b": "b"}), node("b", children={"a": "a"}))
    teach(node("a", children={"b": "b"}), node("b", children={"c": "c"}))
    with pytest.raises(NodeInvalid, match="back"):
        teach(node("c", children={"a": "a"}))
    teach(node("d", children={"left": "c", "right": "c"}), node("c"))
    assert len(rows_of(agent, AgentNode)) == 4
    monkeypatch.setattr(nodes_module, "NODES_AN_AGENT", 4)
    with refused(TooMuch, "too-many-nodes"):
        teach(node("e"))
    assert teach(node("a", label="A again")).changed == 1


def test_a_removed_node_leaves_nothing_behind_and_may_come_again(teach, agent):
    """What a new node says of its use elsewhere is kept; of one that is there, use here alone counts. Removing blanks the row and drops its
    vectors; the same path kept later begins anew."""
    last = {"uses": 7, "last_used_at": "2026-01-01T12:00:00Z"}
    teach(node("a", says="secret word", stats=last, resonance={"value": 0.5, "decay": 0.9}))
    kept = get_node(agent, "a")
    assert kept["stats"] == {"uses": 7, "last_used_at": "2026-01-01T12:00:00+00:00"}
    assert (kept["resonance"]["value"], kept["resonance"]["decay"]) == (0.5, 0.9)
    teach(node("a", label="New", stats={"uses": 99}))
    assert get_node(agent, "a")["stats"]["uses"] == 7
    remove_node(agent, "a", now=LATER)
    assert nodes_of(agent, ["a"]) == []
    with pytest.raises(NotFound):
        remove_node(agent, "a", now=LATER)
    assert [row.content for row in rows_of(agent, AgentNode)] == [{}]
    assert rows_of(agent, AgentVector) == []
    assert teach(node("a", label="Back")).created == 1
    kept = get_node(agent, "a")
    assert (kept["label"], kept["payload"], kept["stats"]["uses"]) == ("Back", {}, 0)
    (row,) = rows_of(agent, AgentNode)
    assert row.removed_at is None


def test_a_vector_follows_the_words_and_nothing_else(teach, agent):
    """New words make a new vector; a new link or weight keeps the one that is there."""
    teach(node("a", says="first"))
    first = vectors(agent)
    teach(node("a", links=[link("b")]))
    assert vectors(agent) == first
    teach(node("a", says="second"))
    assert vectors(agent) != first
    assert len(vectors(agent)) == 1


def test_an_agent_sees_no_other_agents_nodes(teach, owner_key, agent):
    """The key of another agent of the same person does not open its space."""
    teach(node("a"))
    other = make_agent(owner_key, name="Other")
    with pytest.raises(SpaceLocked):
        get_node(replace(agent, key=other.key), "a")


def vectors(access):
    return [row.vector.tolist() for row in rows_of(access, AgentVector)]
