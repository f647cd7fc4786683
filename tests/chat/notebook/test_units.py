"""Measures are told in the unit that was asked for; what cannot be compared is left alone."""

from chat.notebook.units import find_conversion
from tests.cases import cases

CONVERTED = [
    ("en", "What is 3 miles in km?", "3 miles = 4.828 km"),
    ("sv", "hur många meter är 2,5 km", "2,5 km = 2 500 meter"),
    ("sv", "Hur många km är 3 mil?", "3 mil = 30 km"),
    ("en", "convert 20 celsius to fahrenheit", "20 celsius = 68 fahrenheit"),
    ("sv", "vad är 100 fahrenheit i celsius", "100 fahrenheit = 37,7778 celsius"),
    ("en", "how many minutes are there in 2.5 hours", "2.5 hours = 150 minutes"),
    ("sv", "hur många sekunder går det på en timme?", "1 timme = 3 600 sekunder"),
    ("en", "90 km/h in m/s", "90 km/h = 25 m/s"),
    ("sv", "vad är 3 dl i ml", "3 dl = 300 ml"),
    ("en", "-40 fahrenheit to celsius", "-40 fahrenheit = -40 celsius"),
]
LEFT_ALONE = [
    "I ran 5 km in 30 minutes.",
    "how many kg are in 3 metres",
    "we drive 3 miles to school",
    "I have been here 2 hours in a day",
    "",
    "9" * 400 + " km in m",
]


@cases(("language", "text", "told"), CONVERTED)
def test_measures_are_converted(language, text, told):
    """Both units are told as they were written."""
    found = find_conversion(text, language)
    assert found is not None and found.write(language) == told


def test_what_is_no_conversion_is_left_alone():
    """Times over distances, lengths in masses and plain stories are none."""
    taken = {text: found for text in LEFT_ALONE if (found := find_conversion(text, "en")) is not None}
    assert list(taken) == []
