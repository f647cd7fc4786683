"""Giving nodes out as a pack: an agent's own, or those of a pack that is here. What they were used for stays behind."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, BinaryIO
from uuid import UUID

import numpy as np
from django.db.models import Count

from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.agents.access import AgentAccess
from memory.agents.reading import held_nodes, working_set_of
from memory.models import Pack, PackNode, PackVector
from memory.packs.errors import NothingSelected
from memory.packs.format import write_pack
from memory.packs.manifest import Manifest, describe
from memory.packs.reading import load_nodes
from memory.packs.selecting import Selection
from memory.packs.signing import site_signer

BATCH = 500


def export_nodes(
    access: AgentAccess,
    selection: Selection,
    stream: BinaryIO,
    *,
    id: str,
    name: str,
    version: str,
    now: datetime,
    passphrase: str | None = None,
    public_key: bytes | None = None,
    embedder: Embedder | None = None,
    **about: Any,
) -> Manifest:
    """Write an agent's nodes as a pack, signed by this site; return its manifest. The memory is left as it is.

    Links and children that lead to nodes outside the selection are left out. Vectors go along where every node has one.

    Args:
        about: further fields of the manifest: description, domain_tags, language, licence, author.

    Raises:
        NothingSelected: no node is among them. PackManifest: what is said of the pack cannot be.
    """
    embedder = embedder or get_embedder()
    with access.open() as space:
        held = working_set_of(space, embedder=embedder)
        with held.lock:
            rows = [int(row) for row in np.flatnonzero(held.numbers["alive"])]
            nodes = held_nodes(held, rows)
            kept = [at for at, node in enumerate(nodes) if selection.takes(node)]
            vectors = held.vectors[[rows[at] for at in kept]].copy()
    if not kept:
        raise NothingSelected()
    if np.abs(vectors).max(axis=1).min() > 0:
        about |= {"embedding_model": embedder.model, "dimension": embedder.dimension}
    manifest = describe(id=id, name=name, version=version, now=now, **about)
    shared = _only_within([nodes[at] for at in kept])
    if manifest.embedding_model is not None:
        for node, vector in zip(shared, vectors, strict=True):
            node["embeddings"] = {"model": embedder.model, "vector": vector}
    written = write_pack(
        stream, manifest, shared, passphrase=passphrase, public_key=public_key, signer=site_signer()
    )
    with space_scope(space):
        record_event(
            "memory.pack_exported",
            chain=space,
            actor=access.person,
            data={"nodes": written.nodes, "edges": written.links},
            now=now,
        )
    return written


def export_pack(
    pack: UUID,
    stream: BinaryIO,
    *,
    now: datetime,
    passphrase: str | None = None,
    public_key: bytes | None = None,
) -> Manifest:
    """Write a pack that is here once more, signed by this site; return its manifest. Vectors go along where every node has one.

    Raises:
        NotFound: there is none, or it is not ready.
    """
    with space_scope(pack, reading=True):
        row = Pack.objects.for_space(pack).filter(state=Pack.State.READY).first()
        if row is None:
            raise NotFound()
        model = _whole_model(row)
    vectors = {"embedding_model": model[0], "dimension": model[1]} if model else {}
    manifest = describe(
        id=row.key,
        name=row.name,
        version=row.pack_version,
        now=now,
        description=row.description,
        domain_tags=row.domain_tags,
        language=row.language,
        licence=row.licence,
        author=row.author,
        **vectors,
    )
    nodes = _PackNodes(row, manifest.embedding_model)
    return write_pack(
        stream, manifest, nodes, passphrase=passphrase, public_key=public_key, signer=site_signer()
    )


class _PackNodes(Iterable[dict[str, Any]]):
    """The nodes of a pack, some at a time, as often as they are asked for."""

    def __init__(self, pack: Pack, model: str | None) -> None:
        self._pack, self._model = pack, model

    def __iter__(self) -> Iterator[dict[str, Any]]:
        space = self._pack.space_id
        for start in range(0, self._pack.node_count, BATCH):
            positions = range(start, min(start + BATCH, self._pack.node_count))
            vectors = self._vectors(space, start)
            for position, node in zip(positions, load_nodes(space, positions), strict=True):
                if self._model is not None:
                    node["embeddings"] = {"model": self._model, "vector": vectors[position]}
                yield node

    def _vectors(self, space: UUID, start: int) -> Mapping[int, Any]:
        with space_scope(space, reading=True):
            nodes = PackNode.objects.for_space(space).filter(position__range=(start, start + BATCH - 1))
            rows = PackVector.objects.for_space(space).filter(model=self._model, node__in=nodes)
            return dict(rows.values_list("node__position", "embedding"))


def _whole_model(pack: Pack) -> tuple[str, int] | None:
    """Return a model, with its dimension, of which every node has a vector; while models change, some nodes lack one."""
    rows = PackVector.objects.for_space(pack.space_id).order_by().values_list("model", "dimension")
    whole = rows.annotate(nodes=Count("id")).filter(nodes=pack.node_count).order_by("-model")
    return next(((model, dimension) for model, dimension, _ in whole), None)


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
