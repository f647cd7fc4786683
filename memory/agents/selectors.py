"""An agent's rows as plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np

from companion_site.vault.services import space_version
from memory.agents.profiles import Profile, profile_of
from memory.models import Agent, AgentNode, AgentSource, AgentVector, PackMount

NEVER = float("nan")


@dataclass(frozen=True, kw_only=True)
class AgentNodeData:
    """One node; `content` and `vector` are None where it was removed, the vector also where no model gave one yet."""

    id: UUID
    content: Mapping[str, Any] | None
    vector: np.ndarray | None
    type: str
    task: bytes | None
    source: bytes | None
    uses: int
    last_used_at: float
    changed_at: float
    created_at: float
    resonance: float
    resonance_tick: int
    decay: float


@dataclass(frozen=True, kw_only=True)
class AgentChanges:
    """What changed in an agent's memory since a version."""

    version: int
    tick: int
    name: str
    profile: Profile
    #: spaces of the packs that are mounted
    packs: Sequence[UUID]
    nodes: Sequence[AgentNodeData]
    #: times shown and times of use, by keyed hash of the source's name
    sources: Mapping[bytes, tuple[int, int]]


def load_agent_changes(space: UUID, *, after: int, model: str) -> AgentChanges:
    """Return what changed after a version; -1 loads all there is. Inside the space's scope, the space unlocked.

    Args:
        model: the embedding model whose vectors are wanted.
    """
    version = space_version(space)
    agent = Agent.objects.for_space(space).get()
    rows = AgentNode.objects.for_space(space).filter(version__gt=after).order_by("id")
    if after < 0:
        rows = rows.filter(removed_at__isnull=True)
    nodes = list(rows)
    vectors = _vectors(space, [row.pk for row in nodes] if after >= 0 else None, model=model)
    sources = AgentSource.objects.for_space(space).values_list("name_hash", "shown", "helped")
    return AgentChanges(
        version=version,
        tick=agent.tick,
        name=agent.name,
        profile=profile_of(agent.profile),
        packs=list(PackMount.objects.for_space(space).values_list("pack_space_id", flat=True)),
        nodes=[_node_data(row, vectors.get(row.pk)) for row in nodes],
        sources={bytes(digest): (shown, helped) for digest, shown, helped in sources},
    )


def _vectors(space: UUID, nodes: Sequence[UUID] | None, *, model: str) -> dict[UUID, np.ndarray]:
    """Return the vectors under a model of some nodes; of None, of all that are there, by a join."""
    rows = AgentVector.objects.for_space(space).filter(model=model)
    rows = rows.filter(node__removed_at__isnull=True) if nodes is None else rows.filter(node_id__in=nodes)
    return {row.node_id: row.vector for row in rows.order_by()}


def _node_data(row: AgentNode, vector: np.ndarray | None) -> AgentNodeData:
    alive = row.removed_at is None
    return AgentNodeData(
        id=row.pk,
        content=row.content if alive else None,
        vector=vector if alive else None,
        type=row.type,
        task=_bytes(row.task_hash),
        source=_bytes(row.source_hash),
        uses=row.uses,
        last_used_at=NEVER if row.last_used_at is None else row.last_used_at.timestamp(),
        changed_at=row.changed_at.timestamp(),
        created_at=row.created_at.timestamp(),
        resonance=row.resonance,
        resonance_tick=row.resonance_tick,
        decay=row.decay,
    )


def _bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)
