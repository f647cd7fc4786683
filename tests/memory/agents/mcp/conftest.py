"""An agent with a token, the site on a real port, and the official library's own client."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import httpx2
import pytest
from django.utils import timezone
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from companion_site.accounts import limits
from companion_site.accounts.models import ApiToken
from memory.agents.agents import OpenAgent
from memory.agents.mcp.http import REQUESTS
from tests.factories import make_student, open_space
from tests.live import Served, serving
from tests.memory.agents.conftest import make_agent, token_of


@dataclass(frozen=True)
class Kept:
    """An agent and a token of it."""

    access: OpenAgent
    token: str
    row: ApiToken

    @property
    def space(self) -> UUID:
        return self.access.space


def make_agent_with_token(username: str = "ada", *, scopes: tuple[str, ...] = ("agent",)) -> Kept:
    opened = make_agent(open_space(make_student(username).person))
    row, text = token_of(opened, *scopes)
    return Kept(opened, text, row)


def use_up(space: UUID) -> None:
    """Ask so often in an agent's name that nothing is left of its minute."""
    while limits.count([REQUESTS.of(str(space))], now=timezone.now() + timedelta(seconds=20)) is None:
        pass


@pytest.fixture
def kari(committed) -> Kept:
    return make_agent_with_token()


@pytest.fixture
def bea(committed) -> Kept:
    """Another person's agent, whose token may take in packs too."""
    return make_agent_with_token("bea", scopes=("agent", "packs"))


@pytest.fixture
def site(committed) -> Iterator[Served]:
    with serving() as served:
        yield served


@asynccontextmanager
async def connected(site: Served, token: str, **options) -> AsyncIterator[Client]:
    """Connect as a program does that has this token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=20) as http:
        transport = streamable_http_client(f"http://{site.address}/mcp", http_client=http)
        async with Client(transport, **options) as client:
            yield client
