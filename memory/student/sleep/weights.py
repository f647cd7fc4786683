"""What of a batch must not be lost, and what merely repeats the rest of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from memory.algorithms.coverage import plain_words
from memory.models import MemoryNode
from memory.student.compression.plan import mean_vector
from memory.student.sleep.categories import Part, categorise
from memory.student.sleep.coverage import Judge
from memory.student.sleep.insights import Item
from memory.student.sleep.params import SleepParams


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


def weigh(items: Sequence[Item], judge: Judge, *, embedder: Embedder, params: SleepParams) -> Weighed:
    """Return what of a batch counts: by its salience, or because it says who the person is or what comes up in their life.

    What is mere talk ("thanks, see you tomorrow") says nothing that could be lost.
    """
    parts = dict(zip((item.id for item in items), categorise(items, embedder=embedder), strict=True))
    important = {
        item.id
        for item in items
        if (item.salience >= params.important or parts[item.id].is_basic or item.tells_life)
        and judge.says_something(item)
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

    Talk says nothing, and what only repeats the others counts once.
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
