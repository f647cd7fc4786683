"""What mounted packs lend to an agent: the one door to `memory.packs`, by pack and position.

A pack belongs to nobody who reads it: it is asked inside its own space, and nothing of it is written.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np

from memory.agents.pack_graphs import graph_of
from memory.agents.workingset import TYPES
from memory.algorithms.activation import bloom

if TYPE_CHECKING:
    from memory.agents.asking import Question
    from memory.agents.workingset import AgentWorkingSet

#: With tags asked for, so many times as many are looked at: a pack is searched by types only.
TAGGED_SHARE = 4

#: where a node of a pack is: the pack's space, and its position there
LentNode = tuple[UUID, int]


@dataclass(frozen=True)
class MountedPack:
    """A pack that an agent reads."""

    space: UUID
    key: str
    nodes: int


@dataclass(frozen=True)
class LentHit:
    """One node of a pack, by its path there, and what a question has in common with it.

    Attributes:
        lexical: BM25 over the logarithm of the pack's size, which makes those of small and large packs comparable.
    """

    at: LentNode
    path: str
    cosine: float
    lexical: float


@dataclass(frozen=True)
class LentShape:
    """What activation reads of a pack's node."""

    path: str
    type: str
    tags: frozenset[str]
    cosine: float


def mounted_packs(held: "AgentWorkingSet") -> list[MountedPack]:
    """Return the packs that an agent reads, in a fixed order; whether it still may is asked each time."""
    if not held.packs:
        return []
    from memory.packs import mounting  # packs stand on the limits of nodes here

    packs = [
        MountedPack(pack.space_id, pack.key, pack.node_count)
        for pack in mounting.readable(held.space, held.packs)
    ]
    return sorted(packs, key=lambda pack: (pack.key, pack.space))


def search_lent(
    packs: Sequence[MountedPack],
    question: "Question",
    *,
    k: int,
    types: Collection[str] = (),
    tags: Collection[str] = (),
) -> list[LentHit]:
    """Return the nodes of each pack that answer a question best, pack by pack in their order."""
    from memory.packs import searching

    hits = []
    for pack in packs:
        found = searching.search_packs(
            [pack.space],
            vector=question.vector,
            model=question.model,
            words=question.terms,
            k=k * TAGGED_SHARE if tags else k,
            types=sorted(types) or None,
        )
        scale = np.log1p(pack.nodes) or 1.0
        hits += [
            LentHit((hit.pack, hit.position), hit.path, float(hit.cosine), float(hit.lexical / scale))
            for hit in found
        ]
    if tags:
        hits = [hit for hit in hits if not _tags_of(hit.at).isdisjoint(tags)]
    return hits


def default_nodes(packs: Sequence[MountedPack], tags: Collection[str]) -> list[LentNode]:
    """Return the nodes of the packs that stand for the domains that `tags` name."""
    from memory.packs import searching

    return [
        (pack.space, position)
        for pack in (packs if tags else ())
        for position in searching.defaults(pack.space, sorted(tags))
    ]


def reach_lent(
    starts: Collection[LentNode], *, hops: int, max_per_node: int, min_weight: float
) -> dict[LentNode, float]:
    """Return what nodes of packs lead to, and the greatest weight of an edge there; 1 for themselves."""
    found: dict[LentNode, float] = {}
    for pack, positions in _by_pack(starts).items():
        reached = bloom(
            graph_of(pack).adjacency, positions, hops=hops, max_per_node=max_per_node, min_weight=min_weight
        )
        found |= {
            (pack, int(at)): float(weight) for at, weight in zip(reached.rows, reached.edge, strict=True)
        }
    return found


def edges_among(nodes: Collection[LentNode]) -> list[tuple[LentNode, LentNode, float]]:
    """Return the edges of packs that lead from one of the nodes to another: source, target, weight."""
    found = []
    for pack, positions in _by_pack(nodes).items():
        at = np.array(sorted(positions))
        among = graph_of(pack).adjacency[at, :][:, at].tocoo()
        found += [
            ((pack, int(at[source])), (pack, int(at[target])), float(weight))
            for source, target, weight in zip(among.row, among.col, among.data, strict=True)
        ]
    return found


def shapes_of(nodes: Collection[LentNode], question: "Question") -> dict[LentNode, LentShape]:
    """Return what activation reads of nodes of packs."""
    from memory.packs import searching

    found = {}
    for pack, positions in _by_pack(nodes).items():
        graph = graph_of(pack)
        cosines = searching.cosines(pack, positions, question.vector, model=question.model)
        for at, cosine in zip(positions, cosines, strict=True):
            tags = graph.tag_sets[graph.tags[at]]
            found[pack, at] = LentShape(graph.paths[at], TYPES[graph.types[at]], tags, float(cosine))
    return found


def load_lent(nodes: Collection[LentNode]) -> Mapping[LentNode, dict[str, Any]]:
    """Return nodes of packs in wire form; one that is not there any more is left out."""
    from memory.packs import searching

    found: dict[LentNode, dict[str, Any]] = {}
    for pack, positions in _by_pack(nodes).items():
        place = graph_of(pack).position_of
        found |= {(pack, place[node["id"]]): node for node in searching.load_nodes(pack, positions)}
    return found


def nodes_of_paths(packs: Sequence[MountedPack], paths: Collection[str]) -> dict[str, LentNode]:
    """Return where the packs have nodes of these paths; where several have one, the first in their order."""
    found: dict[str, LentNode] = {}
    for pack in reversed(packs if paths else ()):
        place = graph_of(pack.space).position_of
        found |= {path: (pack.space, place[path]) for path in paths if path in place}
    return found


def _tags_of(node: LentNode) -> frozenset[str]:
    graph = graph_of(node[0])
    return graph.tag_sets[graph.tags[node[1]]]


def _by_pack(nodes: Iterable[LentNode]) -> dict[UUID, list[int]]:
    grouped: dict[UUID, list[int]] = defaultdict(list)
    for pack, position in dict.fromkeys(nodes):
        grouped[pack].append(position)
    return dict(grouped)
