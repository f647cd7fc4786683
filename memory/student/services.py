"""Use cases over existing memories."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from companion_site.vault.columns import set_each
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
        rows = MemoryNode.objects.for_space(space).active().filter(pk__in=nodes, accessed_at__lt=now)
        used = list(rows.values_list("pk", "gravity", "salience", "accessed_at"))
        if not used:
            return
        ids, gravity, salience, accessed = zip(*used, strict=True)
        age_days = [(now - at).total_seconds() / 86_400 for at in accessed]
        present = decay_gravity(gravity, salience=salience, age_days=age_days)
        boosted = boost_gravity(present).tolist()
        set_each(MemoryNode, space, dict(zip(ids, boosted, strict=True)), field="gravity")
        rows.filter(pk__in=ids).update(accessed_at=now, version=bump_version(space))
