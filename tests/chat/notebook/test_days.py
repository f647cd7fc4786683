"""Questions for the calendar are answered from the person's own day; others are left alone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from chat.notebook.days import find_day
from tests.cases import cases

#: a Tuesday
NOW = datetime(2026, 11, 24, 14, 5, tzinfo=ZoneInfo("Europe/Stockholm"))

ANSWERED = [
    ("en", "What weekday is 6 June 2027?", "That is Sunday 6 June 2027."),
    ("sv", "Vilken veckodag är den 6 juni 2027?", "Det är söndag 6 juni 2027."),
    ("en", "What day is it today?", "Today is Tuesday 24 November."),
    ("sv", "Vad är det för dag idag?", "I dag är det tisdag 24 november."),
    ("sv", "vilket datum är det om tre veckor", "Det är tisdag 15 december."),
    ("en", "What's the date in 45 days?", "That is Friday 8 January 2027."),
    (
        "en",
        "how many days until 24 December?",
        "It is 30 days (4 weeks and 2 days) until Thursday 24 December.",
    ),
    ("sv", "Hur många dagar är det kvar till den 1 december?", "Det är 7 dagar till tisdag 1 december."),
    (
        "en",
        "How many days are there between 1 March 2027 and 8 March 2027?",
        "From Monday 1 March 2027 to Monday 8 March 2027 it is 7 days.",
    ),
    (
        "en",
        "how many days between 1 November and 1 December?",
        "From Sunday 1 November to Tuesday 1 December it is 30 days (4 weeks and 2 days).",
    ),
    (
        "sv",
        "hur många dagar är det mellan 20 december och 5 januari",
        "Från söndag 20 december till tisdag 5 januari 2027 är det 16 dagar (2 veckor och 2 dagar).",
    ),
    ("sv", "vilken vecka är det den 6 juni 2027", "Söndag 6 juni 2027 är i vecka 22."),
    ("sv", "Vad är klockan?", "Klockan är 14:05."),
    ("en", "what time is it", "It is 14:05."),
    ("sv", "Vilken vecka är det?", "Tisdag 24 november är i vecka 48."),
    ("sv", "Hur länge är det till 2026-11-20?", "Fredag 20 november var för 4 dagar sedan."),
]
LEFT_ALONE = [
    "What day is my maths exam?",
    "How long have you known me?",
    "hur många dagar har jag tränat",
    "My exam is on 9 June.",
    "What is the time of my exam?",
    "what time is it at your place on Mars",
    "Which week is my exam?",
    "Vilken vecka har jag prov?",
    "Vilken dag är det gympa?",
    "How many days have I been ill since 20 November?",
    "How many days until my exam?",
    "What day did I say we would meet?",
    "30 February, what a day",
    "",
]


@cases(("language", "text", "told"), ANSWERED)
def test_days_are_told(language, text, told):
    """The answer names the day in full, and the year where it is another."""
    found = find_day(text, language=language, now=NOW)
    assert found is not None and found.write(language) == told


def test_what_the_calendar_cannot_know_is_left_alone():
    """What hangs on something remembered, or asks for nothing, is none of the calendar's."""
    taken = {
        text: found for text in LEFT_ALONE if (found := find_day(text, language="sv", now=NOW)) is not None
    }
    assert taken == {}
