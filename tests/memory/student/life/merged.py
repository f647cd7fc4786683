"""Several memories become one, as by sleep and compression, with the change by which it is undone."""

from uuid import UUID

from companion_site.ids import new_id
from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.models import MemoryChange, MemoryNode, MemorySource, MemoryVector
from memory.student.compression.replacement import make_successor, replace_memories
from tests.factories import NOW


def merge(space: UUID, nodes: list[UUID]) -> MemoryNode:
    """Merge memories as sleep and compression do, with a change that can be undone."""
    with space_scope(space):
        lock_space(space)
        rows = list(MemoryNode.objects.for_space(space).filter(pk__in=nodes).order_by("id"))
        text = " ".join(row.content for row in rows)
        vector = MemoryVector.objects.for_space(space).filter(node_id=rows[0].pk).get()
        successor = make_successor(
            space,
            rows,
            gravity=[row.gravity for row in rows],
            sources=[list(MemorySource.objects.for_space(space).filter(node=row)) for row in rows],
            vector=vector.vector,
            id=new_id(),
            content=text,
            content_hash=hash_words(space, text),
            tier=MemoryNode.Tier.LONG_TERM,
            category=MemoryNode.Category.BACKGROUND,
            language="en",
            confidence=0.9,
        )
        before = replace_memories(
            space,
            [successor],
            edges=[],
            new_edges=[],
            model=vector.model,
            version=bump_version(space),
            now=NOW,
        )
        MemoryChange.objects.create(
            space_id=space,
            kind=MemoryChange.Kind.MERGED,
            reason="hang_together",
            at=NOW,
            node_ids=[str(node) for node in nodes],
            before=before[successor.node.pk],
        )
        return MemoryNode.objects.for_space(space).get(pk=successor.node.pk)
