"""How something was before: the memories that others took the place of, read where somebody asks for it.

What is believed no more is in no working set; its words stay readable in its row until its person has it forgotten.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from uuid import UUID

from companion_site.vault.columns import opener
from memory.models import MemoryNode
from memory.student.selectors import OF_NODE, NodeData, load_first_sources, load_vectors, node_data

#: how far back a memory is followed, and how many are told in all
STEPS, MOST = 3, 8


@dataclass(frozen=True, kw_only=True)
class Replaced:
    """One memory that another took the place of.

    Attributes:
        until: until when it was believed; seconds since the epoch.
        by: the memory that holds now, however many lie between.
    """

    memory: NodeData
    until: float
    by: UUID


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
            .values_list(*OF_NODE, "superseded_by_id", named=True)
        )
        if not rows:
            break
        named = {row.id for row in rows} | {row.superseded_by_id for row in rows}
        sources = load_first_sources(space, node_id__in=named)
        for row in rows:
            source, after = sources.get(row.id), sources.get(row.superseded_by_id)
            holds[row.id] = holds[row.superseded_by_id]
            if source is not None and after is not None and source.source_id == after.source_id:
                continue
            memory = node_data(row, text=open_content(row.id, row.content), vector=None, source=source)
            found.append(Replaced(memory=memory, until=row.superseded_at.timestamp(), by=holds[row.id]))
        newer = {row.id for row in rows}
    found = sorted(found, key=lambda one: -one.until)[:MOST]
    ids = [one.memory.id for one in found]
    vectors = load_vectors(space, model=model, node_id__in=ids) if model and found else {}
    return [replace(one, memory=replace(one.memory, vector=vectors.get(one.memory.id))) for one in found]
