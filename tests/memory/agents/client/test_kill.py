"""The server is killed in the middle of a save: the program goes on, and nothing is lost when the server is back."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import pytest
from django.db import connection

from companion_site.vault.scope import write_scope
from memory.agents.client import McpAdapter, MemoryOrchestrator, SealedPendingCalls
from memory.agents.mcp import protocol
from memory.agents.mcp.server import in_thread
from memory.models import AgentContext
from tests.memory.agents.client.conftest import NODES, TASK
from tests.memory.agents.conftest import rows_of
from tests.memory.agents.mcp.conftest import Kept
from tests.memory.agents.mcp.processes import Web
from tests.racing import wait_until_blocked


@contextmanager
def memory_held_up(space: UUID) -> Iterator[None]:
    """Hold the lock of a space, so that whoever writes there waits until the block ends."""
    held, enough = threading.Event(), threading.Event()

    def hold() -> None:
        with write_scope(space):
            held.set()
            enough.wait(60)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(30)
    try:
        yield
    finally:
        enough.set()
        holder.join()


def saved(kept: Kept) -> dict[UUID | None, dict]:
    """Return every saved context of an agent by the client's id."""
    rows = rows_of(kept.access, AgentContext)
    assert len({row.client_id for row in rows}) == len(rows)
    return {row.client_id: row.content for row in rows}


@pytest.mark.slow
@pytest.mark.spec("K7", "K8")
async def test_a_killed_server_loses_no_save(kari, tmp_path):
    """A save under way when the server dies is kept by the program, sealed, and arrives once when the server is back.

    Meanwhile the program gets contexts of what it still has in mind, and what it notes waits behind the save; it may even
    end itself in between.
    """
    web = Web(tmp_path)
    with web.running():
        adapter = McpAdapter(web.url, kari.token)
        pending = SealedPendingCalls(tmp_path / "pending", token=kari.token)
        agent = MemoryOrchestrator(adapter, pending=pending)
        await agent.remember(NODES[:1])
        first = await agent.build_context("closing a file", TASK, 2_000)
        assert first.is_remembered and not len(pending)

        with memory_held_up(kari.space):
            save = asyncio.create_task(agent.save_context(TASK, {"scratchpad": "Half done: the marmalade."}))
            await in_thread(wait_until_blocked)
            web.kill()
        interrupted = await save
        assert len(pending) == 1
        assert set(await in_thread(saved, kari)) == {first.save_id}

        alone = await agent.build_context("how do I close a file", TASK, 2_000)
        assert not alone.is_remembered
        assert (
            alone.frames["knowledge"]["skill"]["python"]["context-managers"]["_label"] == "Context managers"
        )
        episode = await agent.observe(TASK, "Wrote the file.", about=[NODES[0]["id"]], outcome="passed")
        assert len(pending) == 3
        pending.close()
        await adapter.close()

        waiting = b"".join(path.read_bytes() for path in (tmp_path / "pending").iterdir())
        assert len(waiting) > 500 and b"marmalade" not in waiting and b"context-managers" not in waiting

        web.start()
        async with McpAdapter(web.url, kari.token) as again:
            later = SealedPendingCalls(tmp_path / "pending", token=kari.token)
            async with MemoryOrchestrator(again, pending=later) as program:
                assert await program.replay() == 3
                assert not len(later)
                twice = {"kind": "scratchpad", "format": "markdown", "data": "Half done: the marmalade."}
                await again.call(
                    protocol.SAVE_CONTEXT,
                    {"task_id": TASK.id, "frames": [twice], "client_id": str(interrupted)},
                )
                context = await program.build_context("closing a file", TASK, 2_000)
        assert context.is_remembered
        assert episode in [node.path for node in context.nodes]
        assert context.frames["scratchpad"] == "Half done: the marmalade."
        kept = await in_thread(saved, kari)
        assert set(kept) == {first.save_id, interrupted, alone.save_id, context.save_id}
        assert [frame["data"] for frame in kept[interrupted]["frames"]] == ["Half done: the marmalade."]
    assert "marmalade" not in web.said()
