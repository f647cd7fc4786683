"""What an agent saves of a task: once, whole or not at all, and what its outcome says of the sources."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import OperationalError, connections

from memory.agents.context_store import save_context
from memory.agents.contexts import build_context
from memory.agents.nodes import upsert_memory
from memory.models import Agent, AgentContext, AgentSource
from memory.nodes import NodeInvalid
from tests.cases import cases
from tests.factories import NOW, make_student, open_space
from tests.memory.agents.conftest import get_node, held_by, make_agent, node, rows_of

LATER = NOW + timedelta(hours=1)
KNOWLEDGE = {"kind": "knowledge", "format": "hdod.json", "data": {"skill": {"python": {"_label": "Python"}}}}
STEPS = {"kind": "episodic", "data": "# Steps\n- compiled"}


def contexts(access):
    return rows_of(access, AgentContext)


def sources(access):
    return {row.name: (row.shown, row.helped) for row in rows_of(access, AgentSource)}


def tick(access):
    (row,) = rows_of(access, Agent)
    return row.tick


def test_the_same_save_sent_twice_is_one(teach, agent):
    """Known by the client's id, a save that is sent again changes nothing: no row, no tick, no outcome counted twice."""
    teach(node("a", meta={"source": "web"}))
    sent = {"task_id": "t1", "frames": [KNOWLEDGE], "nodes": ["a"], "client_id": uuid4(), "outcome": "helped"}
    first = save_context(agent, **sent, now=NOW)
    assert save_context(agent, **sent, now=LATER).pk == first.pk
    assert (len(contexts(agent)), tick(agent), sources(agent)) == (1, 1, {"web": (1, 1)})


@pytest.mark.spec("K2")
def test_sources_that_prove_useless_are_weighed_down(teach, agent):
    """After enough contexts that failed, a node of that source scores less than its equal of a source that helped."""
    teach(
        node("fact.bad", "fact", says="A file is closed by hand.", meta={"source": "rumour"}),
        node("fact.good", "fact", says="A file is closed by hand.", meta={"source": "manual"}),
    )
    asked = {"query": "How is a file closed?", "task": {"id": "t1"}, "budget_tokens": 2_000, "save": False}

    def trust():
        built = build_context(agent, **asked, now=LATER)
        return {entry["path"]: (entry["trust"], entry["score"]) for entry in built.nodes}

    before = trust()
    assert before["fact.bad"][0] == before["fact.good"][0] == 1.0
    for _ in range(30):
        save_context(agent, task_id="t1", frames=[], nodes=["fact.bad"], outcome="failed", now=NOW)
        save_context(agent, task_id="t1", frames=[], nodes=["fact.good"], outcome="helped", now=NOW)
    assert sources(agent) == {"rumour": (30, 0), "manual": (30, 30)}
    after = trust()
    assert after["fact.good"][0] == 1.0
    assert 0.5 <= after["fact.bad"][0] < 0.85
    assert after["fact.bad"][1] == pytest.approx(before["fact.bad"][1] * after["fact.bad"][0], abs=1e-5)


@pytest.mark.spec("K2")
def test_a_context_that_a_program_built_is_a_tick(teach, agent):
    """Knowledge among the frames means that a context was built: its nodes were used; steps alone do not. Told only how it ended, what
    stood in the task's last context is what helped, or did not."""
    teach(node("a", meta={"source": "manual"}), node("b"))
    save_context(agent, task_id="t1", frames=[STEPS], nodes=["a"], now=NOW)
    assert (tick(agent), get_node(agent, "a")["stats"]["uses"]) == (0, 0)
    save_context(agent, task_id="t1", frames=[KNOWLEDGE], nodes=["a", "pack.unknown"], now=LATER)
    assert tick(agent) == 1
    used, idle = get_node(agent, "a"), get_node(agent, "b")
    assert used["stats"] == {"uses": 1, "last_used_at": LATER.isoformat()}
    assert used["resonance"]["value"] == 0.5
    assert (idle["stats"]["uses"], idle["resonance"]["value"]) == (0, 0.0)
    save_context(agent, task_id="t2", frames=[], outcome="failed", now=LATER)
    assert sources(agent) == {}
    save_context(agent, task_id="t1", frames=[], outcome="helped", now=LATER)
    assert sources(agent) == {"manual": (1, 1)}


@cases(
    ("given", "field", "reason"),
    [
        ({"task_id": ""}, "task_id", "missing"),
        ({"frames": [{"kind": "problem", "format": "a\nb", "data": "x"}]}, "frames.format", "form"),
        ({"frames": [{"kind": "problem", "data": "x" * 300_000}]}, "frames.data", "too-large"),
        ({"frames": [{"kind": "problem", "data": "x" * 250_000}] * 5}, "frames", "too-large"),
        ({"nodes": ["../a"]}, "nodes", "not-a-path"),
    ],
)
def test_what_cannot_be_saved_is_refused_whole(agent, given, field, reason):
    """A save of the wrong form is refused by name and reason, and nothing of it is kept."""
    with pytest.raises(NodeInvalid) as refused:
        save_context(agent, **{"task_id": "t1", "frames": [STEPS], "now": NOW, **given})
    assert (refused.value.field, refused.value.reason) == (field, reason)
    assert contexts(agent) == []


def test_a_save_that_is_cut_short_leaves_nothing_half_written(committed, monkeypatch):
    """Where the connection dies before the end, there is no tick, no use, no outcome and no context; sent again, all of it."""
    agent = make_agent(open_space(make_student("ada").person))
    upsert_memory(agent, [node("a", meta={"source": "web"})], now=NOW)
    sent = {"task_id": "t1", "frames": [KNOWLEDGE], "nodes": ["a"], "client_id": uuid4(), "outcome": "helped"}

    def die(**values):
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with monkeypatch.context() as cut:
        cut.setattr(AgentContext.objects, "create", die)
        with pytest.raises(OperationalError):
            save_context(agent, **sent, now=NOW)
    connections["default"].close()
    assert (contexts(agent), tick(agent), sources(agent)) == ([], 0, {})
    assert get_node(agent, "a")["stats"]["uses"] == 0
    save_context(agent, **sent, now=LATER)
    assert (len(contexts(agent)), tick(agent), sources(agent)) == (1, 1, {"web": (1, 1)})
    assert held_by(agent).tick == 1
