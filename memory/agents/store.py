"""Arrays into rows: the nodes of an agent, written in the transaction of the caller."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from companion_site.ids import new_id
from companion_site.vault.services import bump_version
from memory.agents.hashing import hash_path, hash_source, hash_task
from memory.agents.merge import Planned
from memory.models import Agent, AgentNode, AgentVector

DECAY = 0.98
#: rows of one statement
ROWS_AT_ONCE = 500


def store_planned(
    space: UUID,
    planned: Sequence[Planned],
    vectors: Mapping[str, np.ndarray],
    *,
    model: str,
    now: datetime,
) -> None:
    """Write nodes; the caller holds the space's lock and scope.

    Args:
        vectors: by text, of each plan that names one.
    """
    version = bump_version(space)
    tick = Agent.objects.for_space(space).values_list("tick", flat=True).get()
    rows = _rows_there(space, planned)
    fresh: list[AgentNode] = []
    for plan in planned:
        path_hash = hash_path(space, plan.node.path)
        row = rows.get(path_hash)
        if row is None:
            fresh.append(_new_row(space, plan, path_hash, tick=tick, version=version, now=now))
            rows[path_hash] = fresh[-1]
        else:
            _change_row(row, plan, tick=tick, version=version, now=now)
    AgentNode.objects.bulk_create(fresh, batch_size=ROWS_AT_ONCE)
    _store_vectors(space, planned, rows, vectors, model=model)


def _rows_there(space: UUID, planned: Sequence[Planned]) -> dict[bytes, AgentNode]:
    """Return the rows of these paths by their hashes, those of removed nodes too: a path has one row for ever."""
    hashes = [hash_path(space, plan.node.path) for plan in planned]
    rows = AgentNode.objects.for_space(space).filter(path_hash__in=hashes).defer("content")
    return {bytes(row.path_hash): row for row in rows}


def _new_row(
    space: UUID, plan: Planned, path_hash: bytes, *, tick: int, version: int, now: datetime
) -> AgentNode:
    node = plan.node
    return AgentNode(
        id=new_id(),
        space_id=space,
        path_hash=path_hash,
        created_at=now,
        uses=node.uses,
        last_used_at=node.last_used_at,
        resonance=node.resonance,
        resonance_tick=tick,
        decay=DECAY if node.decay is None else node.decay,
        **_said(space, plan, version=version, now=now),
    )


def _change_row(row: AgentNode, plan: Planned, *, tick: int, version: int, now: datetime) -> None:
    """Write what is said of a node now; one that had been removed begins anew."""
    values = _said(row.space_id, plan, version=version, now=now)
    if row.removed_at is not None:
        node = plan.node
        values |= {
            "removed_at": None,
            "created_at": now,
            "uses": node.uses,
            "last_used_at": node.last_used_at,
            "resonance": node.resonance,
            "resonance_tick": tick,
            "decay": DECAY if node.decay is None else node.decay,
        }
    for name, value in values.items():
        setattr(row, name, value)
    row.save(update_fields=list(values))


def _said(space: UUID, plan: Planned, *, version: int, now: datetime) -> dict[str, Any]:
    meta = plan.content["meta"]
    task, source = meta.get("task"), meta.get("source")
    return {
        "type": plan.node.type,
        "content": plan.content,
        "task_hash": hash_task(space, task) if task else None,
        "source_hash": hash_source(space, source) if source else None,
        "changed_at": now,
        "version": version,
    }


def _store_vectors(
    space: UUID,
    planned: Sequence[Planned],
    rows: Mapping[bytes, AgentNode],
    vectors: Mapping[str, np.ndarray],
    *,
    model: str,
) -> None:
    """Write the vectors of the texts that are new; those of other models stood for other words."""
    fresh = [
        AgentVector(
            space_id=space,
            node_id=rows[hash_path(space, plan.node.path)].pk,
            model=model,
            dimension=len(vectors[plan.text]),
            vector=vectors[plan.text],
        )
        for plan in planned
        if plan.text is not None
    ]
    AgentVector.objects.for_space(space).filter(node_id__in=[row.node_id for row in fresh]).delete()
    AgentVector.objects.bulk_create(fresh, batch_size=ROWS_AT_ONCE)
