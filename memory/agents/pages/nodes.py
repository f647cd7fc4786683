"""An agent's nodes as its owner reads them: by path like folders, by type, by a question; and one node with where it leads.

A path is content. An address therefore names a branch by its keyed hash, and a node by its row's id.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from companion_site.errors import NotFound
from memory.agents import mounts
from memory.agents.search import OWN, Found
from memory.agents.workingset import AgentWorkingSet, hash_path, held_nodes
from memory.models import NodeType

LABELS = dict(NodeType.choices)
#: Shown of what leads to a node; hubs have thousands.
MOST_INCOMING = 100
#: Fields of a payload that are no prose.
CODE = frozenset({"code", "check"})


def find_branch(held: AgentWorkingSet, name: str) -> str:
    """Return the path that an address names by its hash; "" for the root. Raises NotFound: no node's path begins so."""
    if not name:
        return ""
    branches = {above for path in held.row_of for above in list(_above(path))[:-1]}
    for path in branches:
        if hash_path(held.space, path).hex() == name:
            return path
    raise NotFound()


def look_at(held: AgentWorkingSet, path: str, *, type: str = "") -> dict[str, Any]:
    """Return the "crumbs", "branches" and "leaves" at a path of the tree; with a type, all leaves of it that are below."""
    prefix = f"{path}." if path else ""
    here, deeper = [], defaultdict(list)
    for one in sorted(one for one in held.row_of if one == path or one.startswith(prefix)):
        first, dot, _rest = one.removeprefix(prefix).partition(".")
        if type or one == path or not dot:
            here.append(leaf_of(held, held.row_of[one]))
        else:
            deeper[prefix + first].append(one)
    return {
        "crumbs": crumbs_of(held, path),
        "branches": [_long_branch(held, prefix, *one) for one in deeper.items()],
        "leaves": [leaf for leaf in here if type in ("", leaf["type"])],
    }


def crumbs_of(held: AgentWorkingSet, path: str) -> list[dict[str, Any]]:
    """Return the branches that lead to a path, itself the last; none for the root."""
    return [_branch(held, above, above.rpartition(".")[2], 0) for above in _above(path)] if path else []


def leaf_of(held: AgentWorkingSet, row: int) -> dict[str, Any]:
    """Return one of the agent's own nodes as a line of a list."""
    return _leaf(held.contents[row], id=held.ids[row], uses=int(held.numbers["uses"][row]))


def leaf_of_hit(held: AgentWorkingSet, hit: Found) -> dict[str, Any]:
    """Return what a search found as a line of a list."""
    if hit.source == OWN:
        return leaf_of(held, held.row_of[hit.node["id"]])
    return _leaf(hit.node, source=hit.source)


def _leaf(
    node: Mapping[str, Any], *, id: UUID | None = None, uses: int = 0, source: str = ""
) -> dict[str, Any]:
    """Return a line of a list; of a node that a pack lends, without an id and with the key of the pack."""
    return {
        "id": id,
        "path": node["id"],
        "label": node["label"],
        "type": node["type"],
        "type_label": str(LABELS[node["type"]]),
        "uses": uses,
        "source": source,
    }


def _long_branch(held: AgentWorkingSet, prefix: str, path: str, below: Sequence[str]) -> dict[str, Any]:
    """Return a branch, together with what follows as long as there is only one way on."""
    while path not in held.row_of:
        on = {one.removeprefix(f"{path}.").partition(".")[0] for one in below}
        longer = f"{path}.{next(iter(on))}"
        if len(on) > 1 or longer in below:
            break
        path = longer
    return _branch(held, path, path.removeprefix(prefix), len(below))


def _branch(held: AgentWorkingSet, path: str, label: str, count: int) -> dict[str, Any]:
    """Return everything whose path begins so: what it is called in addresses and in the list, and how much it is."""
    return {"name": hash_path(held.space, path).hex(), "label": label, "count": count}


def _above(path: str) -> Iterator[str]:
    """Yield a path's beginnings, the shortest first, itself the last."""
    parts = path.split(".")
    for count in range(1, len(parts) + 1):
        yield ".".join(parts[:count])


def row_of_node(held: AgentWorkingSet, node: UUID) -> int:
    """Return the row of a node that is remembered; NotFound where there is none of this id."""
    row = held.row_of_id.get(node)
    if row is None or not held.numbers["alive"][row]:
        raise NotFound()
    return row


def show_node(held: AgentWorkingSet, node: UUID) -> dict[str, Any]:
    """Return one node as its page shows it; the caller holds the working set's lock. Raises NotFound: there is none of this id."""
    row = row_of_node(held, node)
    (wire,) = held_nodes(held, [row])
    numbers, path = held.numbers[row], wire["id"]
    moments = {name: float(numbers[name]) for name in ("created_at", "changed_at", "last_used_at")}
    lent = _lent_from(held, [*(link["to"] for link in wire["links"]), *wire["children"].values()])
    incoming = [
        _way(held, other, relation, weight, {})
        for other in sorted(held.row_of)
        for to, relation, weight in _ways_of(held.contents[held.row_of[other]])
        if to == path
    ]
    return {
        **wire,
        "id": node,
        "path": path,
        "type_label": str(LABELS[wire["type"]]),
        "crumbs": crumbs_of(held, path)[:-1],
        "parts": parts_of(wire["payload"]),
        "links": [_way(held, *way, lent) for way in _ways_of({**wire, "children": {}})],
        "children": [_way(held, *way, lent) for way in _ways_of({**wire, "links": ()})],
        "incoming": incoming[:MOST_INCOMING],
        "more_incoming": max(0, len(incoming) - MOST_INCOMING),
        "meta": parts_of(wire["meta"]),
        "uses": int(numbers["uses"]),
        "resonance": wire["resonance"]["value"],
        **{name: datetime.fromtimestamp(at, UTC) if at == at else None for name, at in moments.items()},
    }


def parts_of(fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the fields of an object of JSON as texts; a block is set as it is, in a type of one width."""
    parts = []
    for name, value in fields.items():
        if isinstance(value, str):
            parts.append({"name": name, "text": value, "is_block": name in CODE})
        else:
            is_block = isinstance(value, list | dict)
            text = json.dumps(value, ensure_ascii=False, indent=1 if is_block else None)
            parts.append({"name": name, "text": text, "is_block": is_block})
    return parts


def _ways_of(content: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield where a node leads: the path, the relation or the child's name, and the weight, "" for a child."""
    for link in content["links"]:
        yield link["to"], link["rel"], f"{link['w']:.2f}"
    for name, child in content["children"].items():
        yield child, name, ""


def _way(
    held: AgentWorkingSet,
    path: str,
    relation: str,
    weight: str,
    lent: Mapping[str, str],
) -> dict[str, Any]:
    """Return a link or a child with the agent's own node at its end, or the key of the pack that has one of that path."""
    row = held.row_of.get(path)
    leaf = None if row is None else leaf_of(held, row)
    return {"path": path, "leaf": leaf, "source": lent.get(path, ""), "relation": relation, "weight": weight}


def _lent_from(held: AgentWorkingSet, paths: Sequence[str]) -> dict[str, str]:
    """Return which pack has a node of each path that the agent itself has none of."""
    packs = mounts.mounted_packs(held)
    keys = mounts.keys_of(packs)
    found = mounts.nodes_of_paths(packs, {path for path in paths if path not in held.row_of})
    return {path: keys[pack] for path, (pack, _position) in found.items()}
