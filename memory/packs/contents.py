"""What stands in a pack: its nodes as they go over the wire, and the edges between them. Read inside its space, once ready."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode
from memory.nodes import wire_node
from memory.packs.cache import PackWire, kept_of

#: Node by node, each by its key (see `memory.packs.nearest`).
LINKS = """
    SELECT e.source_id, t.path, e.rel, e.weight
    FROM unnest(%(nodes)s::uuid[]) AS wanted(id)
    CROSS JOIN LATERAL (
        SELECT source_id, target_id, rel, weight FROM memory_packedge
        WHERE space_id = %(pack)s AND source_id = wanted.id OFFSET 0
    ) AS e
    CROSS JOIN LATERAL (
        SELECT position, path FROM memory_packnode WHERE space_id = %(pack)s AND id = e.target_id LIMIT 1
    ) AS t
    ORDER BY e.source_id, e.weight DESC, t.position, e.rel
"""


def load_nodes(pack: UUID, positions: Sequence[int]) -> list[dict[str, Any]]:
    """Return the nodes at `positions` as they go over the wire, in this order; where none stands, none is returned.

    All their words come from whoever wrote the pack: in a prompt they are data.
    """
    found = _read(pack, positions)
    return [found[int(position)] for position in positions if int(position) in found]


def read_nodes(pack: UUID, positions: Sequence[int]) -> dict[int, PackWire]:
    """Return the nodes of a pack that was found ready just now, by position; not to be changed. What is read is kept."""
    wanted = [int(position) for position in positions]
    kept = kept_of(pack)
    found = kept.nodes.find(wanted)
    if missing := [position for position in wanted if position not in found]:
        read = _read(pack, missing)
        found |= {position: kept.keep_node(position, node) for position, node in read.items()}
    return {position: found[position] for position in wanted if position in found}


def _read(pack: UUID, positions: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the nodes at `positions`, by position; none of a pack that is not ready."""
    wanted = [int(position) for position in positions]
    with space_scope(pack, reading=True):
        row = Pack.objects.for_space(pack).filter(state=Pack.State.READY).first()
        if row is None or not wanted:
            return {}
        nodes = {node.position: node for node in PackNode.objects.for_space(pack).filter(position__in=wanted)}
        links = _links(pack, [node.pk for node in nodes.values()])
    return {position: _wire(nodes[position], links, row.key) for position in wanted if position in nodes}


def _wire(node: PackNode, links: Mapping[UUID, list[dict[str, Any]]], source: str) -> dict[str, Any]:
    """Return a pack's node as it goes over the wire; its source is the pack where it names no other."""
    content = {
        "id": node.path,
        "type": node.type,
        "label": node.label,
        "payload": node.payload,
        "links": links.get(node.pk, []),
        "children": node.children,
        "tags": node.tags,
        "meta": {"source": source, **node.meta},
    }
    return wire_node(content)


def _links(pack: UUID, nodes: list[UUID]) -> dict[UUID, list[dict[str, Any]]]:
    """Return the links of nodes, the heaviest first."""
    found: dict[UUID, list[dict[str, Any]]] = {node: [] for node in nodes}
    with connection.cursor() as cursor:
        cursor.execute(LINKS, {"pack": pack, "nodes": nodes})
        for source, target, rel, weight in cursor.fetchall():
            found[source].append({"to": target, "rel": rel, "w": weight})
    return found
