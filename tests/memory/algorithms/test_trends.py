"""Trends claim a direction only where it is sure, and say so where there is too little to tell."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.trends import TREND, Trend, fit_trend, group_by_week
from tests.cases import cases

pytestmark = pytest.mark.spec("G12")


def series(means, *, a_week=3, weight=0.5):
    """Return weeks with these means, the oldest first; None for an empty one."""
    ages, values = [], []
    for week, mean in enumerate(means):
        if mean is not None:
            ages += [7 * (len(means) - 1 - week) + day for day in range(a_week)]
            values += [mean] * a_week
    return group_by_week(ages, values, weights=np.full(len(ages), weight), weeks=len(means))


def simulate(rng, *, slope=0.0, week_sd=0.2, noise_sd=0.4, a_week=5, weeks=8) -> Trend:
    """Return the trend found in weeks that have good and bad days of their own."""
    true = slope * np.arange(weeks) + rng.normal(0, week_sd, weeks)
    week = np.repeat(np.arange(weeks), rng.poisson(a_week, weeks))
    ages = 7 * (weeks - 1 - week) + rng.uniform(0, 7, len(week))
    values = true[week] + rng.normal(0, noise_sd, len(week))
    return fit_trend(group_by_week(ages, values, weights=rng.uniform(0.2, 0.9, len(week)), weeks=weeks))


def test_weeks_hold_weighted_means():
    """Each value counts by its weight in the week of its age; the oldest week comes first."""
    weeks = group_by_week([0, 6.9, 7, 20], [1, 0, -1, 0.5], weights=[1, 3, 1, 2], weeks=3)
    assert weeks.means == pytest.approx([0.5, -1, 0.25])
    assert weeks.counts.tolist() == [1, 1, 2] and weeks.weights == pytest.approx([2, 1, 4])


def test_what_is_too_old_or_lies_ahead_is_left_out():
    """A clock that runs ahead and a month long ago change nothing."""
    weeks = group_by_week([-1, 21, 3], [1, 1, 0.2], weights=[1, 1, 1], weeks=3)
    assert weeks.counts.tolist() == [0, 0, 1] and np.isnan(weeks.means[:2]).all()


def test_a_straight_line_is_found_exactly():
    """Weeks on a line give its slope, and nothing is left unsure."""
    trend = fit_trend(series([-0.6, -0.4, -0.2, 0.0, 0.2, 0.4]))
    assert (trend.slope, trend.low, trend.high) == pytest.approx((0.2, 0.2, 0.2))
    assert trend.direction == "rising"
    assert fit_trend(series([0.4, 0.2, 0.0, -0.2])).direction == "falling"


def test_gaps_keep_their_length():
    """An empty week is a gap of one week, not a missing step."""
    assert fit_trend(series([0.0, None, 0.2, None, 0.4, 0.5])).slope == pytest.approx(0.1)


def test_level_weeks_are_steady_and_wild_ones_unclear():
    """Steady is a claim as well: it needs an interval too narrow for anything anybody would notice."""
    assert fit_trend(series([0.3] * 8)).direction == "steady"
    assert fit_trend(series([0.9, -0.9, 0.8, -0.7, 0.9, -0.8])).direction == "unclear"


def test_three_weeks_are_too_little(subtests):
    """Below the least number of weeks nothing is said and no number is given."""
    for means in [[], [0.5], [0.1, 0.9, 0.5], [None, 0.2, None, 0.4, None, 0.9]]:
        with subtests.test(case=means):
            trend = fit_trend(series(means))
            assert trend.direction == "too_little" and math.isnan(trend.slope) and math.isnan(trend.low)


def test_few_values_are_too_little():
    """Five weeks with one remark each are not enough."""
    assert fit_trend(series([0.1, 0.2, 0.3, 0.4, 0.5], a_week=1)).direction == "too_little"
    assert fit_trend(series([0.1, 0.2, 0.3, 0.4, 0.5], a_week=2)).direction == "rising"


def test_a_direction_is_rarely_claimed_where_there_is_none():
    """Of a thousand series without a trend about one in twenty is called one, as the interval promises."""
    rng = np.random.default_rng(11)
    found = Counter(simulate(rng).direction for _ in range(1000))
    assert found["rising"] + found["falling"] <= 75


@cases("slope", [-0.1, 0.0, 0.05])
@cases("week_sd", [0.0, 0.3])
def test_the_interval_holds_the_true_slope_as_often_as_it_says(slope, week_sd):
    """Nineteen times in twenty, whether weeks have moods of their own or not."""
    rng = np.random.default_rng(12)
    trends = [simulate(rng, slope=slope, week_sd=week_sd) for _ in range(600)]
    held = np.mean([trend.low <= slope <= trend.high for trend in trends])
    assert 0.92 <= held <= 0.98


def test_a_clear_fall_is_found():
    """A student who sinks from bright to dark within eight weeks is seen nearly always."""
    rng = np.random.default_rng(13)
    found = Counter(simulate(rng, slope=-0.15, week_sd=0.1).direction for _ in range(200))
    assert found["falling"] >= 180 and found["rising"] == 0


NUMBERS = st.floats(-1, 1, allow_subnormal=False)


@given(st.lists(st.tuples(st.floats(-10, 100), NUMBERS, st.floats(0, 1, allow_subnormal=False)), max_size=60))
def test_any_series_gives_a_trend_that_agrees_with_itself(rows):
    """Whatever comes in: the slope lies in its interval, and the word follows from the interval."""
    ages, values, weights = (np.array([row[column] for row in rows]) for column in range(3))
    trend = fit_trend(group_by_week(ages, values, weights=weights, weeks=8))
    if trend.direction == "too_little":
        assert math.isnan(trend.slope)
        return
    assert trend.low <= trend.slope <= trend.high
    assert (trend.direction == "rising") <= (trend.low > 0)
    assert (trend.direction == "falling") <= (trend.high < 0)
    assert trend.direction != "steady" or max(-trend.low, trend.high) < TREND.negligible
