"""What is said to whoever is in danger without a model, whom they are told to call, and a file of help lines that is no use."""

import json
from itertools import pairwise

import pytest

from companion_site.llm.care import find_unnamed, write_care, write_lines
from companion_site.llm.help_lines import check_help_lines, lines_for
from companion_site.llm.offline import compose_reply
from companion_site.llm.offline_phrases import WORDS
from companion_site.llm.types import Care, Guidance, Utterance
from tests.cases import cases
from tests.llm.builders import make_request

pytestmark = [pytest.mark.spec("L4")]

LANGUAGES = ("en", "sv")


def care(danger="sure", *, is_young=True):
    lines = lines_for(is_young=is_young, is_sure=danger == "sure")
    return Care(danger=danger, lines=lines, is_young=is_young)


def numbers(lines):
    return [line.number for line in lines]


def test_sure_and_perhaps_are_two_answers_in_either_language():
    """Sure names the emergency number and every line, perhaps only those to talk to; both ask one thing, and neither repeats a way."""
    for language in LANGUAGES:
        for danger in ("sure", "perhaps"):
            given = care(danger)
            ways = ["\n\n".join(write_care(given, language=language, turn=turn)) for turn in range(4)]
            assert all(one != other for one, other in pairwise(ways))
            for text in ways:
                assert ("112" in text, "90101" in text) == (danger == "sure", danger == "sure")
                assert "116 111" in text and text.count("?") == 1
                assert "{" not in text and "!" not in text


def test_a_grown_up_is_told_other_lines_and_not_to_find_a_grown_up():
    """Bris is for who is under 18."""
    for language, words in (("en", "grown-up"), ("sv", "vuxen")):
        for danger in ("sure", "perhaps"):
            young, adult = (
                "\n".join(write_care(care(danger, is_young=is_young), language=language, turn=0))
                for is_young in (True, False)
            )
            assert words in young and "116 111" in young
            assert words not in adult and "116 111" not in adult and "1177" in adult


def test_nothing_stands_beside_the_words_for_danger():
    """No notice of a missing model, no memory, no pack, no plan; after danger the ordinary reply follows one gentle sentence."""
    beside = {
        "find_kindred": lambda: ["Bosse is a good dog"],
        "materials": (("Pack", "Dogs bark"),),
        "find_changed": lambda: ("I live in Lund",),
        "find_kept": lambda: ("I live in Lund",),
        "find_told": lambda: ("I live in Lund",),
        "guidance": Guidance(mode="game", goal="reflect", about=("Bosse is a good dog",)),
    }
    turns = [Utterance("user", "I want to die. What is my dog called?")]
    for language in LANGUAGES:
        for danger in ("sure", "perhaps"):
            request = make_request(turns=turns, language=language, care=care(danger), **beside)
            assert compose_reply(request) == "\n\n".join(write_care(care(danger), language=language, turn=0))
        plain = make_request(turns=turns, language=language, find_kindred=lambda: ["Bosse is a good dog"])
        gentle = make_request(
            turns=turns, language=language, find_kindred=lambda: ["Bosse is a good dog"], care=Care()
        )
        first, rest = compose_reply(plain).split("\n\n", 1)
        assert compose_reply(gentle) == f"{first}\n\n{WORDS[language].care.after[0]}\n\n{rest}"


def test_where_a_model_forgets_whom_to_call_the_reply_ends_with_it():
    """However the number is spaced it counts as named; another country's does not; nothing is added to nothing."""
    for language in LANGUAGES:
        given = care()
        lines = write_lines(given.lines, language)
        assert find_unnamed(given, "Please call 911.", language).endswith(lines)
        assert find_unnamed(given, "Please call 1 1 2 now.", language) == ""
        assert find_unnamed(given, " ", language) == ""
        assert "116 111" in find_unnamed(care("perhaps"), "How are you?", language)
        assert find_unnamed(care("perhaps"), "You can call 116\u00a0111.", language) == ""
        assert find_unnamed(Care(), "Hello", language) == find_unnamed(None, "Hello", language) == ""


def test_lines_go_by_country_and_a_school_s_own_come_last(tmp_path, settings):
    """A country that nobody has lines of gets those of the site's."""
    line = {"en": "help", "sv": "hjälp"}
    other = tmp_path / "lines.json"
    other.write_text(
        json.dumps({"XX": [{"number": "1", "urgent": True, **line}, {"number": "2", **line}], "YY": []})
    )
    settings.HELP_LINES = other
    assert "YY has no urgent line" in check_help_lines(None)[0].msg
    other = tmp_path / "better.json"
    other.write_text(json.dumps({"XX": [{"number": "1", "urgent": True, **line}, {"number": "2", **line}]}))
    settings.HELP_LINES = other
    assert "HELP_COUNTRY is 'SE'" in check_help_lines(None)[0].msg
    settings.HELP_COUNTRY = "XX"
    assert check_help_lines(None) == []
    told = lines_for(country="ZZ", own="Eva, 040-12 34 56\n\n Kuratorn ", is_young=True, is_sure=True)
    assert numbers(told) == ["1", "2", "", ""]
    assert write_lines(told, "sv").splitlines()[2:] == ["- Eva, 040-12 34 56", "- Kuratorn"]
    assert numbers(lines_for(is_young=True, is_sure=False)) == ["2"]


GOOD = {"number": "112", "urgent": True, "en": "help", "sv": "hjälp"}
PLAIN = {**GOOD, "urgent": False}


@cases(
    ("contents", "words"),
    [
        (None, "cannot be read"),
        ("no json", "cannot be read"),
        ([], "no countries"),
        ({"SE": 1}, "no list"),
        ({"SE": [GOOD]}, "young"),
        ({"SE": [GOOD, {**PLAIN, "for": "young"}]}, "adult"),
        ({"SE": [PLAIN]}, "no urgent line"),
        ({"SE": [{**GOOD, "number": "call me"}]}, "SE, line 1"),
        ({"SE": [{**GOOD, "for": "cats"}]}, "young, adult"),
        ({"SE": [GOOD, {**PLAIN, "sv": ""}]}, "SE, line 2"),
        ({"SE": [GOOD, "112"]}, "an object"),
    ],
)
def test_a_file_that_is_no_use_stops_the_start(tmp_path, settings, contents, words):
    """The error names the line, and what it takes."""
    settings.HELP_LINES = tmp_path / f"{words}.json"
    if contents is not None:
        settings.HELP_LINES.write_text(contents if isinstance(contents, str) else json.dumps(contents))
    (error,) = check_help_lines(None)
    assert error.id == "llm.E003" and words in error.msg
