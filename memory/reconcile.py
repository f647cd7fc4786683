"""What a later statement does to an earlier one: it says the same, takes its place, perhaps takes its place, or both stand.

For what a person says and for what a company believes alike. A head on pairs judges (`reading/`, docs/algorithms/change.md); plain
values only veto: what gives another number, date or name, or denies what the other affirms, is never the same.

It embeds, and so never runs inside a transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import find_names, fold_words
from memory.algorithms.difference import plain, values_differ
from memory.reading.params import READING, READING_AT_WORK, ReadingParams
from memory.reading.service import get_heads
from memory.reading.splitter import split


class Effect(Enum):
    """What the later of two statements does to the earlier one."""

    SAME = "same"
    REPLACES = "replaces"
    DOUBTS = "doubts"
    HINTS = "hints"
    NONE = "none"

    @property
    def speaks_against(self) -> bool:
        """Whether the later one surely or perhaps takes the earlier one's place."""
        return self in {Effect.REPLACES, Effect.DOUBTS}


@dataclass(frozen=True, slots=True)
class Change:
    """An effect, and how likely the later statement takes the earlier one's place, or says the same."""

    effect: Effect
    chance: float = 0.0
    same: float = 0.0


NO_CHANGE = Change(Effect.NONE)


def read_changes(
    pairs: Sequence[tuple[str, str]],
    similarities: Sequence[float] | NDArray[np.floating] | None = None,
    *,
    embedder: Embedder,
    is_company: bool = False,
) -> list[Change]:
    """Return what each later statement does to the earlier one.

    Args:
        pairs: (earlier, later).
        similarities: calibrated, 0 to 1; what is further apart than `READING.compared` speaks of something else, and what is further
            apart than `READING.acts` only casts a doubt, and than `READING.asks` too slight a one to ask about. Of more than
            `READING.most_compared` pairs the nearest are judged. None: they are found here.
    """
    if similarities is None:
        similarities = _find_similarities(pairs, embedder)
    nearest = np.argsort(-np.asarray(similarities, np.float32), kind="stable")[
        : READING.most_compared
    ].tolist()
    near = [place for place in nearest if float(similarities[place]) >= READING.compared]
    told = _read([pairs[place] for place in near], embedder, is_company)
    read = dict(zip(near, told, strict=True))
    bars = READING_AT_WORK if is_company else READING
    return [
        _judge(pair, read.get(place), bars, similarity=float(similarities[place]))
        for place, pair in enumerate(pairs)
    ]


def _find_similarities(pairs: Sequence[tuple[str, str]], embedder: Embedder) -> NDArray[np.floating]:
    if not pairs:
        return np.zeros(0, np.float32)
    earlier, later = (embedder.embed(list(texts)) for texts in zip(*pairs, strict=True))
    return embedder.calibration.similarity((earlier * later).sum(axis=1))


def _read(
    pairs: Sequence[tuple[str, str]], embedder: Embedder, is_company: bool
) -> list[tuple[float, float]]:
    """Return how likely each later statement takes the earlier one's place, and how likely it says the same."""
    if not pairs:
        return []
    each = list(dict.fromkeys(text for pair in pairs for text in pair))
    vectors = dict(zip(each, embedder.embed(each), strict=True))
    found = np.array([[vectors[text] for text in pair] for pair in pairs])
    told = get_heads(embedder).read_pairs(pairs, found, is_company=is_company)
    return [(told.of("replaces", row), told.of("same", row)) for row in range(len(pairs))]


def _judge(
    pair: tuple[str, str], read: tuple[float, float] | None, bars: ReadingParams, *, similarity: float
) -> Change:
    if plain(pair[0]) == plain(pair[1]):
        return Change(Effect.SAME, same=1.0)
    if read is None:
        return NO_CHANGE
    (replaces, same), acts = read, similarity >= bars.acts
    if acts and same >= bars.same and not values_differ(*pair):
        return Change(Effect.SAME, replaces, same)
    if acts and replaces >= bars.replaces and not says_more(*pair):
        return Change(Effect.REPLACES, replaces, same)
    if replaces >= (bars.probably_replaces if similarity >= bars.asks else bars.surely_replaces):
        return Change(Effect.DOUBTS, replaces, same)
    return Change(Effect.HINTS if replaces >= bars.possibly_replaces else Effect.NONE, replaces, same)


def says_more(earlier: str, later: str) -> bool:
    """Tell whether an earlier statement says more than what the later gives another value: that holds, whatever the later says."""
    named = {fold_words(name) for name in find_names(earlier)}
    return len(split(earlier)) > 1 or len(named - {fold_words(name) for name in find_names(later)}) > 1
