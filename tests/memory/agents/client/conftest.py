"""An agent's program and its memory, and the way between them; what they share with the tools' own tests."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memory.agents.client import InProcessAdapter, MemoryOrchestrator, MemoryUnreachable, NotLetIn, Task
from memory.agents.mcp import protocol
from tests.memory.agents.conftest import node
from tests.memory.agents.mcp.conftest import bea, kari, site

__all__ = ["bea", "kari", "site"]

TASK = Task(id="task-7", tags=["python"], problem="Close files whatever happens.", constraints="Python 3.11.")
BEGAN = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
NODES = [
    node(
        "skill.python.context-managers",
        "skill",
        label="Context managers",
        says="Use with, so that what is opened is closed.",
        links=[{"to": "concept.python.protocols", "rel": "uses", "w": 0.9}],
        tags=["python"],
    ),
    node("concept.python.protocols", label="Zebra", says="Two methods, one promise."),
    node("concept.cooking.marmalade", label="Marmalade", says="Oranges and patience."),
]


class Wire:
    """The way to a memory, which can be cut, and which remembers what went over it."""

    def __init__(self, adapter) -> None:
        self.adapter, self.is_cut, self.is_closed = adapter, False, False
        self.calls: list[tuple[str, dict[str, Any]]] = []

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if self.is_cut:
            raise MemoryUnreachable("cut")
        if self.is_closed:
            raise NotLetIn("token.bad", "This token opens nothing.")
        self.calls.append((tool, arguments))
        return await self.adapter.call(tool, arguments)

    def saves(self) -> list[dict[str, Any]]:
        return [arguments for tool, arguments in self.calls if tool == protocol.SAVE_CONTEXT]


class Clock:
    def __init__(self) -> None:
        self.at = BEGAN

    def now(self) -> datetime:
        return self.at

    def seconds(self) -> float:
        return (self.at - BEGAN).total_seconds()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def wire(kari) -> Wire:
    return Wire(InProcessAdapter(kari.access))


@pytest.fixture
def agent(wire, clock) -> MemoryOrchestrator:
    return MemoryOrchestrator(wire, identity="You are Kari.", now=clock.now, clock_s=clock.seconds)
