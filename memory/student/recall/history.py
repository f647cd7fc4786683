"""How something was before: the memories that others took the place of, read where somebody asks for it.

What is believed no more is in no working set; its words stay readable in its row until its person has it forgotten.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from uuid import UUID

import numpy as np

from companion_site.vault.columns import opener
from memory.models import MemoryNode, MemorySource, MemoryVector
from memory.student.selectors import VOUCHED_BY

#: how far back a memory is followed, and how many are told in all
STEPS, MOST = 3, 8
_OF_NODE = (
    "id", "content", "modality", "trust", "tier", "category", "formed_at", "superseded_at", "superseded_by_id",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Replaced:
    """One memory that another took the place of.

    Attributes:
        said_at, until: when it was said, and until when it was believed; seconds since the epoch.
        by: the memory that holds now, however many lie between.
        vector: (d,) of the model asked for, where there is one.
    """

    id: UUID
    text: str
    modality: str
    trust: str
    derived: bool
    tier: str
    category: str
    said_at: float
    until: float
    by: UUID
    vector: np.ndarray | None = field(default=None, repr=False)


def find_replaced(space: UUID, nodes: Collection[UUID], *, model: str = "") -> list[Replaced]:
    """Return what the memories `nodes` took the place of, the last replaced first. Inside the space's scope, unlocked.

    Left out is what was only put in other words, since it comes of the same message; what was forgotten; and what speaks of danger.

    Args:
        model: the embedding model whose vectors are wanted.
    """
    holds = {node: node for node in nodes}
    found: list[Replaced] = []
    open_content = opener(space, MemoryNode, "content")
    newer = set(nodes)
    for _step in range(STEPS):
        rows = list(
            MemoryNode.objects.for_space(space)
            .filter(
                superseded_by_id__in=newer, removed_at__isnull=True, content__isnull=False, of_danger=False
            )
            .exclude(pk__in=holds)
            .values_list(*_OF_NODE, named=True)
        )
        if not rows:
            break
        sources = _first_sources(space, {row.id for row in rows} | {row.superseded_by_id for row in rows})
        for row in rows:
            source, after = sources.get(row.id), sources.get(row.superseded_by_id)
            holds[row.id] = holds[row.superseded_by_id]
            if source is not None and after is not None and source.source_id == after.source_id:
                continue
            is_derived = row.trust == MemoryNode.Trust.DERIVED
            vouched = VOUCHED_BY[MemorySource.Kind(source.kind)] if is_derived and source else row.trust
            found.append(
                Replaced(
                    id=row.id,
                    text=open_content(row.id, row.content),
                    modality=row.modality,
                    trust=vouched,
                    derived=is_derived,
                    tier=row.tier,
                    category=row.category,
                    said_at=(source.said_at if source else row.formed_at).timestamp(),
                    until=row.superseded_at.timestamp(),
                    by=holds[row.id],
                )
            )
        newer = {row.id for row in rows}
    found = sorted(found, key=lambda one: -one.until)[:MOST]
    vectors = _vectors(space, {one.id for one in found}, model=model) if model and found else {}
    return [replace(one, vector=vectors.get(one.id)) for one in found]


def _vectors(space: UUID, nodes: Collection[UUID], *, model: str) -> dict[UUID, np.ndarray]:
    rows = MemoryVector.objects.for_space(space).filter(model=model, node_id__in=nodes)
    open_vector = opener(space, MemoryVector, "vector")
    return {node: open_vector(pk, box) for pk, node, box in rows.values_list("pk", "node_id", "vector")}


def _first_sources(space: UUID, nodes: Collection[UUID]) -> dict[UUID, MemorySource]:
    """Return where each memory was first heard; what was put right by hand was heard nowhere."""
    rows = MemorySource.objects.for_space(space).filter(node_id__in=nodes)
    rows = rows.order_by("node_id", "id").distinct("node_id").only("node_id", "kind", "source_id", "said_at")
    return {row.node_id: row for row in rows}
