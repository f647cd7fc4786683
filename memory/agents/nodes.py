"""Writing an agent's nodes, reading one, removing one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.errors import NotFound
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.agents.access import AgentAccess
from memory.agents.errors import MemoryBusy, TooManyNodes
from memory.agents.hashing import hash_path
from memory.agents.merge import Planned, plan_nodes
from memory.agents.open_nodes import held_node, working_set_of
from memory.agents.store import store_planned
from memory.models import AgentNode, AgentVector
from memory.nodes.errors import NodeInvalid
from memory.nodes.limits import NODES_A_CALL, NODES_AN_AGENT, CleanNode, clean_node

#: texts that are embedded at once, so that whoever else asks meanwhile gets a turn
EMBEDDED_AT_ONCE = 200
#: how often a write is thought out anew because others changed the same nodes meanwhile
ATTEMPTS = 8


@dataclass(frozen=True, kw_only=True)
class Upserted:
    """What became of the nodes of one call.

    Attributes:
        ids: their paths, in the order given.
    """

    created: int
    changed: int
    unchanged: int
    ids: Sequence[str]


def upsert_memory(
    access: AgentAccess,
    nodes: Sequence[object],
    *,
    merge: bool = True,
    now: datetime,
    embedder: Embedder | None = None,
    most: int = NODES_A_CALL,
) -> Upserted:
    """Keep nodes, all of them or none: everything is embedded first, and written in one transaction.

    Args:
        nodes: in wire form; each path once.
        merge: add to what is known of a node; False replaces it.
        most: nodes that may be given.

    Raises:
        NodeInvalid: the first thing that is wrong with any of them. TooManyNodes. MemoryBusy.
    """
    cleaned = clean_nodes(nodes, most=most)
    embedder = embedder or get_embedder()
    vectors: dict[str, np.ndarray] = {}
    with access.open() as space:
        for _ in range(ATTEMPTS):
            held = working_set_of(space, embedder=embedder)
            with held.lock:
                planned = plan_nodes(held, cleaned, merge=merge)
            _embed_missing(planned, vectors, embedder)
            written = _write(access, cleaned, vectors, merge=merge, now=now, embedder=embedder)
            if written is not None:
                return written
    raise MemoryBusy()


def clean_nodes(nodes: Sequence[object], *, most: int = NODES_A_CALL) -> list[CleanNode]:
    """Return the nodes of one call as they may be kept.

    Raises:
        NodeInvalid: what is wrong first, with the number of its node.
    """
    if not isinstance(nodes, list | tuple):
        raise NodeInvalid("nodes", "kind")
    if len(nodes) > most:
        raise NodeInvalid("nodes", "too-many")
    seen: dict[str, CleanNode] = {}
    for number, raw in enumerate(nodes):
        try:
            node = clean_node(raw, more=("embeddings",))
        except NodeInvalid as error:
            raise NodeInvalid(error.field, error.reason, number=number) from None
        if node.path in seen:
            raise NodeInvalid("id", "twice", number=number)
        seen[node.path] = node
    return list(seen.values())


def get_node(access: AgentAccess, path: str) -> dict[str, Any]:
    """Return one of the agent's own nodes in wire form.

    Raises:
        NotFound: there is none of this path.
    """
    with access.open() as space:
        held = working_set_of(space)
        with held.lock:
            return held_node(held, path)


def remove_node(access: AgentAccess, path: str, *, now: datetime) -> None:
    """Forget a node: what it said is gone, and so are its vectors; what links to it leads nowhere.

    Raises:
        NotFound: there is none of this path.
    """
    with access.open() as space, space_scope(space):
        lock_space(space)
        rows = AgentNode.objects.for_space(space).filter(removed_at__isnull=True)
        row = rows.filter(path_hash=hash_path(space, path)).first()
        if row is None:
            raise NotFound()
        row.content, row.task_hash, row.source_hash = {}, None, None
        row.removed_at = row.changed_at = now
        row.resonance, row.uses, row.last_used_at = 0.0, 0, None
        row.version = bump_version(space)
        row.save()
        AgentVector.objects.for_space(space).filter(node_id=row.pk).delete()
        record_event("agents.forgot", chain=space, actor=access.person, subject=row, now=now)


def _embed_missing(planned: Sequence[Planned], vectors: dict[str, np.ndarray], embedder: Embedder) -> None:
    texts = [plan.text for plan in planned if plan.text is not None and plan.text not in vectors]
    for start in range(0, len(texts), EMBEDDED_AT_ONCE):
        some = texts[start : start + EMBEDDED_AT_ONCE]
        vectors.update(zip(some, embedder.embed(some), strict=True))


def _write(
    access: AgentAccess,
    cleaned: Sequence[CleanNode],
    vectors: dict[str, np.ndarray],
    *,
    merge: bool,
    now: datetime,
    embedder: Embedder,
) -> Upserted | None:
    """Write the nodes beside what is held now, under the lock; None where that needs a vector that is not there."""
    space: UUID = access.space
    with space_scope(space):
        lock_space(space)
        held = working_set_of(space, embedder=embedder)
        with held.lock:
            planned = plan_nodes(held, cleaned, merge=merge)
            if any(plan.text is not None and plan.text not in vectors for plan in planned):
                return None
            new = sum(plan.row is None for plan in planned)
            if len(held.row_of) + new > NODES_AN_AGENT:
                raise TooManyNodes()
            changed = [plan for plan in planned if plan.changed]
        if changed:
            store_planned(space, changed, vectors, model=embedder.model, now=now)
            counts = {"created": new, "changed": len(changed) - new}
            record_event("agents.remembered", chain=space, actor=access.person, data=counts, now=now)
    return Upserted(
        created=new,
        changed=len(changed) - new,
        unchanged=len(planned) - len(changed),
        ids=[node.path for node in cleaned],
    )
