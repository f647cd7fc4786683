"""The tools over standard input and output: a real process, started by the official client."""

import sys

import pytest
from django.core.management import CommandError, call_command
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from companion_site.accounts.tokens import issue_token, revoke_token
from companion_site.running import PROJECT
from memory.agents.mcp import protocol
from memory.agents.mcp.server import in_thread
from tests.factories import NOW
from tests.memory.agents.conftest import node
from tests.memory.agents.mcp.processes import environment
from tests.processes import run_python

pytestmark = pytest.mark.spec("K7")


def program(token: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["manage.py", "mcp"],
        env=environment(COMPANION_TOKEN=token),
        cwd=PROJECT,
    )


async def test_a_program_of_ones_own_serves_the_same_memory(kari):
    """`manage.py mcp` answers the same seven tools, until its token is taken back."""
    async with Client(program(kari.token)) as client:
        assert len((await client.list_tools()).tools) == 7
        kept = await client.call_tool(
            protocol.UPSERT_MEMORY, {"nodes": [node("concept.closures", label="Closures")]}
        )
        found = await client.call_tool(protocol.SEARCH_MEMORY, {"query": "closures"})
        await in_thread(revoke_token, kari.space, kari.row.pk, actor=kari.access.person, now=NOW)
        refused = await client.call_tool(protocol.SEARCH_MEMORY, {"query": "closures"})
    assert kept.structured_content["created"] == 1
    assert [hit["node"]["id"] for hit in found.structured_content["nodes"]] == ["concept.closures"]
    assert refused.structured_content["error"]["code"] == "token.bad"


@pytest.mark.slow
def test_without_an_agents_token_it_does_not_begin(kari, monkeypatch):
    """The program ends at once, with one line, where the variable is missing or its token opens no agent's memory."""
    _row, own = issue_token(
        kari.access.owner_key, name="mine", scopes=["agent"], actor=kari.access.person, now=NOW
    )
    for token, why in (("", "COMPANION_TOKEN"), ("cmp_x", "opens nothing"), (own, "agent's memory")):
        monkeypatch.setenv("COMPANION_TOKEN", token)
        with pytest.raises(CommandError, match=why) as refused:
            call_command("mcp")
        assert not token or token not in str(refused.value)
    ended = run_python("manage.py", "mcp", env=environment(COMPANION_TOKEN=own), input="", timeout=60)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "agent's memory" in ended.stderr and own not in ended.stderr
