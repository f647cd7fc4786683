"""The tools over standard input and output: one program on this machine, one token for as long as it runs."""

from django.utils import timezone
from mcp.server.stdio import stdio_server

from memory.agents.mcp.bearer import admit
from memory.agents.mcp.server import build_server


async def serve_stdio(token: str) -> None:
    """Answer until the other side closes. The token is looked at anew at each call, so that it can be revoked."""
    server = build_server(lambda: admit(token, now=timezone.now()))
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
