"""How long an activated node stays at hand: resonance, which fades with each context built. Pure numpy."""

import numpy as np
from numpy.typing import ArrayLike

from memory.algorithms.activation.params import ACTIVATION, ActivationParams, FloatArray, IntArray


def resonate(value: ArrayLike, decay: ArrayLike, ticks: ArrayLike) -> FloatArray:
    """Return (n,) resonance after `ticks` more contexts were built: `value * decay ** ticks`.

    Nothing multiplies a stored value at each tick: it is kept with the tick it was noted at, and worked out where it
    is read. Ticks below 0 count as 0.
    """
    passed = np.maximum(np.asarray(ticks, np.float64), 0.0)
    return np.asarray(np.asarray(value, np.float64) * np.asarray(decay, np.float64) ** passed, np.float64)


def raise_resonance(value_now: ArrayLike, score: ArrayLike) -> FloatArray:
    """Return (n,) the resonance to store for nodes activated by `score`: that share of the way from now to 1.

    It never falls by it, never passes 1, and the order of nodes activated alike is kept.

    Args:
        value_now: (n,) as `resonate` gives it for this tick, 0 to 1.
        score: (n,) 0 to 1.
    """
    present = np.asarray(value_now, np.float64)
    lifted = present + np.clip(np.asarray(score, np.float64), 0.0, 1.0) * (1.0 - present)
    return np.asarray(np.maximum(lifted, present), np.float64)


def stay_resonant(resonance: ArrayLike, *, params: ActivationParams = ACTIVATION) -> IntArray:
    """Return the rows that stay in the working set, strongest first: `epsilon` and above, below the bound on their number.

    Args:
        resonance: (n,) as `resonate` gives it for this tick. Equal ones stay by the lower row.
    """
    present = np.asarray(resonance, np.float64)
    order = np.argsort(-present, kind="stable")
    return order[present[order] >= params.epsilon][: params.most_in_working_set]
