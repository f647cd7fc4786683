"""When something comes up, as it was said."""

from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.reminders import Coming, read_coming

pytestmark = [pytest.mark.spec("L2")]

WEDNESDAY = datetime(2026, 3, 4, 10)


def read(text: str, language: str = "en", at: datetime = WEDNESDAY) -> Coming:
    return read_coming(text, language=language, said_at=at)


def test_a_coming_day(subtests):
    """Days are the next ones; what is over and what is no day is none."""
    for text, language, day in [
        ("tomorrow", "en", date(2026, 3, 5)),
        ("i övermorgon", "sv", date(2026, 3, 6)),
        ("on Friday", "en", date(2026, 3, 6)),
        ("on Wednesday", "en", date(2026, 3, 11)),
        ("next Friday", "en", date(2026, 3, 13)),
        ("nästa måndag", "sv", date(2026, 3, 9)),
        ("12 February", "en", date(2027, 2, 12)),
        ("den 29 februari", "sv", date(2028, 2, 29)),
        ("on the 31st", "en", date(2026, 3, 31)),
        ("den 3:e", "sv", date(2026, 4, 3)),
        ("12/5", "sv", date(2026, 5, 12)),
        ("12/5", "en", None),
        ("in three weeks", "en", date(2026, 3, 25)),
        ("om en månad", "sv", date(2026, 4, 4)),
        ("nästa helg", "sv", date(2026, 3, 14)),
        ("this weekend", "en", date(2026, 3, 7)),
        ("last Friday", "en", None),
        ("i fredags", "sv", None),
        ("förra fredagen", "sv", None),
        ("2026-04-01", "en", date(2026, 4, 1)),
        ("31 February", "en", None),
        ("on the last Monday of the month", "en", date(2026, 3, 30)),
        ("den sista måndagen i månaden", "sv", date(2026, 3, 30)),
        ("the first Monday of the month", "en", date(2026, 4, 6)),
        ("första måndagen i nästa månad", "sv", date(2026, 4, 6)),
    ]:
        with subtests.test(text=text, language=language):
            assert read(f"it is {text}", language).on == day


def test_a_month_ahead_of_its_last_day_is_the_last_day():
    """In a month from the 31st of January is the 28th of February."""
    assert read("in one month", at=datetime(2026, 1, 31)).on == date(2026, 2, 28)


def test_times_of_day(subtests):
    """Halves of the day are told by the words beside an hour; a count is no time."""
    for text, language, times in [
        ("at 3 pm", "en", [time(15)]),
        ("at 3", "en", [time(15)]),
        ("at 8 in the morning and 8 in the evening", "en", [time(8), time(20)]),
        ("at 06:40", "en", [time(6, 40)]),
        ("at quarter to five", "en", [time(16, 45)]),
        ("at noon", "en", [time(12)]),
        ("at two hospitals", "en", []),
        ("it costs 3.50 kr", "en", []),
        ("klockan 20", "sv", [time(20)]),
        ("halv sju på morgonen", "sv", [time(6, 30)]),
        ("kvart i tre", "sv", [time(14, 45)]),
        ("klockan tio ikväll", "sv", [time(22)]),
        ("vid tre sjukhus", "sv", []),
    ]:
        with subtests.test(text=text, language=language):
            assert list(read(f"it is {text}", language).at) == times


def test_what_comes_again(subtests):
    """Weekdays and rhythms; what comes again has no one day."""
    for text, language, weekdays, every in [
        ("every Tuesday and Thursday", "en", {1, 3}, "week"),
        ("every other Saturday", "en", {5}, "2 weeks"),
        ("on Mondays", "en", {0}, "week"),
        ("twice a day", "en", set(), "day"),
        ("every six hours", "en", set(), "6 hours"),
        ("on weekdays", "en", {0, 1, 2, 3, 4}, None),
        ("varje tisdagskväll", "sv", {1}, "week"),
        ("varannan vecka", "sv", set(), "2 weeks"),
        ("en gång i månaden", "sv", set(), "month"),
        ("på kvällarna", "sv", set(), "day"),
        ("every time", "en", set(), None),
        ("två i natt", "sv", set(), None),
    ]:
        with subtests.test(text=text, language=language):
            found = read(f"it is {text}", language)
            assert (set(found.weekdays), found.every) == (weekdays, every)
            assert not (found.is_recurring and found.on)


@given(st.text(max_size=80), st.sampled_from(["en", "sv"]))
def test_no_text_is_too_strange(text, language):
    """Whatever is said, it is read; what comes again has no one day, and times are in order."""
    found = read(text, language)
    assert not (found.is_recurring and found.on)
    assert list(found.at) == sorted(found.at)
