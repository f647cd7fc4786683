"""How gravity fades between accesses. Pure numpy: no Django, no clock, no settings.

Gravity is stored as of the last access and computed wherever it is read; nothing ever multiplies a stored value,
so reading twice, or late, or never, cannot fade a memory twice.

Decisions and values: docs/algorithms/sleep.md.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class DecayParams:
    """The settled form of forgetting."""

    #: Days until gravity has halved (given by the product's document).
    half_life_days: float = 7.0
    #: Gravity never falls below this share of salience (given by the product's document).
    floor_share: float = 0.10
    #: Share of the way from its present gravity to 1 that an access lifts a memory. At .2 a memory used weekly
    #: settles at .17 before and .33 after each use, one used daily at .66 and .73: habit tells, one use does not.
    access_boost: float = 0.20


DECAY = DecayParams()


def decay_gravity(gravity: ArrayLike, *, salience: ArrayLike, age_days: ArrayLike) -> FloatArray:
    """Return gravity after `age_days` without an access.

    `max(floor_share * salience, gravity * 0.5 ** (age_days / half_life_days))`, element by element.

    Args:
        gravity: (n,) as of the last access, 0 to 1.
        salience: (n,) 0 to 1, does not fade.
        age_days: (n,) days since the last access. Below 0 (clocks of two machines differ) counts as 0.

    Returns:
        (n,) float64 in the order given; inputs are left untouched.

    Raises:
        ValueError: shapes do not broadcast.

    Source: docs/algorithms/sleep.md.
    """
    elapsed = np.maximum(np.asarray(age_days, np.float64), 0.0)
    faded = np.asarray(gravity, np.float64) * np.exp2(-elapsed / DECAY.half_life_days)
    return np.maximum(DECAY.floor_share * np.asarray(salience, np.float64), faded)


def boost_gravity(gravity_now: ArrayLike) -> FloatArray:
    """Return the gravity to store when a memory is accessed; its clock starts again there.

    `g + access_boost * (1 - g)`: never above 1, never below what it was, and the order of memories is kept.

    Args:
        gravity_now: (n,) as `decay_gravity` gives it for this moment, 0 to 1.

    Returns:
        (n,) float64.
    """
    present = np.asarray(gravity_now, np.float64)
    return present + DECAY.access_boost * (1.0 - present)
