"""Nodes that an agent's program writes."""

import secrets
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memory.agents.client.adapters import MemoryRefused
from memory.agents.client.contexts import text_of
from memory.agents.client.workingset import WorkingSet, moment_of
from memory.agents.frames import Task
from memory.algorithms.hdod import cut_text, materialise

LABEL_CHARS = 120
#: how strongly an episode or a skill hangs together with what it is about
ABOUT_WEIGHT = 0.8


def episode(task: Task, text: str, *, about: Sequence[str], outcome: str, now: datetime) -> dict[str, Any]:
    """Return something that was done as a node; its path is its own, so that it can be sent twice."""
    at = now.astimezone(UTC)
    return {
        "id": f"episode.{at:%Y-%m-%d}.{at:%H%M%S}-{secrets.token_hex(6)}",
        "type": "episode",
        "label": cut_text(" ".join(text.split()), LABEL_CHARS),
        "payload": {"details": text, **({"outcome": outcome} if outcome else {})},
        "links": links_to(about),
        "tags": list(task.tags),
        "meta": {"source": "observed", "task": task.id, "at": at.isoformat()},
    }


def dated(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return an episode with "at", when it was: seconds since the epoch, 0.0 where it does not say."""
    found = moment_of((node.get("meta") or {}).get("at"))
    return {**node, "at": found.timestamp() if found else 0.0}


def check_nodes(nodes: Sequence[Mapping[str, Any]], *, now: datetime) -> None:
    """Look whether contexts can be made of nodes. The memory looks closer; but nobody may be there to be asked.

    Raises:
        MemoryRefused: one is none.
    """
    trial = WorkingSet()
    try:
        trial.take_in(nodes, now=now)
        trial.resonance(trial.paths)
        trial.adjacency(trial.paths)
        trial.codes(trial.paths)
        for node in nodes:
            text_of(node)
        materialise(nodes, budget_tokens=sys.maxsize, count=len)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise MemoryRefused("agent.node-invalid", "That is no node of a memory.") from None


def links_to(about: Sequence[str]) -> list[dict[str, Any]]:
    """Return the links of a note to the nodes that it is about."""
    return [{"to": path, "rel": "about", "w": ABOUT_WEIGHT} for path in about]
