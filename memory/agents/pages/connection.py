"""What to paste into a client so that it finds this site and an agent's memory: docs/kompanion.md with the address filled in."""

import json

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.requests import PersonRequest
from memory.agents.mcp.protocol import TOKEN_VARIABLE

NAME = "companion"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})


def is_readable_on_the_way(request: PersonRequest) -> bool:
    """Tell whether a token sent to this address could be read by others: no HTTPS, and not this machine itself."""
    host = request.get_host()
    return not request.is_secure() and host.rpartition(":")[0] not in LOOPBACK and host not in LOOPBACK


def recipes(address: str) -> list[dict[str, str | Promise]]:
    """Return what to paste where, client by client, the simplest first."""
    header = f"Authorization: Bearer ${TOKEN_VARIABLE}"
    return [
        {
            "slug": "claude-code",
            "title": _("Claude Code"),
            "told": _("In a shell that has the token in its environment, as the page that shows it says."),
            "text": f'claude mcp add --transport http {NAME} {address} --header "{header}"',
        },
        {
            "slug": "project",
            "title": _("A project's .mcp.json"),
            "told": _("The token comes from the environment and stays out of the file."),
            "text": _as_json({"type": "http", "url": address, **_bearer(f"${{{TOKEN_VARIABLE}}}")}),
        },
        {
            "slug": "other",
            "title": _("Other clients that speak MCP over HTTP"),
            "told": _("Most take an address and a header; put the token itself where the dots are."),
            "text": _as_json({"url": address, **_bearer("cmp_…")}),
        },
        {
            "slug": "stdio",
            "title": _("A client that starts its servers itself"),
            "told": _(
                "On the machine on which the site itself runs; write the site's folder where it says so."
            ),
            "text": _as_json(
                {
                    "command": "/srv/companion/.venv/bin/python",
                    "args": ["/srv/companion/manage.py", "mcp"],
                    "env": {TOKEN_VARIABLE: "cmp_…"},
                }
            ),
        },
        {
            "slug": "python",
            "title": _("A program in Python"),
            "told": _(
                "The orchestrator keeps a working set of its own, and goes on while this site is away."
            ),
            "text": (
                "from memory.agents.client import McpAdapter, MemoryOrchestrator, Task\n\n"
                f'async with McpAdapter("{address}", token) as adapter:\n'
                "    async with MemoryOrchestrator(adapter) as memory:\n"
                '        task = Task(id="task-1", tags=["python"])\n'
                '        context = await memory.build_context("closing a file", task, 4_000)'
            ),
        },
    ]


def _bearer(token: str) -> dict[str, dict[str, str]]:
    return {"headers": {"Authorization": f"Bearer {token}"}}


def _as_json(server: object) -> str:
    return json.dumps({"mcpServers": {NAME: server}}, indent=2, ensure_ascii=False)
