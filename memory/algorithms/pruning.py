"""Which nodes fall out of a memory: what has faded into the noise, and what there is no room for. Pure.

Who may fall at all is settled before (`Graph.prunable`, `Graph.droppable`): sleep must have covered it, and nothing
in the ledger came from it.
"""

from dataclasses import dataclass

import numpy as np

from memory.algorithms.graphs import BoolArray, Graph


@dataclass(frozen=True, kw_only=True)
class PruneParams:
    """Where memory ends."""

    #: present gravity below which a node is noise: 2 - the golden ratio (given by the product's document)
    noise_floor: float = 0.382


PRUNING = PruneParams()


def find_faded(graph: Graph, *, params: PruneParams = PRUNING) -> BoolArray:
    """Return (n,) whether a node may fall and lies below the noise floor. Source: the document, "Layer 1: Prune"."""
    return np.asarray(graph.prunable & (graph.gravity < params.noise_floor))


def find_surplus(graph: Graph, *, max_nodes: int) -> BoolArray:
    """Return (n,) which nodes go so that `max_nodes` stay: of those that may, the ones of lowest gravity.

    Of equal gravity the one said first goes first.
    """
    surplus = np.zeros(len(graph), dtype=bool)
    rows = np.flatnonzero(graph.droppable & graph.active)
    too_many = max(0, graph.active_count - max_nodes)
    order = np.lexsort((rows, graph.said_at[rows], graph.gravity[rows]))
    surplus[rows[order[:too_many]]] = True
    return surplus
