"""The fog of war on what the companion says: no hidden name comes out, known ones always do, however it is split."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion_site.phrases import Phrase, PhraseMatcher
from overlay.guard import Fog, StreamGuard, WorldNames, mask
from tests.cases import cases

pytestmark = pytest.mark.spec("G10")

ROWS = json.loads((Path(__file__).parent.parent / "data" / "fog.json").read_text(encoding="utf-8"))
VEIL = "something you have not met yet"


def build_fog(hidden, known=()):
    names = [Phrase("hidden", name) for name in hidden] + [Phrase("known", name) for name in known]
    return Fog(WorldNames.build(names), frozenset({"known"}))


def stream(pieces, fog, *, language="en"):
    guard = StreamGuard(fog, language=language)
    return "".join([*map(guard.feed, pieces), guard.finish()])


def split_all_ways(row):
    """Yield a reply letter by letter, by threes, by sevens, and as it was labelled."""
    text = row["output"]
    for size in (1, 3, 7):
        yield [text[at : at + size] for at in range(0, len(text), size)]
    yield row.get("pieces", [text])


@cases("row", [row for row in ROWS if row["must_hide"]])
def test_what_names_a_hidden_concept_does_not_come_out(row):
    """However it is written and however it arrives; what stands beside it and is known stays."""
    fog = build_fog(row["hidden"], row["known"])
    for pieces in split_all_ways(row):
        said = stream(pieces, fog, language=row["language"])
        for name in row["says"]:
            assert said.count(name) <= row["output"].count(name) - row["says"].count(name)
        assert all(known in said for known in row["pass"])


@cases("row", [row for row in ROWS if row["kind"] == "innocent"])
def test_what_names_nothing_hidden_comes_out_as_it_is(row):
    """Words that contain a name's letters, and known concepts, are never cut."""
    fog = build_fog(row["hidden"], row["known"])
    for pieces in split_all_ways(row):
        assert stream(pieces, fog, language=row["language"]) == row["output"]


def test_what_is_around_a_name_stays():
    """One name is one cut, counted; the rest of the reply is left alone."""
    guard = StreamGuard(build_fog(["black hole", "cell"]), language="en")
    said = guard.feed("I think a *black hole* eats (two) cells, and more.") + guard.finish()
    assert said == f"I think a *{VEIL}* eats (two) {VEIL}, and more."
    assert guard.cut == 2


def test_the_veil_is_a_word_apart_in_the_reply_s_language():
    """A hidden emoji stands in no word, so that its neighbours stay what they are; what is named by its person may be named back."""
    assert mask("a\N{SNAKE}b", build_fog(["\N{SNAKE}"]), language="en") == f"a {VEIL} b"
    fog = build_fog(["kraft"])
    assert mask("En kraft.", fog, language="sv") == "En något du inte har mött än."
    assert mask("A kraft.", fog, language="en") == f"A {VEIL}."
    assert mask("A kraft.", fog.allowing(["hidden"]), language="en") == "A kraft."


def test_a_known_name_shelters_what_lies_within_it():
    """ "power" in "power rule"; not the other way round, and not once the known name is itself cut."""
    fog = build_fog(["power", "rule book"], ["power rule"])
    assert mask("power rule", fog, language="en") == "power rule"
    assert mask("power", fog, language="en") == VEIL
    assert mask("power rule book", fog, language="en") == f"{VEIL} {VEIL}"
    assert mask("black hole", build_fog(["black hole"], ["hole"]), language="en") == VEIL


def test_no_more_is_kept_back_than_could_become_a_name():
    """The unfinished word, and the beginning of a name of several words; nothing where nothing is hidden."""
    open_guard = StreamGuard(build_fog([], ["black hole"]), language="en")
    assert [open_guard.feed(piece) for piece in ("bl", "ack ", "ho")] == ["bl", "ack ", "ho"]
    guard = StreamGuard(build_fog(["black hole"]), language="en")
    assert guard.feed("The cat sat in a bl") == "The cat sat in a "
    assert guard.feed("ack ") == ""
    assert guard.feed("box, said") == "black box, "
    assert guard.finish() == "said"


@cases("name", ["yet", "something", "not", "met yet", "yet another", "some thing", "have you met"])
def test_the_veil_names_nothing_itself(name):
    """Where its words are a concept's, or become one with a word beside it, a sign stands instead."""
    fog = build_fog([name, "entropy"])
    said = mask(f"{name} entropy another", fog, language="en")
    assert fog.names.matcher.find(said) == []


