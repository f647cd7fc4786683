"""The working set: the nodes that an agent has in mind, which fade with every context and go when they are not renewed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from memory.agents.links import link_rows
from memory.algorithms.activation import (
    ACTIVATION,
    DECAY,
    TYPE_CODE,
    raise_resonance,
    resonate,
    stay_resonant,
)

Node = Mapping[str, Any]
_DAY_S = 86_400.0
#: how long a node is believed without the memory telling of it again
BELIEVED = timedelta(hours=1)


@dataclass
class HeldNode:
    """One node in mind.

    Attributes:
        resonance: as of `tick`.
        seen_at: when the memory last told of it.
    """

    node: Node
    seen_at: datetime
    resonance: float = 0.0
    tick: int = 0
    uses: int = 0
    used_at: datetime | None = None

    @property
    def decay(self) -> float:
        return float((self.node.get("resonance") or {}).get("decay", DECAY))


class WorkingSet:
    """Nodes by path. Rows are in the order of the paths, so that the same nodes give the same arrays."""

    def __init__(self) -> None:
        self.tick = 0
        self._held: dict[str, HeldNode] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, path: str) -> bool:
        return path in self._held

    @property
    def paths(self) -> list[str]:
        return sorted(self._held)

    def node(self, path: str) -> Node:
        return self._held[path].node

    def take_in(self, nodes: Iterable[Node], *, now: datetime) -> None:
        """Know nodes as the memory tells of them; how strongly they resonate here stays."""
        for node in nodes:
            held = self._held.get(node["id"])
            stats = node.get("stats") or {}
            if held is None:
                held = self._held[node["id"]] = HeldNode(node, now, tick=self.tick)
            held.node, held.seen_at = node, now
            held.uses = max(held.uses, int(stats.get("uses") or 0))
            last = filter(None, (held.used_at, moment_of(stats.get("last_used_at"))))
            held.used_at = max(last, default=None)

    def forget_stale(self, *, now: datetime) -> None:
        """Drop what the memory has not told of for long, what has faded, and what is too much."""
        self._held = {path: held for path, held in self._held.items() if now - held.seen_at <= BELIEVED}
        paths = self.paths
        stay = stay_resonant(self.resonance(paths), params=ACTIVATION)
        self._held = {paths[at]: self._held[paths[at]] for at in stay}

    def resonance(self, paths: Sequence[str]) -> np.ndarray:
        """Return (n,) the resonance of now."""
        held = [self._held[path] for path in paths]
        return resonate(
            [one.resonance for one in held],
            [one.decay for one in held],
            [self.tick - one.tick for one in held],
        )

    def light_up(self, paths: Sequence[str], scores: ArrayLike) -> None:
        """Raise the resonance of activated nodes."""
        for path, value in zip(paths, raise_resonance(self.resonance(paths), scores), strict=True):
            self._held[path].resonance, self._held[path].tick = float(value), self.tick

    def use(self, paths: Iterable[str], *, now: datetime) -> None:
        """Count that nodes were put into a context."""
        for path in paths:
            held = self._held[path]
            held.uses, held.used_at = held.uses + 1, now

    def adjacency(self, paths: Sequence[str]) -> csr_array:
        """Return (n, n) the weights of the links among `paths`, both ways."""
        row_of = {path: row for row, path in enumerate(paths)}
        return link_rows([self._held[path].node for path in paths], row_of).adjacency

    def codes(self, paths: Sequence[str]) -> np.ndarray:
        """Return (n,) the codes of the types; what is of none counts as a concept."""
        return np.array([TYPE_CODE.get(self._held[path].node.get("type", ""), 0) for path in paths], np.int64)

    def age_days(self, paths: Sequence[str], *, now: datetime) -> np.ndarray:
        """Return (n,) days since each was used; nan: never."""
        used = [self._held[path].used_at for path in paths]
        return np.array([np.nan if at is None else (now - at).total_seconds() / _DAY_S for at in used])

    def uses(self, paths: Sequence[str]) -> np.ndarray:
        return np.array([self._held[path].uses for path in paths], np.float64)


def moment_of(text: object) -> datetime | None:
    """Return the moment that a text of JSON tells, None where it tells none."""
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found is not None and found.tzinfo else None
