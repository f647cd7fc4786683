"""A message is worked out where it asks for something exact; what only tells numbers is left to the conversation."""

from datetime import UTC, datetime

from chat.notebook.calculator import calculate

NOW = datetime(2026, 11, 24, 14, 5, tzinfo=UTC)


def test_each_kind_is_answered():
    """Days, measures and sums each have their line."""
    assert calculate("What is 17 times 6?", language="en", now=NOW) == "17 * 6 = 102"
    assert calculate("what day is it?", language="en", now=NOW) == "Today is Tuesday 24 November."
    assert calculate("3 mil i km?", language="sv", now=NOW) == "3 mil = 30 km"


def test_a_story_with_numbers_is_no_sum():
    """What somebody tells is not answered by a sum, however many signs stand in it."""
    told = [
        "We trained 20 + 30 minutes and then my brother Noah and I ate.",
        "I paid 50 - 10 kronor for the ticket to the game yesterday.",
        "x" * 400 + " 2 + 2?",
        "",
        "hello",
    ]
    assert [text for text in told if calculate(text, language="en", now=NOW)] == []
