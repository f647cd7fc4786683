"""Whether statements that shall stand for another one say what it said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.coverage import find_loss, is_grounded
from memory.student.sleep.coverage import read

pytestmark = [pytest.mark.spec("I3")]


def loss(
    item: str, *lines: str, similarity: float = 0.9, in_words: bool = False, language: str = "en"
) -> str:
    told = read(item, language)
    return find_loss(
        list(told.parts),
        [read(line, language) for line in lines],
        [similarity] * len(lines),
        whole=similarity,
        least=0.7,
        in_words=in_words,
    )


def test_what_is_said_in_full_is_covered(subtests):
    """More may be said beside it."""
    for item, line, language in [
        ("I live in Malmö with Aylin.", "I live in Malmö with Aylin and two cats.", "en"),
        ("I scored 18 points.", "On Friday I scored 18 points.", "en"),
        ("I do not understand fractions.", "I do not understand fractions, or percentages.", "en"),
        ("Jag förstår inte bråk.", "Jag förstår inte bråk alls.", "sv"),
    ]:
        with subtests.test(item=item, line=line):
            assert not loss(item, line, language=language, in_words=True)


def test_no_likeness_makes_up_for_what_is_lost(subtests):
    """A name, a number, a date, a denial or a word that is another: alike as they may be, nothing covers it."""
    for item, line, lost in [
        ("I live with Aylin.", "I live with my sister.", "names or numbers"),
        ("I live with Aylin.", "I live with Aylina.", "names or numbers"),
        ("I scored 18 points.", "I scored 180 points.", "names or numbers"),
        ("I have three cats.", "I have four cats.", "names or numbers"),
        ("We meet next week.", "We meet next month.", "names or numbers"),
        ("I do not understand fractions.", "I understand fractions.", "denial"),
        ("I understand fractions.", "I do not understand fractions.", "denial"),
        ("My favourite colour is purple.", "My favourite colour is cyan.", "a word"),
        ("I love the cello.", "I went to a concert in the park.", "words"),
    ]:
        with subtests.test(item=item, line=line):
            assert loss(item, line, similarity=1.0, in_words=True) == lost


def test_values_belong_together_where_they_were_said_together():
    """Two statements with each other's values do not cover what was said."""
    swapped = ("I scored 18 points in Maths.", "I scored 12 points in History.")
    assert loss("I scored 12 points in Maths.", *swapped) == "names or numbers"


def test_what_is_said_in_other_words_needs_likeness():
    """Without its words a memory is covered only where its meaning is near enough."""
    item, line = "The trip made me calm.", "Travelling relaxes me."
    assert not loss(item, line, similarity=0.75)
    assert loss(item, line, similarity=0.65) == "meaning"
    assert loss(item, similarity=0.0) == "meaning"


def test_each_of_several_sentences_counts():
    """A memory of two sentences is not covered by one that says the first."""
    item = "I live with Aylin. I scored 18 points."
    assert loss(item, "I live with Aylin.") == "names or numbers"
    assert not loss(item, "I live with Aylin.", "I scored 18 points.")


def test_nothing_is_invented(subtests):
    """No name, number or date that nobody said, and mostly words that were said."""
    for line, grounded in [
        ("I live with Aylin in Malmö.", True),
        ("I live with Aylin in Lund.", False),
        ("I live with Aylin and 2 cats.", False),
        ("I live with Aylin since last week.", False),
        ("She became an astronaut and conquered several mountains.", False),
    ]:
        with subtests.test(line=line, grounded=grounded):
            members = [read("I live with Aylin.", "en"), read("We rent a flat in Malmö.", "en")]
            assert is_grounded(read(line, "en"), members) is grounded


WORDS = [
    "I",
    "my",
    "sister",
    "Aylin",
    "Malmö",
    "not",
    "never",
    "18",
    "three",
    "Friday",
    "love",
    "hate",
    "maths",
    ",",
    ".",
    "-",
    "!",
    "cats",
]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=15).map(" ".join)


@given(SENTENCES)
def test_a_statement_covers_itself(text):
    """Whatever is said word for word is covered, whatever its likeness."""
    assert not loss(text, text, similarity=0.0, in_words=True)
