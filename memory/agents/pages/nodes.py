"""An agent's nodes as its owner reads them: by path like folders, by type, by a question; and one node with where it leads.

A path is content. An address therefore names a branch by its keyed hash, and a node by its row's id.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from companion_site.errors import NotFound
from memory.agents import mounts
from memory.agents.hashing import hash_path
from memory.agents.search import OWN, Found
from memory.agents.workingset import AgentWorkingSet, held_nodes
from memory.algorithms.activation import TYPES
from memory.models import NodeType

LABELS = dict(NodeType.choices)
#: Shown of what leads to a node; hubs have thousands.
MOST_INCOMING = 100
#: Fields of a payload that are no prose.
CODE = frozenset({"code", "check"})


@dataclass(frozen=True, kw_only=True)
class Branch:
    """A part of the tree of paths: everything whose path begins so."""

    path: str
    #: what it is called in addresses
    name: str
    #: what stands in the list: the part of the path that is new here
    label: str
    count: int


@dataclass(frozen=True, kw_only=True)
class Leaf:
    """One node in a list; `id` is None where a pack lends it, and `source` then says which."""

    id: UUID | None
    path: str
    label: str
    type: str
    type_label: str
    uses: int
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class Level:
    """What stands at one place of the tree."""

    crumbs: Sequence[Branch]
    branches: Sequence[Branch]
    leaves: Sequence[Leaf]

    @property
    def name(self) -> str:
        return self.crumbs[-1].name if self.crumbs else ""


def find_branch(held: AgentWorkingSet, name: str) -> str:
    """Return the path that an address names by its hash; "" for the root.

    Raises:
        NotFound: no node's path begins so.
    """
    if not name:
        return ""
    branches = {above for path in held.row_of for above in list(_above(path))[:-1]}
    for path in branches:
        if hash_path(held.space, path).hex() == name:
            return path
    raise NotFound()


def look_at(held: AgentWorkingSet, path: str, *, type: str = "") -> Level:
    """Return what stands at a path of the tree; with a type, all nodes of it that the path leads to."""
    prefix = f"{path}." if path else ""
    below = sorted(one for one in held.row_of if one == path or one.startswith(prefix))
    crumbs = [_branch(held, above, above.rpartition(".")[2], 0) for above in _above(path)] if path else []
    if type:
        leaves = [leaf for one in below if (leaf := leaf_of(held, held.row_of[one])).type == type]
        return Level(crumbs=crumbs, branches=[], leaves=leaves)
    here, deeper = [], defaultdict(list)
    for one in below:
        first, dot, _rest = one.removeprefix(prefix).partition(".")
        if one == path or not dot:
            here.append(leaf_of(held, held.row_of[one]))
        else:
            deeper[prefix + first].append(one)
    return Level(
        crumbs=crumbs, branches=[_long_branch(held, prefix, *one) for one in deeper.items()], leaves=here
    )


def leaf_of(held: AgentWorkingSet, row: int) -> Leaf:
    """Return one of the agent's own nodes as a line of a list."""
    content, numbers = held.contents[row], held.numbers[row]
    type_name = TYPES[numbers["type"]]
    return Leaf(
        id=held.ids[row],
        path=content["id"],
        label=content["label"],
        type=type_name,
        type_label=str(LABELS[type_name]),
        uses=int(numbers["uses"]),
    )


def leaves_of_hits(held: AgentWorkingSet, found: Sequence[Found]) -> list[Leaf]:
    """Return what a search found as lines of a list, in its order."""
    return [_leaf_of_hit(held, hit) for hit in found]


def _leaf_of_hit(held: AgentWorkingSet, hit: Found) -> Leaf:
    node = hit.node
    if hit.source == OWN:
        return leaf_of(held, held.row_of[node["id"]])
    return Leaf(
        id=None,
        path=node["id"],
        label=node["label"],
        type=node["type"],
        type_label=str(LABELS[node["type"]]),
        uses=0,
        source=hit.source,
    )


def _long_branch(held: AgentWorkingSet, prefix: str, path: str, below: Sequence[str]) -> Branch:
    """Return a branch, together with what follows as long as there is only one way on."""
    while path not in held.row_of:
        on = {one.removeprefix(f"{path}.").partition(".")[0] for one in below}
        longer = f"{path}.{next(iter(on))}"
        if len(on) > 1 or longer in below:
            break
        path = longer
    return _branch(held, path, path.removeprefix(prefix), len(below))


def _branch(held: AgentWorkingSet, path: str, label: str, count: int) -> Branch:
    return Branch(path=path, name=hash_path(held.space, path).hex(), label=label, count=count)


def _above(path: str) -> Iterator[str]:
    """Yield a path's beginnings, the shortest first, itself the last."""
    parts = path.split(".")
    for count in range(1, len(parts) + 1):
        yield ".".join(parts[:count])


