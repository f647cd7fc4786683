"""Serve an agent's memory over standard input and output, for a client that starts it as its own program."""

import anyio
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from companion_site.accounts.tokens import authenticate_token
from companion_site.env import Env
from companion_site.errors import CompanionError
from memory.agents.mcp.protocol import TOKEN_VARIABLE
from memory.agents.mcp.server import DATABASE_LOST, serve_stdio
from memory.agents.mcp.toolset import admit


class Command(BaseCommand):
    help = f"Serve an agent's memory over standard input and output. The agent's token stands in {TOKEN_VARIABLE}."
    requires_system_checks = ()

    def handle(self, *args, **options):
        # Not an argument: those are seen by everybody on the machine.
        token = Env().str(TOKEN_VARIABLE, "").strip()
        if not token:
            raise CommandError(f"Put the agent's token into the environment variable {TOKEN_VARIABLE}.")
        try:
            admit(authenticate_token(token, now=timezone.now()))
        except CompanionError as refusal:
            raise CommandError(str(refusal)) from None
        except DATABASE_LOST:
            raise CommandError("The site's database cannot be reached. Is the site running?") from None
        anyio.run(serve_stdio, token)
