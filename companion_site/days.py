"""Days of the site's calendar as moments: when one begins here, when it ends, and a time of it.

A day is one of the time zone that Django has as the current one. Where a clock that is put back shows a time twice, the
first is meant; a time that it jumps over is counted as if it had not.
"""

from datetime import date, datetime, time, timedelta

from django.utils import timezone


def moment_of(day: date, clock: time) -> datetime:
    """Return the moment at which the clock here shows a time on a day."""
    return timezone.make_aware(datetime.combine(day, clock))


def start_of(day: date) -> datetime:
    """Return the moment in which a day begins."""
    return moment_of(day, time.min)


def end_of(day: date) -> datetime:
    """Return the last moment of a day: what happened on it counts."""
    return moment_of(day, time.max)


def start_of_today(now: datetime, *, days_ago: int = 0) -> datetime:
    """Return the moment in which the day of `now` began, or the day so many days before it."""
    return start_of(timezone.localdate(now) - timedelta(days=days_ago))
