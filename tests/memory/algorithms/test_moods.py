"""Days as the mean of their moods, and a decline only where day after day is lower."""

from datetime import date, timedelta

import pytest

from memory.algorithms.moods import FeltAt, count_declining, mean_days

pytestmark = pytest.mark.spec("L2")

MONDAY = date(2026, 3, 2)


def felt(valence, *, day=MONDAY, emotion="joy", is_told=False):
    return FeltAt(day=day, valence=valence, emotion=emotion, is_told=is_told)


def test_what_was_told_outweighs_what_was_read():
    """A day is the mean of its moods; how somebody says that they feel is how they feel."""
    (day,) = mean_days([felt(-0.8, emotion="sadness"), felt(0.2, emotion="sadness")])
    assert (day.valence, day.count) == (-0.3, 2)
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
    """An equal day ends it as a better one does, and so little is no difference."""
    for days, count in [
        ([], 0),
        ([0.5], 0),
        ([0.5, 0.4], 1),
        ([0.5, 0.4, 0.3, 0.2], 3),
        ([0.1, 0.5, 0.4], 1),
        ([0.5, 0.4, 0.4], 0),
        ([0.50, 0.49, 0.48, 0.47], 0),  # hundredths are noise of reading
    ]:
        with subtests.test(days=days, count=count):
            assert count_declining(days) == count
