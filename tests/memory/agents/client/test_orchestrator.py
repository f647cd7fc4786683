"""A program's working set and contexts, over the real memory in this process; only the way to it is cut now and then."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.agents.client import MemoryOrchestrator
from memory.agents.client.contexts import estimate_tokens
from memory.agents.frames import KINDS
from memory.agents.mcp import protocol
from memory.algorithms.hdod import render
from tests.memory.agents.client.conftest import NODES, TASK
from tests.memory.agents.conftest import node

pytestmark = pytest.mark.spec("K8")


@pytest.mark.spec("K2")
async def test_a_context_holds_what_was_found_and_what_it_leads_to(agent, wire):
    """A question finds a node, its link brings one that shares no word with it, and what is of something else stays away."""
    await wire.call(protocol.UPSERT_MEMORY, {"nodes": NODES})
    context = await agent.build_context("context managers close what is opened", TASK, 2_000)
    paths = [node.path for node in context.nodes]
    assert paths[0] == "skill.python.context-managers"
    assert "concept.python.protocols" in paths
    linked = next(node for node in context.nodes if node.path == "concept.python.protocols")
    assert linked.terms["edge"] == pytest.approx(0.9)
    shouted = await agent.build_context("context managers", replace(TASK, tags=["Python "]), 2_000)
    assert shouted.nodes[0].terms["task"] == context.nodes[0].terms["task"] == 1
    assert set(linked.terms) == {"meaning", "edge", "recency", "usage", "task", "persona"}


@pytest.mark.spec("K4")
async def test_frames_stand_in_their_order_within_the_budget(agent, wire):
    """Six frames in the order of the specification; all together cost no more than the budget, and are saved as built."""
    await wire.call(protocol.UPSERT_MEMORY, {"nodes": NODES})
    await agent.observe(TASK, "Ran the tests.", outcome="2 failed")
    for budget in (60, 200, 1_000):
        context = await agent.build_context("context managers", TASK, budget)
        assert tuple(context.frames) == KINDS
        texts = [render(data) if isinstance(data, dict) else data for data in context.frames.values()]
        assert sum(estimate_tokens(text) for text in texts if text) <= budget
        assert estimate_tokens(context.render()) <= context.tokens <= budget
        assert estimate_tokens(render(context.frames["knowledge"])) <= 0.6 * budget + 1
    assert context.frames["identity"] == "You are Kari."
    assert context.frames["problem"] == TASK.problem
    assert context.frames["episodic"] == "- 2026-03-02 14:05 [2 failed] Ran the tests."
    assert "Ran the tests." in context.render() and "## Problem" in context.render()
    last = wire.saves()[-1]
    assert last["client_id"] == str(context.save_id)
    assert [frame["kind"] for frame in last["frames"]] == [
        "identity",
        "problem",
        "knowledge",
        "episodic",
        "constraints",
    ]


@pytest.mark.spec("K2")
async def test_what_is_not_renewed_fades_and_goes(agent, wire, clock):
    """Resonance falls with every context; what has faded, or was not heard of for an hour, leaves the working set."""
    await wire.call(protocol.UPSERT_MEMORY, {"nodes": NODES})
    await agent.build_context("context managers", TASK, 1_000)
    held = agent.working_set
    path = "skill.python.context-managers"
    (before,) = held.resonance([path])
    held.tick += 10
    assert held.resonance([path])[0] == pytest.approx(before * 0.98**10)
    held.tick += 1_000
    held.forget_stale(now=clock.now())
    assert path not in held

    await agent.build_context("context managers", TASK, 1_000)
    assert path in held
    clock.at += timedelta(minutes=61)
    held.forget_stale(now=clock.now())
    assert not len(held)


async def test_notes_are_carried_on_and_outcomes_reported(agent, wire, clock):
    """A scratchpad comes back in the next context, to another program too; an outcome names the nodes it is about. Where a question finds
    nothing, nodes of the task's domain stand in."""
    await wire.call(protocol.UPSERT_MEMORY, {"nodes": NODES})
    await agent.note(TASK, "Look at the fixture.")
    other = MemoryOrchestrator(wire, now=clock.now, clock_s=clock.seconds)
    context = await other.build_context("qqq zzz xxx", TASK, 1_000)
    assert "skill.python.context-managers" in [node.path for node in context.nodes]
    assert context.frames["scratchpad"] == "Look at the fixture."
    await other.report(TASK, context, "helped")
    last = wire.saves()[-1]
    assert (last["outcome"], last["nodes"]) == ("helped", [node.path for node in context.nodes])


async def test_a_small_budget_costs_no_note(agent, wire):
    """A context shows as much of the scratchpad as it has room for; what is kept of it, here and there, is all of it."""
    text = "Look at the fixture. " * 200
    await agent.note(TASK, text)
    small = await agent.build_context("fixture", TASK, 100)
    assert len(small.frames["scratchpad"]) < 100
    large = await agent.build_context("fixture", TASK, 100_000)
    assert large.frames["scratchpad"] == text
    for _ in range(4):
        await agent.build_context("fixture", TASK, 100)
    recalled = await wire.call(protocol.RECALL_CONTEXT, {"scope": "task", "id": TASK.id})
    assert [frame["data"] for frame in recalled["frames"] if frame["kind"] == "scratchpad"] == [text] * 3


@pytest.mark.spec("K2")
async def test_the_working_set_stays_under_its_bound(agent, wire):
    """Fewer than 800 nodes are in mind, however many are remembered between two contexts."""
    wire.is_cut = True
    for start in range(0, 1_000, 100):
        await agent.remember([node(f"fact.n{start + at}", "fact") for at in range(100)])
    assert len(agent.working_set) == 799


@pytest.mark.spec("K5")
async def test_a_skill_is_learned_with_examples_and_anti_patterns(agent, wire):
    """What was found out becomes a skill node; found out again, it is added to."""
    path, told = "skill.python.raii", {"examples": ["with open(p): ..."], "anti_patterns": ["f = open(p)"]}
    await agent.learn(path, "Close in the same place.", about=["concept.resource"], tags=["python"], **told)
    await agent.learn(path, "Close where it was opened.")
    found = await wire.call(protocol.SEARCH_MEMORY, {"filters": {"ids": [path]}})
    kept = found["nodes"][0]["node"]
    assert (kept["type"], kept["tags"], kept["meta"]) == ("skill", ["python"], {"source": "learned"})
    assert kept["payload"] == {"definition": "Close where it was opened.", **told}
    assert kept["links"] == [{"to": "concept.resource", "rel": "about", "w": 0.8}]
