"""The best of each type. Pure numpy."""

import numpy as np
from numpy.typing import ArrayLike

from memory.algorithms.activation.params import ACTIVATION, IntArray


def trim(
    score: ArrayLike,
    type_codes: ArrayLike,
    *,
    caps: ArrayLike | None = None,
    most: int | None = None,
) -> IntArray:
    """Return the positions of the best, best first: under the cap of each type and `most` in all.

    Equal scores go to the lower position. A score of -inf or nan is never taken.

    Args:
        score: (m,).
        type_codes: (m,) places in `TYPES`.
        caps: (t,) how many of each type at the most, by code; those of `ACTIVATION` if left out.

    Raises:
        ValueError: a cap or `most` is negative, a code has no cap, or the lengths differ.
    """
    values, codes = np.asarray(score, np.float64), np.asarray(type_codes, np.int64)
    bounds = ACTIVATION.caps_by_code() if caps is None else np.asarray(caps, np.int64)
    if values.shape != codes.shape or (len(codes) and not 0 <= codes.min() <= codes.max() < len(bounds)):
        raise ValueError("every score needs the code of a type that has a cap")
    if (bounds < 0).any() or (most is not None and most < 0):
        raise ValueError("a cap may not be negative")
    worth = np.where(np.isnan(values), -np.inf, values)
    order = np.argsort(-worth, kind="stable")
    order = order[worth[order] > -np.inf]
    kept: IntArray = order[_places(codes[order], len(bounds)) < bounds[codes[order]]][:most]
    return kept


def _places(codes: IntArray, types: int) -> IntArray:
    """Return (m,) how many of the same code stand before each."""
    sizes = np.bincount(codes, minlength=types)
    places = np.empty(len(codes), np.int64)
    places[np.argsort(codes, kind="stable")] = np.arange(len(codes)) - np.repeat(
        np.cumsum(sizes) - sizes, sizes
    )
    return places
