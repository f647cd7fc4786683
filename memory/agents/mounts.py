"""What mounted packs lend to an agent: the one door to `memory.packs`, by pack and position.

A pack belongs to nobody who reads it: it is asked inside its own space, and nothing of it is written.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from memory.agents.params import CONTEXT
from memory.agents.question import Question
from memory.agents.workingset import AgentWorkingSet
from memory.algorithms.activation import ACTIVATION, TYPES, bloom
from memory.models import Pack
from memory.packs import search
from memory.packs.cache import PackWire, graph_of
from memory.packs.contents import read_nodes
from memory.packs.mounts import readable
from memory.packs.search import PackHit

#: With tags asked for, so many times as many are looked at: a pack is searched by types only.
TAGGED_SHARE = 4
#: where a node of a pack is: the pack's space, and its position there
LentNode = tuple[UUID, int]


@dataclass(frozen=True)
class LentShape:
    """What activation reads of a pack's node."""

    at: LentNode
    path: str
    type: str
    tags: frozenset[str]
    cosine: float


def mounted_packs(held: AgentWorkingSet) -> list[Pack]:
    """Return the packs that an agent reads, in a fixed order; whether it still may is asked each time."""
    packs = readable(held.space, held.packs) if held.packs else []
    return sorted(packs, key=lambda pack: (pack.key, pack.space_id))


def keys_of(packs: Sequence[Pack]) -> dict[UUID, str]:
    """Return what packs are called as sources of nodes, by their spaces."""
    return {pack.space_id: pack.key for pack in packs}


def search_lent(
    packs: Sequence[Pack],
    question: Question,
    *,
    k: int,
    types: Collection[str] = (),
    tags: Collection[str] = (),
) -> list[PackHit]:
    """Return the nodes of each pack that answer a question best, pack by pack in their order.

    Their BM25 is divided by the logarithm of the pack's size, which makes that of small and large packs comparable.
    """
    hits = []
    for pack in packs:
        found = search.search_ready(
            [pack],
            vector=question.vector,
            model=question.model,
            words=question.terms,
            k=k * TAGGED_SHARE if tags else k,
            types=sorted(types) or None,
        )
        scale = float(np.log1p(pack.node_count)) or 1.0
        hits += [replace(hit, lexical=hit.lexical / scale) for hit in found]
    return [hit for hit in hits if not tags or not graph_of(hit.pack).tags_at(hit.position).isdisjoint(tags)]


def default_nodes(packs: Sequence[Pack], tags: Collection[str]) -> list[LentNode]:
    """Return the nodes of the packs that stand for the domains that `tags` name."""
    return [
        (pack.space_id, position)
        for pack in (packs if tags else ())
        for position in search.defaults(pack, tags)
    ]


def reach_lent(starts: Collection[LentNode]) -> dict[UUID, np.ndarray]:
    """Return what nodes of packs lead to, themselves included: by pack its positions, rising; of all packs `CONTEXT.most_lent`.

    Those with the heaviest edge to them stay; of equal weight those of the pack, and at the position, that comes first.
    """
    grouped = _by_pack(starts)
    spaces = sorted(grouped)
    reached = [
        bloom(
            graph_of(space).adjacency,
            grouped[space],
            hops=ACTIVATION.hops,
            max_per_node=ACTIVATION.max_per_node,
            min_weight=ACTIVATION.min_edge_weight,
        )
        for space in spaces
    ]
    if not reached:
        return {}
    rows = np.concatenate([one.rows for one in reached])
    edge = np.concatenate([one.edge for one in reached])
    place = np.repeat(np.arange(len(spaces)), [len(one) for one in reached])
    kept = np.sort(np.lexsort((rows, place, -edge))[: CONTEXT.most_lent])
    return {space: found for at, space in enumerate(spaces) if len(found := rows[kept[place[kept] == at]])}


def shapes_of(space: UUID, positions: np.ndarray, question: Question) -> list[LentShape]:
    """Return what activation reads of nodes of a pack, in the order of their positions."""
    graph, at = graph_of(space), positions.tolist()
    cosines = search.cosines(space, at, question.vector, model=question.model).tolist()
    types, tags = graph.types[positions].tolist(), graph.tags[positions].tolist()
    return [
        LentShape((space, one), graph.paths[one], TYPES[kind], graph.tag_sets[own], cosine)
        for one, kind, own, cosine in zip(at, types, tags, cosines, strict=True)
    ]


def load_lent(nodes: Collection[LentNode]) -> dict[LentNode, PackWire]:
    """Return nodes of packs in wire form, which is not to be changed, with what they say in a context."""
    return {
        (pack, position): found
        for pack, positions in _by_pack(nodes).items()
        for position, found in read_nodes(pack, positions).items()
    }


def nodes_of_paths(packs: Sequence[Pack], paths: Collection[str]) -> dict[str, LentNode]:
    """Return where the packs have nodes of these paths; where several have one, the first in their order."""
    found: dict[str, LentNode] = {}
    for pack in reversed(packs if paths else ()):
        place = graph_of(pack.space_id).position_of
        found |= {path: (pack.space_id, place[path]) for path in paths if path in place}
    return found


def _by_pack(nodes: Iterable[LentNode]) -> dict[UUID, list[int]]:
    grouped: dict[UUID, list[int]] = defaultdict(list)
    for pack, position in dict.fromkeys(nodes):
        grouped[pack].append(position)
    return dict(grouped)
