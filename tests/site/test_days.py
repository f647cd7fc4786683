"""Days of the site's calendar as moments."""

from datetime import UTC, date, datetime, time, timedelta

from django.utils import timezone

from companion_site.days import end_of, start_of, start_of_today
from tests.cases import cases


@cases(
    ("day", "begins", "hours"),
    [
        (date(2026, 1, 15), datetime(2026, 1, 14, 23, tzinfo=UTC), 24),
        (date(2026, 7, 15), datetime(2026, 7, 14, 22, tzinfo=UTC), 24),
        (date(2026, 3, 29), datetime(2026, 3, 28, 23, tzinfo=UTC), 23),
        (date(2026, 10, 25), datetime(2026, 10, 24, 22, tzinfo=UTC), 25),
    ],
)
def test_a_day_begins_at_midnight_here_and_is_as_long_as_the_clock_makes_it(day, begins, hours):
    """In summer and in winter, and on the days on which the clock is moved; its end is the last moment before the next begins."""
    assert start_of(day) == begins and timezone.localtime(start_of(day)).time() == time.min
    after = start_of(day + timedelta(days=1)).astimezone(UTC)
    assert after - begins == timedelta(hours=hours)
    assert after - end_of(day).astimezone(UTC) == timedelta(microseconds=1)


def test_today_is_the_day_here():
    """Half past midnight here is today, though elsewhere it is still yesterday; days back are days of the calendar."""
    now = datetime(2026, 6, 10, 22, 30, tzinfo=UTC)
    assert start_of_today(now) == datetime(2026, 6, 10, 22, tzinfo=UTC)
    after_the_change = datetime(2026, 3, 30, 12, tzinfo=UTC)
    assert start_of_today(after_the_change, days_ago=2) == datetime(2026, 3, 27, 23, tzinfo=UTC)
