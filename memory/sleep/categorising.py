"""Which part of long-term memory a memory belongs to: background, strengths, struggles or goals, without a model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion_site.embeddings.protocol import Embedder
from memory.algorithms.assessing import AssessingParams, drop_contradicted, vote_kinds
from memory.models import MemoryNode
from memory.sleep.basics import says_who
from memory.sleep.insights import Item
from memory.sleep.prototypes import (
    BACKGROUND,
    BASIC,
    KINDS,
    STRENGTHS,
    STRUGGLES,
    CategoryPrototypes,
    load_category_prototypes,
)

#: how a part feels: a strength is nothing to be unhappy about, a struggle nothing to be glad of
_SIGNS = np.array([{STRENGTHS: 1.0, STRUGGLES: -1.0}.get(kind, 0.0) for kind in KINDS])
#: how somebody likes to be helped, and what things look and sound like, is no success and no failure
_UNJUDGED = {MemoryNode.Modality.PROCEDURAL, MemoryNode.Modality.SENSORY}


#: share of the votes by which a memory goes into a part, and by which it surely belongs there; chosen on every other
#: pair of rows of tests/data/sleep.json (docs/algorithms/sleep.md)
_LIKELY = AssessingParams(nearest=5, share=0.4)
_SURE = AssessingParams(nearest=5, share=0.7)


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
    """Return the part of each item; what is doubtful is background."""
    if not items:
        return []
    prototypes = load_category_prototypes(embedder.embed, model=embedder.model)
    vectors = np.stack([item.vector for item in items]) - prototypes.mean
    likely, sure = (_vote(items, vectors, prototypes, params) for params in (_LIKELY, _SURE))
    return [_part(item, *kinds) for item, *kinds in zip(items, likely, sure, strict=True)]


def _vote(
    items: Sequence[Item], vectors: np.ndarray, prototypes: CategoryPrototypes, params: AssessingParams
) -> list[str]:
    none = KINDS.index(BACKGROUND)
    votes = vote_kinds(
        vectors, prototypes.vectors, prototypes.kinds, none=none, count=len(KINDS), params=params
    )
    kinds = drop_contradicted(votes, np.array([item.valence for item in items]), _SIGNS, none=none)
    return [KINDS[kind] for kind in kinds.tolist()]


def _part(item: Item, likely: str, sure: str) -> Part:
    is_basic = BASIC in (likely, sure) or says_who(item.text, item.language)
    if is_basic or likely == BACKGROUND or item.modality in _UNJUDGED:
        return Part(category=BACKGROUND, is_basic=is_basic)
    return Part(category=likely, is_clear=sure == likely)


def choose_category(parts: Sequence[Part], weights: Sequence[float]) -> str:
    """Return the category of memories that are taken together: that of most of their weight, a clear one counting twice."""
    total: dict[str, float] = {}
    for part, weight in zip(parts, weights, strict=True):
        total[part.category] = total.get(part.category, 0.0) + weight * (1 + part.is_clear)
    return max(total, key=lambda category: (total[category], category)) if total else BACKGROUND
