"""Moods over days, and when they decline. Pure.

A day's mood is the mean of its moods; what somebody told themselves outweighs what was read from their messages, so on a day
with both only what was told counts. A day without a mood is left out: it neither breaks a decline nor makes one. A day counts as
declining when it is lower than the day with a mood before it by more than `LEAST_STEP`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from statistics import fmean

#: less is no difference between two days
LEAST_STEP = 0.02


@dataclass(frozen=True, kw_only=True)
class FeltAt:
    """One mood.

    Attributes:
        day: where the person lives.
        valence: -1 to 1.
        emotion: its name.
        is_told: by the person themselves.
    """

    day: date
    valence: float
    emotion: str
    is_told: bool


@dataclass(frozen=True, kw_only=True)
class MeanDay:
    """A day with a mood: the mean, -1 to 1, the most named emotion (the later one of two alike), and of how many."""

    day: date
    valence: float
    emotion: str
    count: int


def mean_days(moods: Sequence[FeltAt]) -> list[MeanDay]:
    """Return the days that have a mood, the oldest first.

    Args:
        moods: in the order in which they were felt.
    """
    ordered = sorted(moods, key=lambda mood: mood.day)
    return [_mean_day(day, list(group)) for day, group in groupby(ordered, key=lambda mood: mood.day)]


def count_declining(valences: Sequence[float]) -> int:
    """Return how many of the last days were each lower than the one before."""
    count = 0
    for earlier, later in pairwise(valences):
        # The difference of two means is seldom exact: .3 - .28 is a little less than .02.
        count = count + 1 if earlier - later > LEAST_STEP + 1e-9 else 0
    return count


def _mean_day(day: date, moods: list[FeltAt]) -> MeanDay:
    told = [mood for mood in moods if mood.is_told] or moods
    named = Counter(mood.emotion for mood in told)
    latest = {mood.emotion: place for place, mood in enumerate(told)}
    return MeanDay(
        day=day,
        valence=round(fmean(mood.valence for mood in told), 3),
        emotion=max(named, key=lambda emotion: (named[emotion], latest[emotion])),
        count=len(moods),
    )
