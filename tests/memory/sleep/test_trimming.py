"""Clauses cut down to the part that tells most."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.sleep.covering import read
from memory.sleep.trimming import trim

pytestmark = [pytest.mark.spec("I2", "I3")]


def cut(clause: str, language: str = "en") -> str:
    return trim(clause, read=lambda text: read(text, language))


@pytest.mark.parametrize(
    ("language", "clause", "trimmed"),
    [
        (
            "en",
            "Oscar chewed through the garden hose, which was a bit of a thing for all of us.",
            "Oscar chewed through the garden hose…",
        ),
        ("en", "I was at home and I finished another watercolour painting.", "…I finished another watercolour painting."),
        ("en", "The behaviorist suggested new routines for the dogs in the next weeks or so.", "The behaviorist suggested new routines…"),
        ("en", "[picture: woman kneeling beside a labrador in the park]", "[picture: woman kneeling beside labrador…]"),
        ("sv", "Hunden åt upp trädgårdsslangen, som var en sak för oss alla.", "Hunden åt upp trädgårdsslangen…"),
        ("sv", "Jag var hemma och jag målade klart akvarellen.", "…jag målade klart akvarellen."),
    ],
)  # fmt: skip
def test_what_tells_least_is_left_out(language, clause, trimmed):
    """A tail or a clause beside the point goes, and dots say so."""
    assert cut(clause, language) == trimmed


@pytest.mark.parametrize(
    ("language", "clause"),
    [
        # a denial, a condition, a limit, a contrast
        ("en", "I did not pass chemistry in the end, which was a bit of a thing for all of us."),
        ("en", "I would move to another city if I passed the entrance examination for medicine."),
        ("en", "I wanted to sit the examination but I was ill with a fever."),
        ("en", "I can only concentrate on trigonometry in the morning with headphones on."),
        ("en", "I won the lottery in my dream."),
        ("en", "I almost fainted in the corridor at school in the morning."),
        ("sv", "Jag klarade inte kemin till slut, vilket var en sak för oss alla."),
        ("sv", "Jag skulle flytta om jag klarade intagningsprovet till läkarlinjen."),
        ("sv", "Jag ville skriva provet men jag låg hemma med feber."),
        # whom, what of and when: what carries as much as the rest
        ("en", "I get anxious in exams."),
        ("en", "I struggle with fractions."),
        ("en", "I hate people who lie."),
        ("en", "I feel stupid when the teacher asks me."),
        ("sv", "Jag blir nervös när läraren frågar mig."),
        ("sv", "Jag kämpar med bråk."),
        # names, numbers and dates
        ("en", "I scored 12 points on the maths test."),
        ("sv", "I går fick jag 18 poäng på matteprovet."),
        ("en", "I had a quiet time at home with all of the others from Gothenburg on 3 May."),
        ("sv", "Jag hade det lugnt hemma med alla de andra från Göteborg den 3 maj."),
    ],
)
def test_what_would_turn_the_meaning_stays(language, clause):
    """Nothing is cut off that denies, limits or names what the rest is about."""
    assert cut(clause, language) == clause


@pytest.mark.parametrize(
    ("language", "clause"),
    [
        ("en", "My mother thinks I was out late and I cheated in the chemistry examination."),
        ("en", "She said it was all fine and I smashed the laboratory window."),
        ("sv", "Mamma tror att jag var ute och jag fuskade på kemiprovet."),
    ],
)
def test_what_others_say_is_never_put_into_one_s_own_mouth(language, clause):
    """What hangs on saying or believing keeps its beginning."""
    assert not cut(clause, language).startswith("…")


WORDS = st.sampled_from(
    [
        "I",
        "my",
        "she",
        "and",
        "so",
        "because",
        "when",
        "which",
        "in",
        "on",
        "with",
        "for",
        "the",
        "a",
        "Anna",
        "18",
        "Friday",
        "not",
        "if",
        "chemistry",
        "watercolour",
        "dog",
        "school",
        "failed",
        ",",
        ".",
        "!",
        "?",
        "-",
        "…",
        "[picture:",
        "]",
        "jag",
        "och",
        "när",
        "som",
        "i",
        "på",
        "med",
        "inte",
        "kemi",
    ]
)


@given(st.lists(WORDS, max_size=25).map(" ".join))
def test_trimming_adds_no_word_and_keeps_names_numbers_and_denials(clause):
    """Whatever is said: what is left was said, in that order, with every name, number, date and denial."""
    before, after = read(clause, "en"), read(cut(clause), "en")
    rest = iter(re.findall(r"\w+", clause.casefold()))
    assert all(word in rest for word in re.findall(r"\w+", cut(clause).casefold()))
    assert after.holds(before.literal)
    assert before.is_denied == after.is_denied


@pytest.mark.parametrize("piece", ["and I ", ", which ", "in the ", "… ", "when, "])
def test_a_long_clause_is_trimmed_in_no_time(piece):
    """A clause without end is left as it is."""
    assert cut(piece * 500) == piece * 500
