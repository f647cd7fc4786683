"""What a program is told over a real socket when its memory, or something before it, does not answer as it should."""

import pytest
from asgiref.sync import sync_to_async

from memory.agents.client import McpAdapter, MemoryRefused, MemoryUnreachable, NotLetIn
from memory.agents.mcp import protocol
from memory.agents.mcp.protocol import REQUEST_BYTES
from tests.memory.agents.conftest import node
from tests.memory.agents.mcp.conftest import use_up

pytestmark = [pytest.mark.spec("K7"), pytest.mark.spec("K8")]

ASKED = (protocol.SEARCH_MEMORY, {"query": "anything"})


async def test_why_no_answer_came_is_told(site, kari):
    """Whoever is not let in is told so, with the reason: another token may make the same call. What a tool refuses the memory says no to
    alone. Too many requests, or nobody there: the same asked later may succeed."""
    url = f"http://{site.address}/mcp"
    async with McpAdapter(url, "cmp_x") as adapter:
        with pytest.raises(NotLetIn, match=r"token\.bad: .*revoked"):
            await adapter.call(*ASKED)
    async with McpAdapter(url, kari.token) as adapter:
        with pytest.raises(MemoryRefused) as refused:
            await adapter.call(protocol.UPSERT_MEMORY, {"nodes": [node("../../etc/passwd")]})
        assert refused.value.code == "agent.node-invalid" and not isinstance(refused.value, NotLetIn)
        await adapter.call(*ASKED)
        await sync_to_async(use_up)(kari.space)
        with pytest.raises(MemoryUnreachable):
            await adapter.call(*ASKED)
    async with McpAdapter("http://127.0.0.1:1/mcp", kari.token) as adapter:
        with pytest.raises(MemoryUnreachable):
            await adapter.call(*ASKED)


async def test_an_address_where_no_memory_is_is_named(site, kari):
    """What the site answers there is no memory's, and will not pass: the error says where to look."""
    for path in ("/mcp/x", "/nowhere", "/", "/api/v1/me", ""):
        url = f"http://{site.address}{path}"
        async with McpAdapter(url, kari.token) as adapter:
            with pytest.raises(NotLetIn, match=f"No memory answers at {url} ") as refused:
                await adapter.call(*ASKED)
        assert refused.value.code == "orchestrator.wrong-address"


async def test_what_is_too_large_is_told_to_the_official_client(site, kari):
    """Its body is read away, so that a client which sends all of it hears why; with a wrong token as well."""
    for token, size, code in (
        (kari.token, REQUEST_BYTES, "mcp.too-large"),
        ("cmp_x", REQUEST_BYTES, "mcp.too-large"),
        ("cmp_x", REQUEST_BYTES - 10_000, "token.bad"),
    ):
        nodes = [node("concept.large", payload={"details": "x" * size})]
        async with McpAdapter(f"http://{site.address}/mcp", token) as adapter:
            with pytest.raises(MemoryRefused) as refused:
                await adapter.call(protocol.UPSERT_MEMORY, {"nodes": nodes})
        assert refused.value.code == code
        assert isinstance(refused.value, NotLetIn) == (code == "token.bad")
