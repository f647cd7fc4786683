"""Statements in fewer of the person's own words."""

import re
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.student.sleep.condensation import drop_talk, shorten
from memory.student.sleep.small_talk import is_talk

pytestmark = [pytest.mark.spec("I2")]


def condense(text: str, *, names: Collection[str] = ()) -> list[str]:
    return [shorten(clause) for clause in drop_talk(text, names=names)]


def test_what_carries_nothing_goes(subtests):
    """Greetings, openings, praise and intensifiers go; names, numbers, dates, denials and hard words stay."""
    for text, condensed in [
        ("Hey Melanie! I really love my new school.", ["I love my new school."]),
        ("Wow, I just got 18 points, it was so cool!", ["I got 18 points"]),
        ("I moved from my home country, Sweden.", ["I moved from my home country, Sweden."]),
        ("Well, you know I can't do fractions.", ["I can't do fractions."]),
        ("I don't really like maths.", ["I don't really like maths."]),
        ("It was hard.", ["It was hard."]),
        (
            "I went to a parade last Friday and it was awesome - so much love.",
            ["I went to a parade last Friday", "so much love."],
        ),
        ("Mr. Berg teaches us physics, right?", ["Mr. Berg teaches us physics"]),
        ("When I saw it, it was great.", ["When I saw it, it was great."]),
        ("Hej! Tack för hjälpen, jag klarade faktiskt provet i går!", ["jag klarade provet i går!"]),
        ("Jag tycker inte riktigt om matte, eller hur?", ["Jag tycker inte riktigt om matte"]),
        ("Det var svårt.", ["Det var svårt."]),
        ("[shares a picture: a photo of a dog on a hill]", ["[picture: dog on a hill]"]),
    ]:
        with subtests.test(text=text, condensed=condensed):
            assert condense(text, names={"Melanie"}) == condensed


def test_talk_says_nothing(subtests):
    """What only greets, thanks, praises or wishes well leaves nothing."""
    for text in [
        "Thanks so much for the help!",
        "That's so cool, Caroline!",
        "I'm so happy for you!",
        "See you tomorrow!",
        "Wow, that sounds great!",
        "Good luck with the exam!",
        "How are you?",
        "It was awesome!",
        "Long time no see!",
        "That photo is stunning!",
        "Those pictures look amazing.",
        "Such a gorgeous piece!",
        "I feel the same way.",
        "We got this!",
        "It was enlightening.",
        "You're gonna make a huge difference!",
        "Take a look at this place.",
        "Vilken fin bild!",
        "Jag känner likadant.",
        "Tack så mycket!",
        "Vad roligt!",
        "Det var jättekul!",
        "Lycka till på provet!",
        "Vi ses i morgon!",
        "Precis!",
    ]:
        with subtests.test(case=text):
            assert condense(text) == []


def test_what_tells_something_is_no_talk(subtests):
    """Nothing that tells of the person, in however few words, is taken for talk."""
    for text in [
        "I understand fractions.",
        "I'm proud of my essay.",
        "My dog died.",
        "I love maths.",
        "She is ill.",
        "I hope to become a vet.",
        "That exam was fun.",
        "I feel the same way about maths.",
        "We got this dog in May.",
        "I make a huge difference at work.",
        "Take a look at my essay.",
        "Jag känner likadant för matte.",
        "You should explain it step by step.",
        "I agree to meet Anna on Friday.",
        "I'm glad I passed.",
        "No, I failed.",
        "Jag förstår bråk.",
        "Jag är stolt över min uppsats.",
        "Min hund dog.",
        "Jag hoppas bli veterinär.",
        "Jag är glad att jag klarade det.",
        "Förklara steg för steg.",
        "Hon är sjuk.",
        "Jag heter Bo.",
    ]:
        with subtests.test(case=text):
            assert not is_talk(text)
            assert condense(text)


WORDS = st.sampled_from(
    [
        "I",
        "you",
        "it",
        "was",
        "is",
        "so",
        "really",
        "not",
        "never",
        "maths",
        "Anna",
        "18",
        "Friday",
        "great",
        "awesome",
        "thanks",
        "hey",
        "and",
        "but",
        ",",
        ".",
        "!",
        "?",
        "-",
        "jag",
        "inte",
        "det",
        "var",
        "kul",
        "tack",
    ]
)


@given(st.lists(WORDS, max_size=25).map(" ".join))
def test_condensing_adds_no_word_and_keeps_the_order(text):
    """Whatever is said, what is left was said, in that order."""
    rest = iter(re.findall(r"\w+", text.casefold()))
    left = re.findall(r"\w+", " ".join(condense(text)).casefold())
    assert all(word in rest for word in left)


@given(st.text(max_size=300))
def test_any_text_can_be_condensed(text):
    """No text breaks it, and what was condensed does not grow."""
    assert len(" ".join(condense(text))) <= len(text)


def test_a_long_text_is_condensed_without_backtracking(subtests):
    """A message of thousands of characters is read in one pass."""
    for piece in ["so ", "really very ", ", it was great", "and it ", "Thanks, ", "a. ", "haha", "- "]:
        with subtests.test(case=piece):
            condense(piece * 2000)
