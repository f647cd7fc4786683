"""A person's own good memories: what carries somebody who is low, and what a game can play with."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

import numpy as np

from memory.models import MemoryNode
from memory.student.recall.ranking import Recalled, as_recalled, present_gravity
from memory.student.selectors import NodeData
from memory.student.workingset import WorkingSet

#: a memory so good is a good one
GOOD = 0.35
MOST = 16


def lifts(node: NodeData) -> bool:
    """Tell whether a memory may carry somebody: something good, a strength, or a way of working that is not hard."""
    if node.trust != MemoryNode.Trust.PERSON or node.of_danger:
        return False
    if node.valence >= GOOD or node.category == MemoryNode.Category.STRENGTHS:
        return True
    return node.modality == MemoryNode.Modality.PROCEDURAL and node.valence > 0


def find_good(working_set: WorkingSet, *, besides: Collection[UUID], now: datetime) -> list[Recalled]:
    """Return the good memories of a space beside those called to mind already, the best and liveliest first."""
    with working_set.lock:
        if not len(working_set):
            return []
        rows = [
            row
            for row, node in enumerate(working_set.nodes)
            if node.alive
            and node.valence >= GOOD
            and node.trust == MemoryNode.Trust.PERSON
            and not node.of_danger
            and node.id not in besides
        ]
        lasting = working_set.expires_at > now.timestamp()
        gravity = present_gravity(working_set, now=now)
        kept = np.array([row for row in rows if lasting[row]], dtype=np.int64)
        valence = np.array([working_set.nodes[row].valence for row in kept.tolist()])
        order = kept[np.argsort(-(valence * gravity[kept]), kind="stable")][:MOST]
        return [as_recalled(working_set.nodes[row], float(gravity[row])) for row in order.tolist()]
