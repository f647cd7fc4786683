"""The best of each type. Pure numpy."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from memory.algorithms.activation.params import ACTIVATION, FloatArray, IntArray


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
    kept = np.concatenate(
        [np.zeros(0, np.int64), *(_best(worth, codes == code, int(cap)) for code, cap in enumerate(bounds))]
    )
    kept.sort()
    return kept[np.argsort(-worth[kept], kind="stable")][:most]


def _best(worth: FloatArray, among: NDArray[np.bool_], most: int) -> IntArray:
    """Return the positions of the `most` highest, of equal ones the lower; none of -inf."""
    rows = np.flatnonzero(among & (worth > -np.inf))
    if len(rows) <= most:
        return rows
    if most == 0:
        return rows[:0]
    values = worth[rows]
    least = np.partition(values, -most)[-most]
    above = rows[values > least]
    return np.concatenate([above, rows[values == least][: most - len(above)]])
