"""One node as its owner reads it: what it says, where it leads, what leads to it, how it was used."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from companion_site.errors import NotFound
from memory.agents import mounts
from memory.agents.open_nodes import held_nodes
from memory.agents.pages.browser import LABELS, Branch, Leaf, leaf_of, look_at
from memory.agents.workingset import AgentWorkingSet

#: Shown of what leads to a node; hubs have thousands.
MOST_INCOMING = 100
#: Fields of a payload that are no prose.
CODE = frozenset({"code", "check"})


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
    keys = {pack.space: pack.key for pack in packs}
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
