"""What this process keeps of packs that it has read: packs that are ready never change, and belong to no one reader.

Of each pack the graph, and the words, vectors and nodes that were asked for last, each kind within its bound; of all packs
together within `WORKING_SET_MB`, and none after `SESSION_IDLE_MINUTES` without use. What is not there is never kept: a vector may come yet.
Whether a pack may be read, and is ready, whoever asks has asked before.
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, TypeVar
from uuid import UUID

import numpy as np
from django.db.models import Max
from numpy.typing import NDArray
from scipy.sparse import csr_array

from companion_site.vault.plaintext import HeldBySpace
from companion_site.vault.scope import space_scope
from memory.algorithms.activation import TYPE_CODE, edges_from
from memory.algorithms.hdod import NodeText
from memory.models import PackEdge, PackNode

#: bytes of one node: its path twice, its numbers
NODE_BYTES = 300
LINK_BYTES = 8


@dataclass(frozen=True)
class PackGraph:
    """A pack of n nodes by position.

    Attributes:
        paths: n; position_of: the place of each.
        types: (n,) codes; tags: (n,) places in `tag_sets`.
        adjacency: (n, n) float32, the heaviest of several links, the way the pack says.
    """

    paths: Sequence[str]
    position_of: Mapping[str, int]
    types: np.ndarray
    tags: np.ndarray
    tag_sets: Sequence[frozenset[str]]
    adjacency: csr_array

    @property
    def size_bytes(self) -> int:
        return NODE_BYTES * len(self.paths) + LINK_BYTES * int(self.adjacency.nnz)

    def tags_at(self, position: int) -> frozenset[str]:
        return self.tag_sets[self.tags[position]]

    def edges_among(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the edges that lead from one of the nodes at `positions` to another: source, target, weight.

        Args:
            positions: (m,) rising.

        Returns:
            (e,) each, by source and target, which are places in `positions`.
        """
        source, target, weight = edges_from(self.adjacency, positions)
        place = np.minimum(np.searchsorted(positions, target), len(positions) - 1)
        among = positions[place] == target
        return np.searchsorted(positions, source[among]), place[among], weight[among]


def load_graph(pack: UUID) -> PackGraph:
    """Return the graph of a pack from its rows."""
    with space_scope(pack, reading=True):
        rows = PackNode.objects.for_space(pack).order_by("position")
        nodes = list(rows.values_list("path", "type", "tags"))
        edges = PackEdge.objects.for_space(pack).order_by()
        links = edges.values_list("source__position", "target__position").annotate(Max("weight"))
        found = np.array(list(links), dtype=np.float64).reshape(-1, 3)
    numbers: dict[frozenset[str], int] = {}
    tags = [numbers.setdefault(frozenset(own), len(numbers)) for _, _, own in nodes]
    paths = [path for path, _, _ in nodes]
    source, target = found[:, :2].astype(np.int32).T
    weights = found[:, 2].astype(np.float32)
    return PackGraph(
        paths=paths,
        position_of={path: at for at, path in enumerate(paths)},
        types=np.array([TYPE_CODE[kind] for _, kind, _ in nodes], dtype=np.int8),
        tags=np.array(tags, dtype=np.int32),
        tag_sets=list(numbers),
        adjacency=csr_array((weights, (source, target)), shape=(len(nodes), len(nodes))),
    )


#: of the words, the vectors and the nodes of one pack, each
KIND_BYTES = 16 * 2**20
#: bytes of one entry beside its arrays and texts
ENTRY_BYTES = 500

#: positions that hold a word, and its weight at each
WordList = tuple[NDArray[np.int32], NDArray[np.float32]]
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True)
class PackRow:
    """What a search reads of a node; `vector`: (d,) float32, None where it has none of the model asked for."""

    path: str
    type: str
    vector: NDArray[np.float32] | None


@dataclass(frozen=True)
class PackWire:
    """A node as it goes over the wire, not to be changed, and what it says in a context."""

    node: Mapping[str, Any]
    text: NodeText


class BoundedCache(Generic[Key, Value]):
    """Values up to so many bytes, the longest unused going first; several threads may share it."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes, self.size_bytes = most_bytes, 0
        self._kept: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._lock = Lock()

    def find(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """Return what is kept of `keys`; it counts as just used."""
        found = {}
        with self._lock:
            for key in keys:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    found[key] = self._kept[key][0]
        return found

    def keep(self, key: Key, value: Value, size_bytes: int) -> None:
        """Keep a value, and let go of what is too much then; one that is too large by itself is not kept."""
        with self._lock:
            _, before = self._kept.pop(key, (None, 0))
            self._kept[key] = (value, size_bytes)
            self.size_bytes += size_bytes - before
            while self.size_bytes > self.most_bytes:
                _, (_, gone) = self._kept.popitem(last=False)
                self.size_bytes -= gone


class KeptPack:
    """What is kept of one pack.

    Attributes:
        words: by term, its list; None where no node has it.
        rows: by model, dimension and position; those with a vector.
    """

    def __init__(self, pack: UUID) -> None:
        self._pack, self._lock = pack, Lock()
        self._graph: PackGraph | None = None
        self.words: BoundedCache[str, WordList | None] = BoundedCache(KIND_BYTES)
        self.rows: BoundedCache[tuple[str, int, int], PackRow] = BoundedCache(KIND_BYTES)
        self.nodes: BoundedCache[int, PackWire] = BoundedCache(KIND_BYTES)

    @property
    def size_bytes(self) -> int:
        graph = self._graph.size_bytes if self._graph is not None else 0
        return graph + self.words.size_bytes + self.rows.size_bytes + self.nodes.size_bytes

    def graph(self) -> PackGraph:
        """Return the pack's graph; the first to ask in this process waits until it is loaded."""
        with self._lock:
            if self._graph is None:
                self._graph = load_graph(self._pack)
            return self._graph

    def keep_word(self, term: str, found: WordList | None) -> None:
        size = 0 if found is None else found[0].nbytes + found[1].nbytes
        self.words.keep(term, found, ENTRY_BYTES + size)

    def keep_row(self, model: str, position: int, row: PackRow) -> None:
        if row.vector is not None:
            self.rows.keep((model, len(row.vector), position), row, ENTRY_BYTES + row.vector.nbytes)

    def keep_node(self, position: int, node: dict[str, Any]) -> PackWire:
        kept = PackWire(node, NodeText(node))
        # Its parts, and its text at each step.
        self.nodes.keep(position, kept, ENTRY_BYTES * (1 + len(node["links"])) + 2 * kept.text.most_chars)
        return kept


kept_packs: HeldBySpace[KeptPack] = HeldBySpace(of_people=False)


def kept_of(pack: UUID) -> KeptPack:
    """Return what is kept of a pack that is ready."""
    kept = kept_packs.take(pack, lambda: KeptPack(pack))
    kept_packs.trim()
    return kept


def graph_of(pack: UUID) -> PackGraph:
    """Return the graph of a pack that is ready."""
    graph = kept_of(pack).graph()
    kept_packs.trim()
    return graph
