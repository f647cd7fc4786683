"""Which nodes hang together: links and children of contents, as rows and weights."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from memory.algorithms.activation import LINK_WEIGHT
from memory.algorithms.adjacency import from_pairs

#: what holds a child to its parent
CHILD_WEIGHT = 0.5


@dataclass(frozen=True)
class Linked:
    """How n nodes hang together.

    Attributes:
        adjacency: (n, n) float64, the same both ways, the heaviest of several links.
        outward: by path of what is no node here: the rows that lead there, and how strongly each does at the most.
    """

    adjacency: csr_array
    outward: Mapping[str, Mapping[int, float]]


def link_rows(contents: Sequence[Mapping[str, Any]], row_of: Mapping[str, int]) -> Linked:
    """Return how nodes hang together. `contents`: n contents in wire form; an empty one is no node any more."""
    pairs: dict[tuple[int, int], float] = {}
    outward: dict[str, dict[int, float]] = defaultdict(dict)
    for row, content in enumerate(contents):
        for path, weight in links_of(content):
            target = row_of.get(path)
            if target is None:
                outward[path][row] = max(weight, outward[path].get(row, 0.0))
            elif target != row:
                key = (row, target) if row < target else (target, row)
                pairs[key] = max(weight, pairs.get(key, 0.0))
    low, high = np.array(list(pairs), dtype=np.int64).reshape(-1, 2).T
    weights = np.fromiter(pairs.values(), np.float64, len(pairs))
    return Linked(from_pairs(low, high, weights, count=len(contents)), outward)


def links_of(content: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield where a node leads, and how strongly."""
    for link in content.get("links") or ():
        yield link["to"], float(link.get("w", LINK_WEIGHT))
    for child in (content.get("children") or {}).values():
        yield child, CHILD_WEIGHT
