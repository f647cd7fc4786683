"""What of a batch must not be lost, what merely repeats the rest of it, and to which part of long-term memory each belongs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from memory.algorithms.coverage import plain_words
from memory.models import MemoryNode
from memory.reading.params import READING
from memory.reading.service import get_heads
from memory.student.compression.plan import mean_vector
from memory.student.sleep.coverage import Judge
from memory.student.sleep.insights import Item
from memory.student.sleep.params import SLEEP

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


@dataclass(frozen=True, kw_only=True)
class Weighed:
    """The items of a batch that are free to be taken together, and how much each counts.

    Attributes:
        important: must be covered.
        repeats: items that stand for a whole message and say nothing that its statements do not say → those statements.
    """

    items: Sequence[Item]
    parts: Mapping[UUID, Part]
    important: frozenset[UUID]
    repeats: Mapping[UUID, Sequence[Item]]

    def counts_in_words(self, item: Item) -> bool:
        """Tell whether a likeness is not enough: its words say who somebody is, can, cannot, wants or likes to be helped."""
        part = self.parts[item.id]
        return part.is_basic or part.is_clear or item.modality == MemoryNode.Modality.PROCEDURAL


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


def weigh(items: Sequence[Item], *, embedder: Embedder) -> Weighed:
    """Return what of a batch counts: by its salience, or because it says who the person is or what comes up in their life."""
    parts = dict(zip((item.id for item in items), categorise(items, embedder=embedder), strict=True))
    important = {
        item.id
        for item in items
        if item.salience >= SLEEP.important or parts[item.id].is_basic or item.tells_life
    }
    free = [item for item in items if not item.fixed]
    return Weighed(
        items=free,
        parts=parts,
        important=frozenset(important),
        repeats=find_repeats(free),
    )


def weigh_vectors(items: Sequence[Item], weighed: Weighed, judge: Judge) -> np.ndarray:
    """Return the mean direction of items, (d,) of unit length, each by the information of what it says.

    What only repeats the others counts once.
    """
    weights = np.array([0.0 if item.id in weighed.repeats else judge.bits_told(item) for item in items])
    if not weights.any():
        weights = np.ones(len(items))
    return mean_vector(np.stack([item.vector for item in items]) * weights[:, None])


def find_repeats(items: Sequence[Item]) -> dict[UUID, list[Item]]:
    """Return the items of which no word is left without those others that came from the same source."""
    found: dict[UUID, list[Item]] = {}
    for item in items:
        parts = [
            other
            for other in items
            if other is not item and set(other.sources) & set(item.sources) and other.text in item.text
        ]
        rest = item.text
        for part in sorted(parts, key=lambda part: -len(part.text)):
            rest = rest.replace(part.text, " ", 1)
        if parts and not plain_words(rest).strip():
            found[item.id] = parts
    return found
