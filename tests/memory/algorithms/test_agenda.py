"""What comes up within a time that is asked for."""

from datetime import UTC, date, datetime

from memory.algorithms.reminders import day_within, span_asked_for
from tests.cases import cases

#: a Wednesday
NOW = datetime(2026, 10, 14, 17, 20, tzinfo=UTC)


@cases(
    ("question", "language", "first", "last"),
    [
        ("What's coming up this week?", "en", 14, 18),
        ("Vad händer den här veckan?", "sv", 14, 18),
        ("What is happening next week?", "en", 19, 25),
        ("Vad händer nästa vecka?", "sv", 19, 25),
        ("What is coming up tomorrow?", "en", 15, 15),
        ("Vad har jag framför mig på fredag?", "sv", 16, 16),
        ("What is coming up?", "en", 14, 21),
    ],
)
def test_a_question_names_its_days(question, language, first, last):
    """Never one that lies behind; without a time the next seven."""
    assert span_asked_for(question, language=language, now=NOW) == (
        date(2026, 10, first),
        date(2026, 10, last),
    )


def test_at_the_weekend_this_week_goes_on():
    """On a Saturday and a Sunday the next seven days are asked for as well; "today" and "next week" are what they are."""
    sunday = datetime(2026, 10, 18, 9, tzinfo=UTC)
    for question, first, last in [
        ("What's coming up this week?", 18, 25),
        ("Vad händer i veckan?", 18, 25),
        ("What is on today?", 18, 18),
        ("What is happening next week?", 19, 25),
    ]:
        assert span_asked_for(question, language="sv" if "Vad" in question else "en", now=sunday) == (
            date(2026, 10, first),
            date(2026, 10, last),
        )


@cases(
    ("text", "language", "said", "day"),
    [
        ("orthodontist again on friday 16 october", "en", 5, 16),
        ("tandläkaren på fredag 16 oktober kl 10", "sv", 6, 16),
        ("Tomorrow I have the dentist", "en", 14, 15),
        ("Tomorrow I have the dentist", "en", 12, None),
        ("judo on wednesdays", "en", 5, None),
        ("german oral is on 19 october", "en", 5, None),
        ("I like green tea", "en", 5, None),
    ],
)
def test_a_text_falls_within_them_as_it_was_said(text, language, said, day):
    """ "Tomorrow" is told from the day it was said; what comes again and again is no day."""
    found = day_within(
        text,
        language=language,
        said_at=datetime(2026, 10, said, 12, tzinfo=UTC),
        span=(date(2026, 10, 14), date(2026, 10, 18)),
    )
    assert found == (date(2026, 10, day) if day else None)
