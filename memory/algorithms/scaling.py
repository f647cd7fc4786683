"""Signals put on one scale, and what one of them lets expect of another. Pure numpy."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]


def standardise(
    values: NDArray[np.floating], alive: BoolArray | None = None, *, measured: BoolArray | None = None
) -> FloatArray:
    """Return (n,) z-scores over the live rows; nothing stands out where all are alike.

    Args:
        alive: (n,) which rows are live; all where nothing is said.
        measured: (n,) False: the value is a guess, which is put on the others' scale and not counted towards it.
    """
    counted = measured if alive is None else alive if measured is None else alive & measured
    part = values if counted is None else values[counted]
    deviation = float(part.std()) if len(part) else 0.0
    if deviation < 1e-6:
        return np.zeros(len(values), np.float32)
    return np.asarray((values - part.mean()) / deviation, np.float32)


def fill_unknown(meaning: FloatArray, words: FloatArray, *, alive: BoolArray, known: BoolArray) -> FloatArray:
    """Return (n,) `meaning`, and where it is not known what `words` let expect of it: one line of least squares.

    So a row without a vector is neither put last for want of one nor first: it stands in the middle of the rows of like
    words whose meaning is known. Where none is known, meaning says nothing.

    Args:
        meaning: (n,) on any scale; where it is not known, what stands there is not read.
        words: (n,) z-scores over the live rows.
        known: (n,) whether a row's meaning is one.
    """
    if known.all():
        return meaning
    both = alive & known
    if not both.any():
        return np.zeros(len(meaning), np.float32)
    mean = words[both].mean()
    offset = words[both] - mean
    slope = max(float(offset @ meaning[both]) / max(float(offset @ offset), 1e-6), 0.0)
    return np.where(known, meaning, meaning[both].mean() + slope * (words - mean)).astype(np.float32)
