"""Language, words and their information, and what is cleaned from a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_site import language as lang
from tests.cases import cases


@cases(
    ("text", "expected"),
    [
        ("I find recursion hard, please explain", "en"),
        ("Jag tycker rekursion är svårt, förklara gärna", "sv"),
        ("Min bror Elias bor i Umeå.", "sv"),
        ("My sister Anna lives in Lund.", "en"),
        ("My name is Oskar and I'm from Malmö.", "en"),
        ("Who is the CEO?", "en"),
        ("Vad är det?", "sv"),
    ],
)
@cases("default", ["en", "sv"])
def test_detects_the_language_of_a_sentence(text, expected, default):
    """A sentence's own language wins over the default."""
    assert lang.detect_language(text, default=default) == expected


@cases("text", ["", "ok", "typ", "😂😂😂", "12345678901234567890"])
@cases("default", ["en", "sv"])
def test_falls_back_to_the_default_where_there_is_too_little(text, default):
    """A short text, or one without letters, is taken to be in the person's language."""
    assert lang.detect_language(text, default=default) == default


def test_query_and_memory_in_one_language_share_terms():
    """Inflected forms of a word meet in the index."""
    assert set(lang.tokens("explaining steps", "en")) & set(lang.tokens("explained a step", "en")) >= {
        "explain",
        "step",
    }
    assert set(lang.tokens("uppgifterna", "sv")) & set(lang.tokens("en uppgift", "sv"))


def test_rare_words_hold_more_information_than_common_ones():
    """Information is -log2 of the frequency in the language asked for."""
    the, step, recursion = lang.word_information(["the", "step", "recursion"], "en")
    assert 3.0 < the < 6.0 < step < recursion < 27.0
    hej_sv, hej_en = (lang.word_information(["hej", "and", "och"], code)[0] for code in ("sv", "en"))
    assert hej_sv < hej_en


@pytest.mark.spec("G3")
def test_gibberish_holds_no_information_and_an_unknown_word_among_known_ones_some():
    """What is in no list counts only as far as the words around it are language."""
    assert lang.word_information(["bkrgf", "wqxzt", "plmvd"], "en").sum() == 0.0
    among_known = lang.word_information(["my", "bkrgf", "is", "broken"], "en")
    assert among_known[1] == lang.UNKNOWN_BITS


@cases(
    ("dirty", "clean"),
    [
        ("a\x00b\x07c", "abc"),
        ("a\ud800b", "ab"),
        ("\ud83d\ude00", "😀"),
        ("one\r\ntwo\rthree\u2028four\x85five", "one\ntwo\nthree\nfour\nfive"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("pass\u200bword\ufeff\u2060", "password"),
        ("in\u200dvisible", "invisible"),
        ("hidden\U000e0041\U000e0042", "hidden"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("tab\there", "tab\there"),
    ],
)
def test_sanitise_removes_what_cannot_be_seen(dirty, clean):
    """Controls, lone surrogates and invisible characters go; what a person typed stays."""
    assert lang.sanitise(dirty) == clean


@given(st.text(st.characters(), max_size=200))
def test_sanitised_text_can_be_stored_and_is_stable(text):
    """The result encodes as UTF-8, has no NUL or carriage return, and is its own result."""
    clean = lang.sanitise(text)
    clean.encode("utf-8")
    assert "\x00" not in clean
    assert "\r" not in clean
    assert lang.sanitise(clean) == clean


@cases(
    ("text", "names"),
    [
        ("My sister Anna lives in Lund.", ["Anna", "Lund"]),
        ("I finished Animal Farm with Karin's help. Then I slept.", ["Animal Farm", "Karin"]),
        ("On Monday in March I go home", []),
        ("I HATE MATHS SO MUCH", []),
        ("jag bor i lund", []),
        ("Jag läser Doktor Glas i Umeå", ["Doktor Glas", "Umeå"]),
        ("The consultant is Dr. Wekesa. She asks a lot", ["Wekesa"]),
    ],
)
def test_finds_names_inside_sentences(text, names):
    """Capitalised words are names, but not at a sentence's start, not dates, not shouting."""
    assert lang.find_names(text) == names


def test_hides_code_addresses_and_quotes_without_moving_the_rest():
    """Blanking keeps every position, so that spans still point into the message."""
    text = "My loop:\n```python\nfor x in y: pass\n```\n> they said so\nSee https://example.org/a.b now; `x = 1` fails"
    prose = lang.hide_foreign(text)
    assert len(prose) == len(text)
    assert prose.split() == ["My", "loop:", "See", "now;", "fails"]
    assert prose.index("fails") == text.index("fails")


@cases(
    ("text", "sentence"),
    [
        ("I live in Lund", "I live in Lund."),
        ("Hyran är 12 000", "Hyran är 12 000."),
        ("I live in Lund.", "I live in Lund."),
        ("Really!", "Really!"),
        ("", ""),
    ],
)
def test_a_statement_is_embedded_as_a_sentence(text, sentence):
    """With the full stop that it lacks, and with no second one."""
    assert lang.as_sentence(text) == sentence
