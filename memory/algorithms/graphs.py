"""A memory graph as arrays, and what it becomes when nodes go or become one. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
#: The group of nodes that never merge: backed by the ledger, under review, superseded.
ALONE = -1


@dataclass(frozen=True, eq=False)
class Edges:
    """Typed edges as four arrays of one length.

    Attributes:
        source, target: (m,) int64 rows of the graph, never the same one.
        kind: (m,) text.
        weight: (m,) 0 to 1.
    """

    source: IntArray
    target: IntArray
    kind: NDArray[np.str_]
    weight: FloatArray

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, str, float]]) -> "Edges":
        """Return the edges of a list of (source, target, kind, weight)."""
        source, target, kind, weight = zip(*rows, strict=True) if rows else ((), (), (), ())
        return cls(
            np.array(source, np.int64),
            np.array(target, np.int64),
            np.array(kind, np.str_),
            np.array(weight, np.float64),
        )

    def __len__(self) -> int:
        return len(self.weight)

    def take(self, chosen: NDArray[np.generic]) -> "Edges":
        return Edges(self.source[chosen], self.target[chosen], self.kind[chosen], self.weight[chosen])


@dataclass(frozen=True, kw_only=True, eq=False)
class Graph:
    """n nodes with what compression has to know of them.

    Attributes:
        gravity: (n,) at this moment, 0 to 1.
        modality: (n,) number of the modality.
        group: (n,) only nodes of one group become one; those of `ALONE` stay as they are.
        active: (n,) whether it is believed now; history is not.
        prunable: (n,) whether it may go below the noise floor.
        droppable: (n,) whether it may go where there are too many.
        said_at: (n,) when it was first said, in any unit.
        texts: for each node its statements, in order of time.
        sources: for each node the numbers of the places it came from.
        members: for each node the rows, of the graph first given, that it holds.
        edges: among the nodes, none from one to itself.
    """

    gravity: FloatArray
    modality: IntArray
    group: IntArray
    active: BoolArray
    prunable: BoolArray
    droppable: BoolArray
    said_at: FloatArray
    texts: tuple[tuple[str, ...], ...]
    sources: tuple[frozenset[int], ...]
    members: tuple[tuple[int, ...], ...]
    edges: Edges

    def __len__(self) -> int:
        return len(self.gravity)

    @property
    def active_count(self) -> int:
        return int(np.count_nonzero(self.active))


def keep(graph: Graph, kept: BoolArray) -> Graph:
    """Return the graph of the nodes in `kept` alone, and of the edges whose both ends stay."""
    rows = np.flatnonzero(kept)
    number = np.cumsum(kept) - 1
    edges = graph.edges.take(kept[graph.edges.source] & kept[graph.edges.target])
    arrays = ("gravity", "modality", "group", "active", "prunable", "droppable", "said_at")
    left: dict[str, Any] = {name: getattr(graph, name)[rows] for name in arrays}
    for name in ("texts", "sources", "members"):
        left[name] = tuple(getattr(graph, name)[row] for row in rows)
    return replace(
        graph, **left, edges=replace(edges, source=number[edges.source], target=number[edges.target])
    )
