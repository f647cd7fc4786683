"""What a program is told over a real socket when its memory, or something before it, does not answer as it should."""

import pytest
from asgiref.sync import sync_to_async

from memory.agents.client import (
    McpAdapter,
    MemoryRefused,
    MemoryUnreachable,
    NotLetIn,
)
from memory.agents.mcp import protocol
from tests.memory.agents.mcp.conftest import note, use_up

ASKED = (protocol.SEARCH_MEMORY, {"query": "anything"})


@pytest.mark.spec("K7", "K8")
async def test_a_wrong_token_is_no_refusal_of_the_call(site, kari):
    """Whoever is not let in is told so, with the reason: another token may make the same call."""
    async with McpAdapter(f"http://{site.address}/mcp", "cmp_x") as adapter:
        with pytest.raises(NotLetIn, match=r"token\.bad: .*revoked"):
            await adapter.call(*ASKED)


@pytest.mark.spec("K7", "K8")
async def test_what_a_tool_refuses_is_told_by_its_code(site, kari):
    """The memory listened, and says no to this call alone."""
    async with McpAdapter(f"http://{site.address}/mcp", kari.token) as adapter:
        with pytest.raises(MemoryRefused) as refused:
            await adapter.call(protocol.UPSERT_MEMORY, {"nodes": [note("../../etc/passwd")]})
    assert refused.value.code == "agent.node-invalid" and not isinstance(refused.value, NotLetIn)


@pytest.mark.spec("K7", "K8")
async def test_what_may_pass_is_as_if_nobody_answered(site, kari):
    """Too many requests, another address, nobody there: the same asked later may succeed."""
    async with McpAdapter(f"http://{site.address}/mcp", kari.token) as adapter:
        await adapter.call(*ASKED)
        await sync_to_async(use_up)(kari.space)
        with pytest.raises(MemoryUnreachable):
            await adapter.call(*ASKED)
    for url in (f"http://{site.address}/nowhere", "http://127.0.0.1:1/mcp"):
        async with McpAdapter(url, kari.token) as adapter:
            with pytest.raises(MemoryUnreachable):
                await adapter.call(*ASKED)
