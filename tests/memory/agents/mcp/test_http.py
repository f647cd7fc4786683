"""The tools over HTTP, asked by the official client over a real socket."""

from base64 import b64decode

import pytest

from memory.agents.mcp import protocol
from tests.memory.agents.conftest import node
from tests.memory.agents.mcp.conftest import connected

pytestmark = pytest.mark.spec("K7")
SEVEN = {
    "kom.meta.v1.project_snapshot",
    "kom.local.v1.backup.import_encrypted",
    "kom.local.v1.backup.export_encrypted",
    "kom.memory.v1.search_memory",
    "kom.memory.v1.upsert_memory",
    "kom.memory.v1.recall_context",
    "kom.memory.v1.save_context",
}
CLOSURES = node(
    "concept.python.closures",
    label="Closures",
    says="A function that remembers the names of where it was made.",
    links=[{"to": "concept.python.scopes", "rel": "uses", "w": 0.7}],
)
SCOPES = node("concept.python.scopes", label="Scopes", says="Where a name means something.")


@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
async def test_the_seven_tools_are_offered_by_their_names(site, kari, mode):
    """Every version of the protocol that the official client speaks lists the seven tools, each with a schema; a node that one call
    keeps is found by another, as an object and as the same text."""
    async with connected(site, kari.token, mode=mode) as client:
        listed = await client.list_tools()
        kept = await client.call_tool(protocol.UPSERT_MEMORY, {"nodes": [CLOSURES, SCOPES]})
        found = await client.call_tool(
            protocol.SEARCH_MEMORY, {"query": "function that remembers names", "k": 1}
        )
    assert {tool.name for tool in listed.tools} == SEVEN
    assert all(tool.input_schema["type"] == "object" and tool.description for tool in listed.tools)
    assert all(tool.input_schema["additionalProperties"] is False for tool in listed.tools)
    ids = [CLOSURES["id"], SCOPES["id"]]
    assert kept.structured_content == {"created": 2, "changed": 0, "unchanged": 0, "ids": ids}
    (hit,) = found.structured_content["nodes"]
    assert (hit["node"]["id"], hit["source"]) == (CLOSURES["id"], "own")
    assert hit["node"]["payload"] == CLOSURES["payload"]
    assert CLOSURES["payload"]["definition"] in found.content[0].text


async def test_a_backup_brings_back_what_was_lost(site, kari, bea):
    """Nodes that went out encrypted come back into another agent's own memory by the passphrase, and by no other."""
    async with connected(site, kari.token) as client:
        await client.call_tool(protocol.UPSERT_MEMORY, {"nodes": [CLOSURES, SCOPES]})
        given = await client.call_tool(
            protocol.EXPORT_ENCRYPTED,
            {
                "selection": "path:concept.python",
                "passphrase": "a stitch in time",
                "out": "../../python.kpack",
            },
        )
    told = given.structured_content
    assert (told["nodes"], told["links"]) == (2, 1)
    assert b"remembers the names" not in b64decode(told["pack"])
    async with connected(site, bea.token) as client:
        wrong = await client.call_tool(
            protocol.IMPORT_ENCRYPTED, {"pack": told["pack"], "passphrase": "something else"}
        )
        assert wrong.is_error and wrong.structured_content["error"]["code"] == "pack.wrong-key"
        taken = await client.call_tool(
            protocol.IMPORT_ENCRYPTED, {"pack": told["pack"], "passphrase": "a stitch in time"}
        )
        found = await client.call_tool(protocol.SEARCH_MEMORY, {"query": "closures", "k": 1})
    assert taken.structured_content["created"] == 2
    assert found.structured_content["nodes"][0]["node"]["payload"] == CLOSURES["payload"]


@pytest.mark.spec("K6")
async def test_a_pack_is_mounted_by_a_token_for_packs_alone(site, kari, bea):
    """With `mount` a pack stands beside the agent's memory, as an open pack of its owner's; an agent's token alone may not."""
    async with connected(site, kari.token) as client:
        await client.call_tool(protocol.UPSERT_MEMORY, {"nodes": [CLOSURES, SCOPES]})
        given = await client.call_tool(protocol.EXPORT_ENCRYPTED, {"passphrase": "a stitch in time"})
        pack = {"pack": given.structured_content["pack"], "passphrase": "a stitch in time", "mount": True}
        refused = await client.call_tool(protocol.IMPORT_ENCRYPTED, pack)
    assert refused.structured_content["error"]["code"] == "mcp.may-not-import"
    async with connected(site, bea.token) as client:
        taken = await client.call_tool(protocol.IMPORT_ENCRYPTED, pack)
        assert (taken.structured_content["nodes"], taken.structured_content["state"]) == (2, "ready")
        found = await client.call_tool(protocol.SEARCH_MEMORY, {"query": "closures", "k": 1})
        linked = await client.call_tool(protocol.SEARCH_MEMORY, {"filters": {"ids": [SCOPES["id"]]}})
    assert found.structured_content["nodes"][0]["source"] == taken.structured_content["id"]
    assert linked.structured_content["nodes"][0]["node"]["label"] == "Scopes"
