"""What mounted packs lend to an agent: the one door to `memory.packs`, by pack and position.

A pack belongs to nobody who reads it: it is asked inside its own space, and nothing of it is written.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np

from memory.agents.pack_graphs import graph_of
from memory.agents.workingset import TYPES
from memory.algorithms.activation import bloom

if TYPE_CHECKING:
    from memory.agents.question import Question
    from memory.agents.workingset import AgentWorkingSet
    from memory.models import Pack
    from memory.packs.cache import PackWire

#: With tags asked for, so many times as many are looked at: a pack is searched by types only.
TAGGED_SHARE = 4

#: where a node of a pack is: the pack's space, and its position there
LentNode = tuple[UUID, int]


@dataclass(frozen=True)
class MountedPack:
    """A pack that an agent reads: ready, and the agent's to read when it was asked for."""

    row: "Pack"

    @property
    def space(self) -> UUID:
        return self.row.space_id

    @property
    def key(self) -> str:
        return self.row.key


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
    from memory.packs import mounts  # packs stand on the limits of nodes here

    packs = [MountedPack(pack) for pack in mounts.readable(held.space, held.packs)]
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
    from memory.packs import search

    hits = []
    for pack in packs:
        found = search.search_ready(
            [pack.row],
            vector=question.vector,
            model=question.model,
            words=question.terms,
            k=k * TAGGED_SHARE if tags else k,
            types=sorted(types) or None,
        )
        scale = np.log1p(pack.row.node_count) or 1.0
        hits += [
            LentHit((hit.pack, hit.position), hit.path, float(hit.cosine), float(hit.lexical / scale))
            for hit in found
        ]
    if tags:
        hits = [hit for hit in hits if not _tags_of(hit.at).isdisjoint(tags)]
    return hits


def default_nodes(packs: Sequence[MountedPack], tags: Collection[str]) -> list[LentNode]:
    """Return the nodes of the packs that stand for the domains that `tags` name."""
    from memory.packs import search

    return [
        (pack.space, position)
        for pack in (packs if tags else ())
        for position in search.defaults(pack.space, sorted(tags))
    ]


def reach_lent(
    starts: Collection[LentNode], *, hops: int, max_per_node: int, min_weight: float, most: int
) -> dict[UUID, np.ndarray]:
    """Return what nodes of packs lead to, themselves included: by pack its positions, rising; of all packs `most`.

    Those with the heaviest edge to them stay; of equal weight those of the pack, and at the position, that comes first.
    """
    grouped = _by_pack(starts)
    spaces = sorted(grouped)
    reached = [
        bloom(
            graph_of(space).adjacency,
            grouped[space],
            hops=hops,
            max_per_node=max_per_node,
            min_weight=min_weight,
        )
        for space in spaces
    ]
    if not reached:
        return {}
    rows = np.concatenate([one.rows for one in reached])
    edge = np.concatenate([one.edge for one in reached])
    place = np.repeat(np.arange(len(spaces)), [len(one) for one in reached])
    kept = np.sort(np.lexsort((rows, place, -edge))[:most])
    return {space: found for at, space in enumerate(spaces) if len(found := rows[kept[place[kept] == at]])}


def shapes_of(space: UUID, positions: np.ndarray, question: "Question") -> list[LentShape]:
    """Return what activation reads of nodes of a pack, in the order of their positions."""
    from memory.packs import search

    graph, at = graph_of(space), positions.tolist()
    cosines = search.cosines(space, at, question.vector, model=question.model).tolist()
    types, tags = graph.types[positions].tolist(), graph.tags[positions].tolist()
    return [
        LentShape(graph.paths[one], TYPES[kind], graph.tag_sets[own], cosine)
        for one, kind, own, cosine in zip(at, types, tags, cosines, strict=True)
    ]


def load_lent(nodes: Collection[LentNode]) -> dict[LentNode, dict[str, Any]]:
    """Return nodes of packs in wire form; one that is not there any more is left out."""
    return {node: dict(found.node) for node, found in load_told(nodes).items()}


def load_told(nodes: Collection[LentNode]) -> dict[LentNode, "PackWire"]:
    """Return nodes of packs in wire form, which is not to be changed, with what they say in a context."""
    from memory.packs import search

    return {
        (pack, position): found
        for pack, positions in _by_pack(nodes).items()
        for position, found in search.read_nodes(pack, positions).items()
    }


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
