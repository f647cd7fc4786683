"""Use cases over existing memories."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.algorithms.decay import boost_gravity, decay_gravity
from memory.models import MemoryNode


def touch(space: UUID, nodes: Sequence[UUID], *, now: datetime) -> None:
    """Note that memories were used: their clock starts again and their gravity rises."""
    if not nodes:
        return
    with space_scope(space):
        lock_space(space)
        rows = list(MemoryNode.objects.for_space(space).active().filter(pk__in=nodes))
        used = [node for node in rows if node.accessed_at < now]
        if not used:
            return
        version = bump_version(space)
        for node in used:
            age_days = (now - node.accessed_at).total_seconds() / 86_400
            present = decay_gravity(node.gravity, salience=node.salience, age_days=age_days)
            node.gravity = float(boost_gravity(present))
            node.accessed_at = now
            node.version = version
            node.save(update_fields=["gravity", "accessed_at", "version"])
