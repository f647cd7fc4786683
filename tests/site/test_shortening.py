"""Texts cut to their place."""

from hypothesis import given
from hypothesis import strategies as st

from companion_site.shortening import shorten


@given(st.text(), st.integers(2, 60))
def test_a_shortened_text_is_as_long_as_allowed_at_most(text, most):
    """Whatever it holds; and what fits is only put on one line."""
    line = " ".join(text.split())
    short = shorten(text, most)
    assert len(short) <= most and "\n" not in short
    assert (short == line) == (len(line) <= most) or line.startswith(short.rstrip("…"))
