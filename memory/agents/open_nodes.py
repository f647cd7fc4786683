"""The working set of an agent that is open, and its nodes as they are now."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.errors import NotFound
from memory.agents.workingset import TYPES, AgentWorkingSet, agent_working_sets
from memory.algorithms.activation import resonate
from memory.nodes.wire import wire_content


def working_set_of(space: UUID, *, embedder: Embedder | None = None) -> AgentWorkingSet:
    """Return the current memory of an agent's space as arrays; the space is unlocked here."""
    embedder = embedder or get_embedder()
    return agent_working_sets.get(space, model=embedder.model, dimension=embedder.dimension)


def resonance_now(held: AgentWorkingSet, *, tick: int | None = None) -> np.ndarray:
    """Return (n,) the resonance of each row at a tick, by default that of the last context; not to be written to."""
    at = held.tick if tick is None else tick
    known = held.resonant
    if known is None or known[:2] != (held.version, at):
        numbers = held.numbers
        value = np.asarray(resonate(numbers["resonance"], numbers["decay"], at - numbers["resonance_tick"]))
        known = held.resonant = (held.version, at, value)
    return known[2]


def held_node(held: AgentWorkingSet, path: str) -> dict[str, Any]:
    """Return one node in wire form.

    Raises:
        NotFound: there is none of this path.
    """
    row = held.row_of.get(path)
    if row is None:
        raise NotFound()
    return held_nodes(held, [row])[0]


def held_nodes(held: AgentWorkingSet, rows: Sequence[int] | np.ndarray) -> list[dict[str, Any]]:
    """Return nodes in wire form, in the order given."""
    at = np.asarray(rows, dtype=np.int64)
    numbers = held.numbers[at]
    columns = zip(
        at.tolist(),
        numbers["type"].tolist(),
        numbers["uses"].tolist(),
        numbers["last_used_at"].tolist(),
        resonance_now(held)[at].tolist(),
        numbers["decay"].tolist(),
        strict=True,
    )
    return [
        wire_content(
            held.contents[row],
            type=TYPES[code],
            uses=uses,
            last_used_at=last_used_at,
            resonance=resonance,
            decay=decay,
        )
        for row, code, uses, last_used_at, resonance, decay in columns
    ]
