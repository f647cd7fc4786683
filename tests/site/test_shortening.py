"""Texts cut to their place."""

from hypothesis import given
from hypothesis import strategies as st

from companion_site.shortening import shorten
from tests.cases import cases


@cases(
    ("text", "most", "shortened"),
    [
        ("", 5, ""),
        ("  one\n\n two ", 7, "one two"),
        ("one two three", 12, "one two…"),
        ("one two three", 8, "one two…"),
        ("one two, three", 10, "one two…"),
        ("a " + "b" * 50, 20, "a " + "b" * 17 + "…"),
        ("x" * 50, 20, "x" * 19 + "…"),
    ],
)
def test_a_text_is_shortened_at_a_word(text, most, shortened):
    """On one line; where the last word would take half of the room with it, in the middle of that."""
    assert shorten(text, most) == shortened


@given(st.text(), st.integers(2, 60))
def test_a_shortened_text_is_as_long_as_allowed_at_most(text, most):
    """Whatever it holds; and what fits is only put on one line."""
    line = " ".join(text.split())
    short = shorten(text, most)
    assert len(short) <= most and "\n" not in short
    assert (short == line) == (len(line) <= most) or line.startswith(short.rstrip("…"))
