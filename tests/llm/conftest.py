"""One wire server for all tests here, and rigs that close what they opened."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from django.db import connections

from tests.llm.builders import PATIENT, Rig, make_provider
from tests.llm.wire_server import WireServer


@pytest.fixture(scope="session")
def _server() -> Iterator[WireServer]:
    with WireServer() as server:
        yield server


@pytest.fixture
def wire(_server: WireServer) -> WireServer:
    """The wire server, with nothing scripted and nothing received."""
    _server.clear()
    return _server


@pytest_asyncio.fixture
async def rig_for(wire: WireServer) -> AsyncIterator[Callable[..., Rig]]:
    """Return a maker of rigs: provider names in order, what they stand behind, then what the rig takes."""
    rigs: list[Rig] = []

    def make(
        *names: Any, provider: dict[str, Any] | None = None, behind: Callable = lambda one: one, **rest: Any
    ) -> Rig:
        limits = rest.get("limits", PATIENT)
        made = [make_provider(name, wire.url, limits=limits, **(provider or {})) for name in names]
        rigs.append(Rig([behind(one) for one in made], **rest))
        return rigs[-1]

    yield make
    for rig in rigs:
        await rig.gateway.aclose()


@pytest_asyncio.fixture
async def rows(committed: None) -> AsyncIterator[None]:
    """Let asynchronous code write rows; its thread's connection is closed, so that the database can be dropped."""
    yield
    await sync_to_async(connections.close_all)()


@pytest.fixture(params=["anthropic", "openai"])
def name(request: pytest.FixtureRequest) -> str:
    """Each provider in turn: the rules are the same for both."""
    return request.param
