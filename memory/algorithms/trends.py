"""Whether a series of weeks goes up or down, and how sure that is. Pure numpy and scipy.

Numbers of one week hang together (one bad day fills it), so a week counts as one observation, however much was said in
it. A line is fitted through the weeks; what is reported is its slope with a confidence interval, and a word that claims a
direction only where the whole interval lies on one side of 0.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

FloatArray = NDArray[np.float64]
Direction = Literal["rising", "falling", "steady", "unclear", "too_little"]


@dataclass(frozen=True, kw_only=True)
class TrendParams:
    """What a trend needs before anything is said."""

    #: weeks with anything in them: three points lie on a line too often by chance
    min_weeks: int = 4
    #: values in all
    min_values: int = 8
    #: how often the interval holds the true slope
    confidence: float = 0.95
    #: a slope per week that nobody would notice; "steady" claims that the true one is smaller
    negligible: float = 0.05
    #: weight at which a week counts half as much as a full one: a single faint remark says little about a week
    half_weight: float = 0.5


TREND = TrendParams()


@dataclass(frozen=True, kw_only=True)
class Weeks:
    """A series by week, the oldest first: (w,) means, NaN where a week is empty; summed weights; counts."""

    means: FloatArray
    weights: FloatArray
    counts: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Trend:
    """A slope per week with its interval; NaN where there is too little to tell."""

    direction: Direction
    slope: float
    low: float
    high: float
    values: int


def group_by_week(age_days: ArrayLike, values: ArrayLike, *, weights: ArrayLike, weeks: int) -> Weeks:
    """Return the weighted mean of each of the last `weeks` weeks, the oldest first.

    Args:
        age_days: (n,) days ago, 0 or more; what is older than the weeks, or lies ahead, is left out.
        values: (n,).
        weights: (n,) 0 or more.
    """
    ages, numbers, shares = (np.asarray(part, np.float64) for part in (age_days, values, weights))
    kept = (ages >= 0) & (ages < 7 * weeks)
    week = weeks - 1 - (ages[kept] // 7).astype(np.int64)
    weight = np.bincount(week, shares[kept], minlength=weeks).astype(np.float64)
    total = np.bincount(week, shares[kept] * numbers[kept], minlength=weeks)
    means = np.divide(total, weight, out=np.full(weeks, np.nan), where=weight > 0)
    return Weeks(means=means, weights=weight, counts=np.bincount(week, minlength=weeks).astype(np.int64))


def fit_trend(series: Weeks) -> Trend:
    """Return the slope per week by weighted least squares, with Student's interval on w - 2 degrees of freedom.

    A week's weight is `s / (s + half_weight)`, s the summed weight of what was said in it: it grows with s and
    levels off, since more words about one week do not make it more weeks.

    Source: Draper and Smith, Applied Regression Analysis, 3rd ed., section 9.2.
    """
    filled = np.flatnonzero(series.weights > 0)
    values = int(series.counts[filled].sum())
    if len(filled) < TREND.min_weeks or values < TREND.min_values:
        return Trend(direction="too_little", slope=np.nan, low=np.nan, high=np.nan, values=values)
    weight = series.weights[filled] / (series.weights[filled] + TREND.half_weight)
    slope, error = _weighted_slope(filled.astype(np.float64), series.means[filled], weight)
    reach = float(stdtrit(len(filled) - 2, 0.5 + TREND.confidence / 2)) * error
    low, high = slope - reach, slope + reach
    return Trend(direction=_direction(low, high), slope=slope, low=low, high=high, values=values)


def _weighted_slope(week: FloatArray, mean: FloatArray, weight: FloatArray) -> tuple[float, float]:
    """Return the slope and its standard error."""
    centre = np.average(week, weights=weight)
    height = np.average(mean, weights=weight)
    spread = float(np.sum(weight * (week - centre) ** 2))
    slope = float(np.sum(weight * (week - centre) * (mean - height)) / spread)
    rest = mean - height - slope * (week - centre)
    variance = float(np.sum(weight * rest**2)) / (len(week) - 2)
    return slope, float(np.sqrt(variance / spread))


def _direction(low: float, high: float) -> Direction:
    """Name what the whole interval agrees on. A slope too small to notice has no direction, however sure it is."""
    if -TREND.negligible < low and high < TREND.negligible:
        return "steady"
    if low > 0:
        return "rising"
    return "falling" if high < 0 else "unclear"