def test_nothing_can_be_read_across_what_was_cut():
    """Neither words nor letters on both sides make a name."""
    fog = build_fog(["not", "cell", "black hole"])
    for text in ("black cell hole", "b l a c k cell h o l e"):
        said = mask(text, fog, language="en")
        assert "cell" not in said and fog.names.matcher.find(said) == []


@cases(
    "text",
    [
        "",
        "\0",
        "\ud800",
        "cell\ud800",
        "\udc00\ud800cell",
        "🐍" * 9,
        "&#xfffffff;",
        "%ff%fe",
        "<" * 999,
        "\u200b" * 999,
    ],
)
def test_odd_text_passes(text):
    """Lone surrogates, NUL and broken encodings come out as they went in, but for names."""
    fog = build_fog(["cell"])
    assert mask(text, fog, language="en") == stream(list(text), fog)
    if "cell" not in text:
        assert mask(text, fog, language="en") == text


@pytest.mark.slow
def test_a_huge_piece_is_searched_to_its_end():
    """A megabyte, with and without white space; the name at its end is found."""
    fog = build_fog(["entropy"])
    assert mask("no " * 330_000 + "entropy", fog, language="en").endswith(f"no {VEIL}")
    said = mask("x" * 1_000_000 + ".entropy", fog, language="en")
    assert len(said) == 1_000_001 + len(VEIL) and said.endswith(VEIL)


def test_a_name_of_one_letter_is_hidden_where_it_stands_alone():
    """It has no disguises and no compounds, and so costs little."""
    assert mask("e is a letter, even é.", build_fog(["e"]), language="en").startswith(
        f"{VEIL} is a letter, even"
    )
    assert mask("pi = 3", build_fog(["π"]), language="en") == "pi = 3"


HIDDEN = [
    "set",
    "cell",
    "black hole",
    "photosynthesis",
    "kraft",
    "svart hål",
    "ring",
    "C++",
    "power",
    "DNA",
    "rule book",
    "🐍",
]
KNOWN = ["power rule", "hole", "cell wall", "light", "vattenkraft"]
FOG = build_fog(HIDDEN, KNOWN)
PLAIN = PhraseMatcher(
    [*(Phrase("hidden", name) for name in HIDDEN), *(Phrase("known", name) for name in KNOWN)]
)
PIECES = [
    *HIDDEN, *KNOWN, "p h o t o", "s-e-t", "ph0t0", "synthesis", "bl\u0430ck", "ho", "le", "svarta", "hålet", "&#112;", "&shy;",
    "&", "#", ";", "<b>", "</b>", "<", '<a href="', '">', "\u200b", "\u00ad", "\u030a", "ha", "l", "dragnings", "spring", "tle",
    "rule", "book", "s", "e", "t", "en", "0", "5", "@", "$", "!", "|", "+", "%20", "%", "\ud800", "\0", "yet", "something", "-",
    "*", "_", "`", ".", ",", "\n", "\r\n", "[…]", "…", "X", "å",
]  # fmt: skip
#: Three times as often as other rules are tried.
OFTEN = 3 * settings.default.max_examples
TEXTS = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["", "", " "])).map("".join), max_size=14
).map("".join)


def find_bare(matcher, text):
    """Return the hidden names in a text that no known one shelters, which may be disguised itself."""
    known = [name for name in FOG.names.matcher.find(text) if name.key == "known"]
    hidden = [name for name in matcher.find(text) if name.key == "hidden"]
    return [name for name in hidden if not any(k.start <= name.start and name.end <= k.end for k in known)]


@settings(max_examples=OFTEN)
@given(TEXTS, st.lists(st.integers(1, 9), min_size=1, max_size=9))
def test_pieces_come_out_as_the_whole_would(text, sizes):
    """Where the stream was split makes no difference."""
    pieces, at = [], 0
    while at < len(text):
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(text[at : at + size])
        at += size
    assert stream(pieces, FOG) == mask(text, FOG, language="en")


@settings(max_examples=OFTEN)
@given(TEXTS)
def test_nothing_hidden_is_left_and_nothing_else_is_touched(text):
    """Neither the plain search nor the strict one finds a hidden name afterwards; without one, the text is the same."""
    said = mask(text, FOG, language="en")
    assert find_bare(PLAIN, said) == [] == find_bare(FOG.names.matcher, said)
    if not find_bare(FOG.names.matcher, text):
        assert said == text