@dataclass(frozen=True, kw_only=True)
class Part:
    """A field of a payload, as text; `is_block`: set as it is, in a type of one width."""

    name: str
    text: str
    is_block: bool


@dataclass(frozen=True, kw_only=True)
class Way:
    """A link, or a child.

    Attributes:
        leaf: the agent's own node at its other end; None where it is none of its own.
        source: the key of the pack that has a node of that path; "" for none, or for an own one.
        weight: "" for a child.
    """

    path: str
    leaf: Leaf | None
    source: str
    relation: str
    weight: str


@dataclass(frozen=True, kw_only=True)
class ShownNode:
    """Everything that the page says of a node."""

    id: UUID
    path: str
    label: str
    type: str
    type_label: str
    crumbs: Sequence[Branch]
    parts: Sequence[Part]
    tags: Sequence[str]
    links: Sequence[Way]
    children: Sequence[Way]
    incoming: Sequence[Way]
    more_incoming: int
    meta: Sequence[Part]
    uses: int
    resonance: float
    created_at: datetime
    changed_at: datetime
    last_used_at: datetime | None


def row_of_node(held: AgentWorkingSet, node: UUID) -> int:
    """Return the row of a node that is remembered.

    Raises:
        NotFound: there is none of this id.
    """
    row = held.row_of_id.get(node)
    if row is None or not held.numbers["alive"][row]:
        raise NotFound()
    return row


def show_node(held: AgentWorkingSet, node: UUID) -> ShownNode:
    """Return one node as its page shows it; the caller holds the working set's lock.

    Raises:
        NotFound: there is none of this id.
    """
    row = row_of_node(held, node)
    (wire,) = held_nodes(held, [row])
    numbers = held.numbers[row]
    incoming = _incoming(held, wire["id"])
    last = wire["stats"]["last_used_at"]
    targets = [*(link["to"] for link in wire["links"]), *wire["children"].values()]
    sources = _sources(held, targets)
    return ShownNode(
        id=node,
        path=wire["id"],
        label=wire["label"],
        type=wire["type"],
        type_label=str(LABELS[wire["type"]]),
        crumbs=look_at(held, wire["id"], type="-").crumbs[:-1],
        parts=parts_of(wire["payload"]),
        tags=wire["tags"],
        links=[_way(held, link["to"], link["rel"], f"{link['w']:.2f}", sources) for link in wire["links"]],
        children=[_way(held, child, name, "", sources) for name, child in wire["children"].items()],
        incoming=incoming[:MOST_INCOMING],
        more_incoming=max(0, len(incoming) - MOST_INCOMING),
        meta=parts_of(wire["meta"]),
        uses=int(numbers["uses"]),
        resonance=wire["resonance"]["value"],
        created_at=datetime.fromtimestamp(float(numbers["created_at"]), UTC),
        changed_at=datetime.fromtimestamp(float(numbers["changed_at"]), UTC),
        last_used_at=datetime.fromisoformat(last) if last else None,
    )


def parts_of(fields: Mapping[str, Any]) -> list[Part]:
    """Return the fields of an object of JSON as texts."""
    return [_part(name, value) for name, value in fields.items()]


def _part(name: str, value: Any) -> Part:
    if isinstance(value, str):
        return Part(name=name, text=value, is_block=name in CODE)
    is_plain = value is None or isinstance(value, bool | int | float)
    text = json.dumps(value, ensure_ascii=False, indent=None if is_plain else 1)
    return Part(name=name, text=text, is_block=not is_plain)


def _way(held: AgentWorkingSet, path: str, relation: str, weight: str, sources: Mapping[str, str]) -> Way:
    row = held.row_of.get(path)
    leaf = None if row is None else leaf_of(held, row)
    return Way(path=path, leaf=leaf, source=sources.get(path, ""), relation=relation, weight=weight)


def _sources(held: AgentWorkingSet, paths: Sequence[str]) -> dict[str, str]:
    """Return which pack has a node of each path that the agent itself has none of."""
    packs = mounts.mounted_packs(held)
    keys = mounts.keys_of(packs)
    found = mounts.nodes_of_paths(packs, {path for path in paths if path not in held.row_of})
    return {path: keys[pack] for path, (pack, _position) in found.items()}


def _incoming(held: AgentWorkingSet, path: str) -> list[Way]:
    found = []
    for other in sorted(held.row_of):
        content = held.contents[held.row_of[other]]
        for link in content["links"]:
            if link["to"] == path:
                found.append(_way(held, other, link["rel"], f"{link['w']:.2f}", {}))
        for name, child in content["children"].items():
            if child == path:
                found.append(_way(held, other, name, "", {}))
    return found
