"""Compression of a memory graph: prune, cluster and merge, at most three times, and down to a number where asked. Pure.

What is settled stays as it is: a graph that a compression has left, compressed again at the same moment, is the same.
Source: the document, "Compression Algorithm"; docs/algorithms/compression.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from scipy.sparse import csr_array

from memory.algorithms.adjacency import (
    ADJACENCY,
    CONTRADICTS,
    as_pairs,
    build_adjacency,
    from_pairs,
)
from memory.algorithms.clustering import CLUSTERING, Fits, find_clusters, pair_up
from memory.algorithms.entropy import entropy_bits, find_masses, merging_loss, pruning_loss
from memory.algorithms.graphs import BoolArray, FloatArray, Graph, keep
from memory.algorithms.merge import LONGEST_TEXT, Cluster, merge_clusters

MayMerge = Callable[[str, str, bool], bool]
"""Of two statements, and whether they were said together: whether no value differs between them."""
Tell = Callable[[float], None]


#: present gravity below which a node is noise: 2 - the golden ratio (given by the product's document)
NOISE_FLOOR = 0.382
#: ceil(2.618), the document's most passes
MOST_CYCLES = 3


@dataclass(frozen=True, kw_only=True)
class Compressed:
    """What a compression made of a graph.

    Attributes:
        graph: what is left.
        pruned: rows, of the graph that was given, that went.
        cycles: how often pruning and merging were gone through.
        entropy: bits before and after.
        pruning_loss, merging_loss: (modalities,) bits.
    """

    graph: Graph
    pruned: tuple[int, ...]
    cycles: int
    entropy: tuple[float, float]
    pruning_loss: FloatArray
    merging_loss: FloatArray

    @property
    def merged(self) -> dict[int, tuple[int, ...]]:
        """The members of each node that several became, by its row in `graph`."""
        return {row: members for row, members in enumerate(self.graph.members) if len(members) > 1}


def compress_graph(
    graph: Graph,
    *,
    may_merge: MayMerge,
    modalities: int,
    max_nodes: int | None = None,
    tell: Tell = lambda share: None,
) -> Compressed:
    """Return what is left of a graph whose nodes each are a member of themselves.

    Args:
        may_merge: decides by the values that statements name; never asked of the same pair twice.
        modalities: how many there are.
        max_nodes: active nodes that may stay; above, the densest pairs merge first, then what may go is dropped.
        tell: called with how much is done, 0 to 1.
    """
    work = _Work(graph, may_merge, modalities)
    before = entropy_bits(find_masses(graph))
    for _ in range(MOST_CYCLES):
        work.cycles += 1
        if not work.run_cycle():
            break
        tell(work.cycles / (MOST_CYCLES + 1))
    if max_nodes is not None:
        work.merge_densest(least=ADJACENCY.faintest, max_nodes=max_nodes)
    # Whatever a cut went through, so that a second compression finds nothing that is dense enough.
    work.merge_densest(least=CLUSTERING.density, max_nodes=0)
    if max_nodes is not None:
        work.drop(find_surplus(work.graph, max_nodes=max_nodes))
    tell(1.0)
    return Compressed(
        graph=work.graph,
        pruned=tuple(sorted(work.pruned)),
        cycles=work.cycles,
        entropy=(before, entropy_bits(find_masses(work.graph))),
        pruning_loss=work.pruning_loss,
        merging_loss=work.merging_loss,
    )


@dataclass
class _Work:
    """A graph on its way, with what it has lost."""

    graph: Graph
    may_merge: MayMerge
    modalities: int
    cycles: int = 0
    pruned: list[int] = field(default_factory=list)
    pruning_loss: FloatArray = field(init=False)
    merging_loss: FloatArray = field(init=False)
    _allowed: dict[tuple[str, str, bool], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pruning_loss = np.zeros(self.modalities)
        self.merging_loss = np.zeros(self.modalities)

    def run_cycle(self) -> bool:
        """Prune, then cluster and merge; return whether anything changed."""
        faded = find_faded(self.graph)
        self.drop(faded)
        fits = self._fitting()
        clusters = find_clusters(self._adjacency(fits), fits=fits)
        self._merge(clusters)
        return bool(faded.any() or clusters)

    def merge_densest(self, *, least: float, max_nodes: int) -> None:
        """Merge pairs, the densest first, until `max_nodes` are active or none is left that may."""
        while self.graph.active_count > max_nodes:
            pairs = pair_up(
                self._adjacency(self._fitting()),
                least=least,
                most=self.graph.active_count - max_nodes,
                gravity=self.graph.gravity,
            )
            if not pairs:
                return
            self._merge(pairs)

    def drop(self, removed: BoolArray) -> None:
        if removed.any():
            self.pruning_loss += pruning_loss(self.graph, removed, modalities=self.modalities)
            self.pruned += [member for row in np.flatnonzero(removed) for member in self.graph.members[row]]
            self.graph = keep(self.graph, ~removed)

    def _merge(self, clusters: Sequence[Cluster]) -> None:
        if clusters:
            self.merging_loss += merging_loss(self.graph, clusters, modalities=self.modalities)
            self.graph = merge_clusters(self.graph, clusters)

    def _adjacency(self, fits: Fits) -> csr_array:
        """Return what holds the nodes together, without the pairs that may not become one."""
        low, high, weight = as_pairs(build_adjacency(self.graph))
        may = [fits(pair) for pair in zip(low.tolist(), high.tolist(), strict=True)]
        return from_pairs(low[may], high[may], weight[may], count=len(self.graph))

    def _fitting(self) -> Fits:
        """Return what tells whether rows of the graph as it is now may become one."""
        graph, edges = self.graph, self.graph.edges
        opposed = edges.kind == CONTRADICTS
        barred = set(zip(edges.source[opposed].tolist(), edges.target[opposed].tolist(), strict=True))

        def fits(rows: Sequence[int]) -> bool:
            characters = sum(len(text) for row in rows for text in graph.texts[row])
            return characters <= LONGEST_TEXT and all(
                (row, other) not in barred and (other, row) not in barred and self._may_merge(row, other)
                for row, other in combinations(rows, 2)
            )

        return fits

    def _may_merge(self, row: int, other: int) -> bool:
        """Tell whether no statement of one node differs in value from one of the other."""
        together = not self.graph.sources[row].isdisjoint(self.graph.sources[other])
        return all(
            self._ask(text, against, together)
            for text in self.graph.texts[row]
            for against in self.graph.texts[other]
        )

    def _ask(self, text: str, other: str, together: bool) -> bool:
        pair = (text, other, together)
        if pair not in self._allowed:
            self._allowed[pair] = self.may_merge(*pair)
        return self._allowed[pair]


def find_faded(graph: Graph) -> BoolArray:
    """Return (n,) whether a node may fall and lies below the noise floor. Source: the document, "Layer 1: Prune"."""
    return np.asarray(graph.prunable & (graph.gravity < NOISE_FLOOR))


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
