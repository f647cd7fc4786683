"""How present memories are now, and that using them makes them more so."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

import numpy as np

from companion_site.vault.columns import set_each
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.algorithms.decay import boost_gravity, decay_gravity
from memory.models import MemoryNode


def gravity_at(stored: Iterable[tuple[float, float, datetime]], *, now: datetime) -> np.ndarray:
    """Return (n,) gravity at `now` of what is stored: gravity, salience and the time of the last access of each."""
    rows = list(stored)
    return decay_gravity(
        [gravity for gravity, _, _ in rows],
        salience=[salience for _, salience, _ in rows],
        age_days=[(now - accessed_at).total_seconds() / 86_400 for _, _, accessed_at in rows],
    )


def touch(space: UUID, nodes: Sequence[UUID], *, now: datetime) -> None:
    """Note that memories were used: their clock starts again and their gravity rises."""
    if not nodes:
        return
    with space_scope(space):
        lock_space(space)
        rows = MemoryNode.objects.for_space(space).active().filter(pk__in=nodes, accessed_at__lt=now)
        used = {pk: stored for pk, *stored in rows.values_list("pk", "gravity", "salience", "accessed_at")}
        if not used:
            return
        boosted = boost_gravity(gravity_at(used.values(), now=now)).tolist()
        set_each(MemoryNode, space, dict(zip(used, boosted, strict=True)), field="gravity")
        rows.filter(pk__in=used).update(accessed_at=now, version=bump_version(space))
