"""What counts as personal data in a text, and what only looks like it."""

import json

import pytest
from stdnum import luhn

from companion_site.llm.scrubbing.detector import find_places
from companion_site.llm.scrubbing.policy import Kind, parse_kinds
from companion_site.running import PROJECT
from tests.cases import cases

pytestmark = pytest.mark.spec("I8")

LABELLED = json.loads((PROJECT / "tests" / "data" / "scrubbing.json").read_text())
#: Labelled before the code was written, and known not to be found: said in words, or dialled as nowhere in Sweden.
KNOWN_MISSES = {
    "anna at example dot com",
    "anna snabel-a example punkt se",
    "(212) 555-0123",
    "701740605",
    "noll sju noll, ett sju fyra noll sex noll fem",
}
#: So long that anything that looks at a text more than a few times over would never end.
HUGE = 200_000


def found_in(text: str, kinds=frozenset(Kind)) -> list[list[str]]:
    return [[place.kind.value, text[place.start : place.end]] for place in find_places(text, kinds)]


@cases("case", LABELLED["cases"])
def test_each_labelled_value_is_found_with_its_kind_and_edges(case):
    """Over sixty texts in both languages; what is not found is listed here and in docs/scrubbing.md, and no more."""
    expected = [value for value in case["values"] if value[1] not in KNOWN_MISSES]
    assert found_in(case["text"]) == expected


@cases("case", LABELLED["others"])
def test_ordinary_numbers_are_left_alone(case):
    """Years, sums, exercises, versions, orders, dates and near misses."""
    assert found_in(case["text"]) == []


@cases(
    ("text", "kind"),
    [
        ("0304061195", "personal_number"),
        ("0701740605@example.com", "email"),
        ("SE811218987601", "personal_number"),
        ("SE45 5000 0000 0583 9825 7466", "iban"),
        ("4111 1111 1111 1111", "card"),
    ],
)
def test_the_longest_wins_and_a_personal_number_is_no_telephone_number(text, kind):
    """One place has one kind, even where several would fit, and even where that kind may be sent."""
    assert found_in(text) == [[kind, text]]
    assert found_in(text, set(Kind) - {Kind(kind)}) == []


@cases("text", ["٨١١٢١٨-٩٨٧٦", "८११२१८-९८७६", "811218\N{EN DASH}9876", "811218\N{NO-BREAK SPACE}9876"])
def test_digits_dashes_and_spaces_of_other_scripts_are_read_as_ours(text):
    """A number pasted from elsewhere is the same number."""
    assert found_in(f"({text})") == [["personal_number", text]]


@cases(
    "beside",
    [
        "811218-9876",
        "070-174 06 12",
        "+44 20 7946 0958",
        "2",
        "12345",
        "(2)",
        "2026-11-22",
        "4111 1111 1111 1111",
        "08:00",
        ". 2",
        "/ 08-465 004 12",
    ],
)
def test_a_number_is_found_whatever_number_stands_beside_it(beside):
    """In front or behind, with a space between: lists and tables of contacts look like this."""
    for text in (f"070-174 06 05 {beside} gr", f"{beside} 070-174 06 05"):
        assert ["phone", "070-174 06 05"] in found_in(text)


ROW = (
    ("email", "anna@example.com"),
    ("phone", "070-174 06 05"),
    ("personal_number", "811218-9876"),
    ("phone", "0701740612"),
    ("personal_number", "8112189876"),
    ("card", "4111111111111111"),
    ("phone", "+46701740605"),
    ("personal_number", "19811218-9876"),
    ("iban", "SE4550000000058398257466"),
    ("phone", "08-465 004 12"),
)


@cases(("kind", "value"), ROW)
@cases("end", ["\n", "\r\n", "\t"])
def test_what_stands_at_a_line_s_end_is_found_in_json_too(kind, value, end):
    """What is read in the background travels as JSON, where the end of a line is a backslash and a letter."""
    text = json.dumps({"text": f"Mine:{end}{value}{end}nothing else"}, ensure_ascii=False)
    assert found_in(text) == [[kind, value]]


@pytest.mark.slow
@cases(
    "text",
    [
        "a" * HUGE + "@",
        "a@" * (HUGE // 2),
        "x@" + "a." * (HUGE // 2),
        "x@" + "a-" * (HUGE // 2),
        "@" * HUGE,
        "+ " * (HUGE // 2),
        "(" * HUGE,
        "1" * HUGE,
        "4" * HUGE,
        "SE45 " * (HUGE // 5),
        "SE45" * (HUGE // 4),
        "811218" * (HUGE // 6),
        "\N{ARABIC-INDIC DIGIT ONE} " * (HUGE // 2),
    ],
)
def test_hostile_texts_are_read_in_one_go(text):
    """With a pattern that goes back and begins again, each of these would take hours."""
    assert found_in(text) == []


def test_kinds_are_named_or_none_and_a_typing_error_is_refused():
    """A word that names no kind must not let out what was to be kept back."""
    assert parse_kinds(["email", " Phone "]) == {Kind.EMAIL, Kind.PHONE}
    assert parse_kinds(["none"]) == frozenset()
    for words in (["e-mail"], ["none", "email"]):
        with pytest.raises(ValueError, match="LLM_SCRUB names"):
            parse_kinds(words)


@cases("month", range(1, 13))
def test_a_personal_number_needs_a_day_that_exists_and_its_check_digit(month):
    """Of the ten possible last digits one is right, on a day of birth or 60 above it; the 32nd is no day."""
    for day, exists in ((1, True), (32, False), (61, True), (92, False)):
        start = f"85{month:02}{day:02}482"
        right = luhn.calc_check_digit(start)
        for digit in "0123456789":
            found = found_in(f"nr {start[:6]}-{start[6:]}{digit}.")
            assert bool(found) == (exists and digit == right), (start, digit)
