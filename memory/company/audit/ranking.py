"""What of a memory answers an auditor's search best: meaning and words on one scale. Pure numpy.

Each signal speaks in standard deviations over everything that was searched (z-scores), so that neither needs a weight
of its own and a row that stands out by either comes first.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
#: Below it all rows are taken as alike.
LEAST_DEVIATION = 1e-9


@dataclass(frozen=True)
class Spread:
    """How a signal lies over everything that was searched."""

    mean: float
    deviation: float

    def standardise(self, values: Floats) -> Floats:
        """Return (n,) z-scores; 0 for what is unknown (nan), and for all where nothing stands out."""
        if not self.deviation > LEAST_DEVIATION:
            return np.zeros(len(values))
        scores = (np.where(np.isfinite(values), values, self.mean) - self.mean) / self.deviation
        return np.asarray(scores, np.float64)


def spread_of_few(values: Floats, *, total: int) -> Spread:
    """Return how a signal lies that a few of `total` rows have; it is 0 for the others.

    Args:
        values: (m,) of those that have it, m at most `total`.
    """
    if not total:
        return Spread(0.0, 0.0)
    mean = float(values.sum()) / total
    return Spread(mean, float(np.sqrt(max(0.0, float((values**2).sum()) / total - mean**2))))


def fuse(cosine: Floats, words: Floats, *, meaning: Spread, wording: Spread) -> Floats:
    """Return how well each row answers; of use for order alone.

    Args:
        cosine: (n,) of each row's vector with the question's; nan where a row has no vector.
        words: (n,) rank of the full-text search; 0 where no word was found.
        meaning: how cosines lie over everything that was searched.
        wording: how ranks do.

    Returns:
        (n,) the sum of both in standard deviations.
    """
    return meaning.standardise(cosine) + wording.standardise(words)


def best_rows(score: Floats, *, kept: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
    """Return the rows that are kept, best first, at most so many; equal ones in the order they came."""
    rows = np.flatnonzero(kept)
    order = np.argsort(-score[rows], kind="stable")[:most]
    return np.asarray(rows[order], np.int64)
