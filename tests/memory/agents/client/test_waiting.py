"""A program whose memory is away, lets it in no more, or says no: it goes on, and loses nothing without a word."""

import asyncio
from datetime import timedelta

import pytest

from memory.agents.client import MemoryRefused, NotLetIn
from memory.agents.mcp import protocol
from memory.agents.mcp.protocol import REQUEST_BYTES
from tests.memory.agents.client.conftest import BEGAN, NODES, TASK
from tests.memory.agents.conftest import nested, node

pytestmark = pytest.mark.spec("K8")


async def test_a_cut_wire_leaves_the_working_set(agent, wire, clock):
    """With nobody to ask, a context is made of what is in mind; saves wait and go out in order when the wire is back."""
    await wire.call(protocol.UPSERT_MEMORY, {"nodes": NODES})
    await agent.build_context("context managers", TASK, 1_000)
    wire.is_cut = True
    alone = await agent.build_context("managers of context", TASK, 1_000)
    path = await agent.observe(TASK, "Went on alone.")
    assert not alone.is_remembered
    assert "context-managers" in alone.frames["knowledge"]["skill"]["python"]
    assert [call.arguments.get("client_id") for call in [agent.pending.first()]] == [str(alone.save_id)]
    assert len(agent.pending) == 2

    wire.is_cut, wire.calls[:] = False, []
    clock.at += timedelta(minutes=2)
    context = await agent.build_context("what did I do", TASK, 1_000)
    assert context.is_remembered and not len(agent.pending)
    assert [tool for tool, _ in wire.calls[:2]] == [protocol.SAVE_CONTEXT, protocol.UPSERT_MEMORY]
    assert path in [node.path for node in context.nodes]


async def test_after_a_failure_nobody_is_asked_for_a_moment(agent, wire, clock):
    """A memory that is away is not asked at every step; the pauses end with the first answer. Steps that run side by side share one queue:
    what waits goes first, each call once, and nobody meets the other."""
    wire.is_cut = True
    await agent.observe(TASK, "One.")
    wire.is_cut = False
    await agent.observe(TASK, "Two.")
    assert (len(agent.pending), wire.calls) == (2, [])
    clock.at += timedelta(seconds=1)
    await asyncio.gather(agent.observe(TASK, "Three."), agent.observe(TASK, "Four."), agent.replay())
    labels = [arguments["nodes"][0]["label"] for _, arguments in wire.calls]
    assert labels == ["One.", "Two.", "Three.", "Four."]
    assert not len(agent.pending)


async def test_what_is_refused_takes_nothing_else_out_of_the_queue(agent, wire, clock):
    """Who is not let in is told; what waits goes on waiting. When the token is good again, a call that waited and is then refused is taken
    out, and those behind it arrive."""
    wire.is_cut = True
    await agent.learn("Not A Path", "Nobody was there to refuse it.")
    path = await agent.observe(TASK, "This one is good.")
    wire.is_cut, wire.is_closed = False, True
    clock.at += timedelta(minutes=1)
    for step in (agent.replay(), agent.observe(TASK, "Two."), agent.build_context("one", TASK, 500)):
        with pytest.raises(NotLetIn):
            await step
    assert len(agent.pending) == 2
    wire.is_closed = False
    assert await agent.replay() == 1
    assert not len(agent.pending)
    found = await wire.call(protocol.SEARCH_MEMORY, {"filters": {"ids": [path]}})
    assert len(found["nodes"]) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "skill..closing"},
        {"id": "_hidden"},
        {"id": ["skill"]},
        {"payload": "no object"},
        {"payload": {"details": nested(100)}},
        {"payload": {"details": nested(100_000)}},
        {"payload": {"number": float("nan")}},
        {"payload": {"when": BEGAN}},
        {"payload": {"details": "x" * REQUEST_BYTES}},
        {"links": [{"rel": "uses"}]},
        {"links": [{"to": "skill.a", "w": "heavy"}]},
        {"children": ["skill.a"]},
        {"tags": [1]},
        {"type": ["skill"]},
        {"stats": {"uses": "many"}},
        {"resonance": {"decay": "slow"}},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_what_no_memory_takes_is_refused_with_nobody_to_ask(agent, wire, fields):
    """A node that no context could be made of, or that could never be sent, neither waits nor spoils what follows."""
    wire.is_cut = True
    with pytest.raises(MemoryRefused):
        await agent.remember([node("skill.good", "skill"), {**node("skill.bad", "skill"), **fields}])
    assert not len(agent.pending) and not len(agent.working_set)
    assert (await agent.build_context("closing", TASK, 500)).frames["problem"] == TASK.problem


async def test_text_that_no_wire_carries_is_mended(agent, wire, clock):
    """Half a pair of surrogates, as in the output of a program, is replaced; what waits with it holds up nobody."""
    wire.is_cut = True
    path = await agent.observe(TASK, "Printed \ud83d and ended.")
    assert "Printed" in (await agent.build_context("printed \udcff", TASK, 500)).frames["episodic"]
    wire.is_cut = False
    clock.at += timedelta(minutes=1)
    assert await agent.replay() == 2
    found = await wire.call(protocol.SEARCH_MEMORY, {"filters": {"ids": [path]}})
    assert found["nodes"][0]["node"]["payload"]["details"] == "Printed \ufffd and ended."
