"""Giving an agent's own nodes out as a pack. What they were used for stays behind."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, BinaryIO

import numpy as np

from companion_site.accounts.access import Access
from companion_site.audit.services import record_event
from companion_site.vault.scope import space_scope
from memory.agents.search import select_rows
from memory.agents.workingset import held_nodes, open_memory
from memory.packs.errors import NothingSelected
from memory.packs.exporter import parse_selection
from memory.packs.format import write_pack
from memory.packs.manifest import Manifest, describe
from memory.packs.signatures import site_signer

_NO_KEY = re.compile(r"[^a-z0-9._-]+")


def export_nodes(
    access: Access,
    *,
    selection: str,
    stream: BinaryIO,
    name: str,
    passphrase: str,
    now: datetime,
) -> Manifest:
    """Write an agent's nodes as a pack, signed by this site; return its manifest. The memory is left as it is.

    Links and children that lead to nodes outside the selection are left out. Vectors go along where every node has one.

    Args:
        selection: as `parse_selection` reads it.

    Raises:
        BadSelection, NothingSelected: no node is among them. PackRefused (manifest): what is said of the pack cannot be.
    """
    with open_memory(access) as held:
        rows = select_rows(held, parse_selection(selection))
        nodes, vectors = held_nodes(held, rows), held.vectors[rows]
    if not rows:
        raise NothingSelected()
    about: dict[str, Any] = {}
    if np.abs(vectors).max(axis=1).min() > 0:
        about = {"embedding_model": held.model, "dimension": held.dimension}
    key = _NO_KEY.sub("-", name.lower()).strip("._-")[:100] or "backup"
    manifest = describe(id=key, name=name, version=now.strftime("%Y%m%d.%H%M%S"), now=now, **about)
    shared = _only_within(nodes)
    if manifest.embedding_model is not None:
        for node, vector in zip(shared, vectors, strict=True):
            node["embeddings"] = {"model": held.model, "vector": vector}
    written = write_pack(stream, manifest, shared, passphrase=passphrase, signer=site_signer())
    told = {"nodes": written.nodes, "edges": written.links}
    with space_scope(access.space):
        record_event("memory.pack_exported", chain=access.space, actor=access.person, data=told, now=now)
    return written


def _only_within(nodes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return nodes without what leads out of them."""
    paths = {node["id"] for node in nodes}
    return [
        {
            **node,
            "links": [link for link in node["links"] if link["to"] in paths],
            "children": {name: path for name, path in node["children"].items() if path in paths},
        }
        for node in nodes
    ]
