"""The measure of a message, and the sentences of it that are kept."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.snr import load_labelled, summarise
from companion_site.embeddings.service import get_embedder
from companion_site.language import sanitise
from memory.algorithms.snr import fit_band, passes
from memory.reading.budget import Allowance
from memory.reading.splitter import LONGEST
from memory.reading.statements import (
    MOST_STATEMENTS,
    as_statement,
    find_gaps,
    find_statements,
    measure,
    points_back,
)
from tests.cases import cases

DATA = Path(__file__).parents[2] / "data"


def said(text, language="en", **options):
    return [one.text for one in find_statements(text, language=language, embedder=get_embedder(), **options)]


def describe(text, language="en"):
    return as_statement(text, language=language, embedder=get_embedder())


@pytest.mark.slow
@pytest.mark.spec("G3")
@cases("language", ["en", "sv"])
def test_labelled_messages_are_stored_and_banded_as_a_person_would(language):
    """In each language at least 85 % are rightly stored or not, and at least 90 % within one band."""
    rows = [row for row in load_labelled() if row["language"] == language]
    _, stored, _, near = summarise(rows)
    assert len(rows) >= 70
    assert stored >= 0.85
    assert near >= 0.9


@pytest.mark.spec("G3")
@cases(
    ("text", "kept"),
    [
        (
            "The Swedes turned me down. But Tromsø said yes!!",
            ["The Swedes turned me down. But Tromsø said yes!!"],
        ),
        ("I'm vegan. I live in Lund.", ["I'm vegan.", "I live in Lund."]),
        ("Hi! I live in Lund.", ["I live in Lund."]),
        ("I live in Lund.\nFarsta.", ["I live in Lund."]),
    ],
)
def test_a_short_sentence_is_kept_with_what_it_leans_on(text, kept):
    """One that says little alone stays with its neighbour on the line; a fact by itself stays alone, and a greeting is no part of any."""
    assert said(text) == kept


@pytest.mark.spec("G3")
def test_examples_of_the_design_are_on_their_side_of_the_bound(subtests):
    """What is learned of somebody is stored however short it is, a greeting or thanks never."""
    rows = [
        ("I find recursion hard, please explain step by step", "en", True),
        ("Jag tycker rekursion är svårt, förklara gärna steg för steg", "sv", True),
        ("I'm vegan", "en", True),
        ("jag är vegan", "sv", True),
        ("Hello", "en", False),
        ("Thanks", "en", False),
        ("Tack!", "sv", False),
        ("Hej", "sv", False),
    ]
    for text, language, stored in rows:
        with subtests.test(text=text, language=language):
            assert bool(said(text, language)) == stored
            ratio = fit_band(measure(text, language=language), kept=stored)
            assert (passes(ratio) > 0) == stored


@cases("text", ["ha", "I am sad. ", "thanks! "])
def test_repetition_within_a_message_adds_nothing(text):
    """Saying it three hundred times is saying it once."""
    assert measure(text * 300, language="en") <= measure(text * 2, language="en") + 20.0


@pytest.mark.spec("G3")
def test_plain_facts_are_kept_and_plain_lines_that_pass_are_not(subtests):
    """As a whole message, in few words, without a question or a reason around it."""
    for language, text, is_kept in (
        ("en", "I love horror films.", True),
        ("en", "My cousin plays the tuba.", True),
        ("en", "I'm scared of wasps.", True),
        ("sv", "Jag har en katt som heter Sixten.", True),
        ("sv", "Min moster bor i Kiruna.", True),
        ("en", "I'm eating.", False),
        ("en", "The lift is broken again.", False),
        ("sv", "Nu ska jag duscha.", False),
        ("sv", "Det snöar här.", False),
    ):
        with subtests.test(case=text):
            assert said(text, language) == ([text] if is_kept else [])


@pytest.mark.spec("G3")
def test_a_message_becomes_its_sentences(subtests):
    """Each sentence that tells something stands alone, whole and word for word, in order; once where it is said twice."""
    rows = [
        (
            "en",
            "Hi! I'm Oskar and I live in Malmö. My sister Anna plays the cello in an orchestra. Thanks!",
            ["I'm Oskar and I live in Malmö.", "My sister Anna plays the cello in an orchestra."],
        ),
        ("sv", "Hej! Jag är livrädd för hästar.\nTack!", ["Jag är livrädd för hästar."]),
        ("en", "I failed the driving test because I ran out of time.", None),
        ("sv", "Om jag vann en miljon skulle jag köpa en båt.", []),
        ("en", "I'm allergic to nuts. I'm allergic to nuts.", ["I'm allergic to nuts."]),
    ]
    for language, text, expected in rows:
        with subtests.test(language=language, text=text):
            assert said(text, language) == ([text] if expected is None else expected)


def test_what_says_nothing_of_the_person_is_left_out(subtests):
    """Greetings, thanks, filler, questions, tasks, code, addresses and quotations are no statements."""
    for language, text in [
        ("en", "Hello"),
        ("en", "ok thanks so much"),
        ("en", "Can you help me with recursion?"),
        ("en", "what is a derivative"),
        ("en", "Explain recursion."),
        ("en", "lol"),
        ("en", "https://example.org/a"),
        ("en", "```python\nx = 1  # I love this\n```"),
        ("en", "> I love cells\n> and membranes"),
        ("en", "👍👍👍"),
        ("en", ""),
        ("sv", "Hej hej!"),
        ("sv", "ok tack så mycket"),
        ("sv", "Kan du hjälpa mig med rekursion?"),
        ("sv", "Vad är en derivata"),
        ("sv", "Förklara rekursion."),
        ("sv", "Jaha, jag förstår."),
    ]:
        with subtests.test(language=language, text=text):
            assert said(text, language) == []


@cases(
    ("text", "points"),
    [
        ("They were stoked for the dinosaur exhibit!", True),
        ("And it's on Friday", True),
        ("Det var på fredagen hon kom", True),
        ("I took the kids to the museum", False),
        ("My sister and I like that band", False),
        ("Jag bor i Lund", False),
        ("", False),
    ],
)
def test_what_begins_with_it_points_back(text, points):
    assert points_back(text) is points


def test_what_stands_for_a_picture_is_no_statement():
    """Words in brackets put in place of something claim nothing; what was said beside them is kept, and a lesson is kept whole."""
    text = "We moved to Lund on Friday. [shares a picture: a photo of my cat on a sofa]"
    assert said(text) == ["We moved to Lund on Friday."]
    assert len(said(text, is_talk=False)) == 2


def test_how_to_be_helped_is_a_procedure(subtests):
    """A request about the manner of help is a preference."""
    for language, text in [
        ("en", "Don't give me the answer straight away."),
        ("sv", "Ge mig inte svaret direkt."),
    ]:
        with subtests.test(language=language, text=text):
            statement = describe(text, language)
            assert statement.modality == "procedural"
            assert statement.salience > 0.382


def test_the_heads_tell_the_labelled_statements():
    """Of the project's own sentences three in four are of the kind they name, and two in three feel as they say; others' lines: docs/algorithms/reading.md."""
    rows = json.loads((DATA / "statements.json").read_text(encoding="utf-8"))
    found = [describe(row["text"], row["language"]) for row in rows]
    signs = {1.0: "positive", -1.0: "negative", 0.0: "neutral"}
    kinds = [s.modality == row["modality"] for s, row in zip(found, rows, strict=True)]
    feelings = [
        signs[float(np.sign(s.valence))] == row["valence"] for s, row in zip(found, rows, strict=True)
    ]
    assert np.mean(kinds) >= 0.75
    assert np.mean(feelings) >= 0.68


@cases(
    ("language", "worse", "better"),
    [
        ("en", "I was scared of the test.", "I was not scared of the test."),
        ("sv", "Jag gillar inte matte.", "Jag gillar matte."),
        ("en", "I am so unhappy at my new school.", "I am so happy at my new school."),
    ],
)
def test_a_negation_turns_the_valence(language, worse, better):
    """Opposites feel different, though an embedder holds them for alike."""
    assert describe(worse, language).valence < describe(better, language).valence


def test_a_negation_elsewhere_turns_nothing():
    """Only a denial close by counts: that nobody knows does not make it good."""
    assert describe("He bullies me and nobody knows.").valence < 0.0


def test_a_hedge_lowers_confidence():
    """What the person is unsure of is held less surely."""
    assert (
        describe("Maybe I will study biology in Uppsala.").confidence
        < describe("I will study biology.").confidence
    )


def test_gaps_hold_the_connectives():
    """What stands between two statements tells how they are connected."""
    text = "I failed my driving test on Monday. So, well: I have to sell my scooter now."
    one, two = describe(text[:35]), describe(text[44:])
    gaps = find_gaps([one, replace(two, start=44, end=len(text))], message=text)
    assert gaps == ["", " So, well"]
    assert find_gaps([], message=text) == []


def test_keeps_what_is_most_worth_keeping_within_the_limit():
    """A long message keeps as many sentences as it may, in their order."""
    text = " ".join(f"My cousin number {n} studies chemistry in Uppsala." for n in range(50))
    kept = said(text)
    assert len(kept) == MOST_STATEMENTS
    assert kept == sorted(kept, key=text.index)
    assert len(said(text, limit=3)) == 3


HOSTILE = [
    "a" * 32_000,
    "." * 32_000 + "x",
    ". " * 16_000,
    " " * 32_000 + "x",
    "\n" * 32_000,
    "`a" * 16_000,
    "```a" * 8_000,
    "<a" * 16_000,
    ">\n" * 16_000,
    "1." * 16_000,
    "a'" * 16_000,
    "a-" * 16_000,
    "x Aa " * 6_400,
    "def " * 8_000,
    "http://" * 4_480,
    "hi, " * 8_000,
    "I am sad but I am ok " * 1_600,
    "{" * 32_000,
    "👍" * 16_000,
    "e.g. " * 6_400,
]


@pytest.mark.slow
def test_a_huge_message_is_read_to_the_end_and_gives_little(subtests):
    """As many characters of one pattern as a message may have are no revelation and leave few, short statements."""
    for number, text in enumerate(HOSTILE):
        language = ("en", "sv")[number % 2]
        with subtests.test(case=text[:6], language=language):
            assert passes(measure(text, language=language)) < 2
            found = said(text, language, allowance=Allowance(1.0))
            assert len(found) <= 8
            assert all(len(one) <= LONGEST for one in found)


FRAGMENTS = st.sampled_from(
    [
        "I ",
        "jag ",
        "am ",
        "är ",
        "not ",
        "inte ",
        "because ",
        "eftersom ",
        ", ",
        ". ",
        "? ",
        "\n",
        "```",
        "`",
        "> ",
        "- ",
        "http://a.b ",
        "Anna ",
        "14 mars ",
        "tack ",
        "hej, ",
        "…",
        "(",
        ")",
        "e.g. ",
        "but ",
        "men ",
        "; ",
        "  ",
        "\t",
        "sad ",
        "ledsen ",
        "'",
        "\u2019s ",
    ]
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.one_of(st.lists(FRAGMENTS, max_size=30).map("".join), st.text(max_size=100)),
    st.sampled_from(["en", "sv"]),
)
def test_every_statement_is_a_span_of_the_message(raw, language):
    """Whatever is said: spans are in order, apart and word for word; values are in their ranges."""
    text = sanitise(raw)
    found = find_statements(text, language=language, embedder=get_embedder())
    previous_end = 0
    for statement in found:
        assert text[statement.start : statement.end] == statement.text
        assert statement.text == statement.text.strip() != ""
        assert previous_end <= statement.start < statement.end
        assert -1.0 <= statement.valence <= 1.0
        assert 0.0 <= statement.salience <= 1.0
        previous_end = statement.end
    assert len(found) <= MOST_STATEMENTS


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(FRAGMENTS, min_size=1, max_size=4).map("".join), st.sampled_from(["en", "sv"]))
def test_no_repeated_pattern_makes_measuring_hang(pattern, language):
    """Any short pattern repeated to twenty thousand characters is measured; backtracking would never come to an end."""
    text = sanitise(pattern * (20_000 // len(pattern)))
    assert measure(text, language=language) >= 0.0
