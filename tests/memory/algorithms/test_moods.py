"""Days as the mean of their moods, and a decline only where day after day is lower."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.moods import FeltAt, count_declining, mean_days

pytestmark = pytest.mark.spec("L2")

MONDAY = date(2026, 3, 2)
valences = st.lists(st.floats(-1, 1), max_size=20)


def felt(valence, *, day=MONDAY, emotion="joy", is_told=False):
    return FeltAt(day=day, valence=valence, emotion=emotion, is_told=is_told)


def test_day_is_the_mean_of_its_moods():
    """No single mood is a day."""
    (day,) = mean_days([felt(0.8), felt(0.2), felt(-0.4)])
    assert (day.valence, day.count) == (0.2, 3)


def test_what_was_told_outweighs_what_was_read():
    """How somebody says that they feel is how they feel."""
    (day,) = mean_days([felt(-0.8, emotion="sadness"), felt(0.5, emotion="calm", is_told=True)])
    assert (day.valence, day.emotion) == (0.5, "calm")


def test_emotion_of_a_day_is_the_most_named_and_of_two_alike_the_later():
    """A tie goes to how the day ended."""
    (day,) = mean_days([felt(0.5, emotion=name) for name in ("joy", "calm", "joy", "calm")])
    assert day.emotion == "calm"


def test_days_come_in_order_whatever_the_order_of_moods():
    """The oldest day is first."""
    moods = [felt(0.1, day=MONDAY + timedelta(days=number)) for number in (2, 0, 1)]
    assert [day.day for day in mean_days(moods)] == [MONDAY + timedelta(days=number) for number in range(3)]


def test_decline_counts_the_last_days_each_lower_than_the_one_before(subtests):
    """An equal day ends it as a better one does."""
    for days, count in [
        ([], 0),
        ([0.5], 0),
        ([0.5, 0.4], 1),
        ([0.5, 0.4, 0.3, 0.2], 3),
        ([0.1, 0.5, 0.4], 1),
        ([0.5, 0.4, 0.4], 0),
    ]:
        with subtests.test(days=days, count=count):
            assert count_declining(days) == count


def test_difference_too_small_to_mean_anything_is_no_decline():
    """Hundredths are noise of reading, not of living."""
    assert count_declining([0.50, 0.49, 0.48, 0.47]) == 0


@given(valences)
def test_decline_is_never_longer_than_the_days_and_ends_with_a_better_day(days):
    """Holds for whatever days there are."""
    assert 0 <= count_declining(days) <= max(0, len(days) - 1)
    assert count_declining([*days, 1.0]) == 0 or not days
