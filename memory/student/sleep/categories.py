"""Which part of long-term memory a memory belongs to: background, strengths, struggles or goals, by the reader's head."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion_site.embeddings.protocol import Embedder
from memory.models import MemoryNode
from memory.reading.params import READING
from memory.reading.service import get_heads
from memory.student.sleep.insights import Item

BACKGROUND: str = MemoryNode.Category.BACKGROUND.value
JUDGED = frozenset(MemoryNode.Category.values) - {BACKGROUND, MemoryNode.Category.NONE}
#: how somebody likes to be helped, and what things look and sound like, is no success and no failure
UNJUDGED = frozenset({MemoryNode.Modality.PROCEDURAL, MemoryNode.Modality.SENSORY})


@dataclass(frozen=True, kw_only=True)
class Part:
    """Where a memory belongs.

    Attributes:
        is_clear: it surely is a strength, a struggle or a goal.
        is_basic: it says who the person is.
    """

    category: str
    is_clear: bool = False
    is_basic: bool = False


def categorise(items: Sequence[Item], *, embedder: Embedder) -> list[Part]:
    """Return the part of each item; what is none of the others is background."""
    if not items:
        return []
    vectors = np.stack([item.vector for item in items])
    told = get_heads(embedder).read_texts("fact", [item.text for item in items], vectors)["part"]
    parts = [told.likeliest(row) for row in range(len(items))]
    return [
        _part(item, part, told.of(part, row))
        for row, (item, part) in enumerate(zip(items, parts, strict=True))
    ]


def _part(item: Item, part: str, chance: float) -> Part:
    if part not in JUDGED or item.modality in UNJUDGED:
        return Part(category=BACKGROUND, is_basic=part == "basic")
    return Part(category=part, is_clear=chance >= READING.part)


def choose_category(parts: Sequence[Part], weights: Sequence[float]) -> str:
    """Return the category of memories that are taken together: that of most of their weight, a clear one counting twice."""
    total: dict[str, float] = {}
    for part, weight in zip(parts, weights, strict=True):
        total[part.category] = total.get(part.category, 0.0) + weight * (1 + part.is_clear)
    return max(total, key=lambda category: (total[category], category)) if total else BACKGROUND
