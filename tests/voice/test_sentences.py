"""A reply cut into what is said, one sentence after the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.voice.sentences import LONGEST, split_spoken
from tests.cases import cases

pytestmark = pytest.mark.spec("L7")


def whole(text):
    return list(split_spoken(text, is_whole=True))


@cases(
    ("text", "said"),
    [
        ("I hear you. Was it the knee? Tell me!", ["I hear you.", "Was it the knee?", "Tell me!"]),
        ("Dr. Berg rang at 9.30 yesterday. Good.", ["Dr. Berg rang at 9.30 yesterday.", "Good."]),
        ("Ät frukt, t.ex. Äpplen. Sov sedan.", ["Ät frukt, t.ex. Äpplen.", "Sov sedan."]),
        ("Vi ses kl. 14. Hälsa Anna!", ["Vi ses kl. 14.", "Hälsa Anna!"]),
        ("J. K. Rowling wrote it. So did I. Really.", ["J. K. Rowling wrote it.", "So did I.", "Really."]),
        ("Hm, wait... What?", ["Hm, wait...", "What?"]),
        ('She said "go." Then she went.', ['She said "go."', "Then she went."]),
        ("one line\nand the next", ["one line and the next"]),
        ("no end", ["no end"]),
        ("", []),
        ("...", []),
        ("." * 1_000, []),
    ],
)
def test_sentences_end_where_they_end(text, said):
    """Not at a shortened word, an initial or a number, in either language."""
    assert whole(text) == said


def test_markdown_is_not_said():
    """Signs of form, code, addresses and pictures of faces are for the eye; words inside of them are said."""
    text = (
        "# A **plan**\n\n1. Walk *five* minutes 🙂\n2. See [the map](https://example.org/x)\n\n"
        "```python\nprint('no')\n```\n\nMore at https://example.org/a?b=c. Use `list` then.\n\n"
        "| day | done |\n|---|---|\n| Monday | yes |\n\n---\n\n<b>Bye</b>"
    )
    assert whole(text) == [
        "A plan",
        "Walk five minutes",
        "See the map",
        "More at.",
        "Use list then.",
        "day",
        "done",
        "Monday",
        "yes",
        "<b>Bye</b>",
    ]


def test_a_sentence_without_end_is_cut_at_a_pause():
    """No part is longer than a service takes at once, and no word is lost or broken."""
    text = "we walked, and walked on, " * 60 + "home"
    parts = whole(text)
    assert len(parts) > 3
    assert all(len(part) <= LONGEST for part in parts)
    assert " ".join(parts) == " ".join(text.split())
    assert all(part.endswith(",") for part in parts[:-1])
    assert all(len(part) <= LONGEST for part in whole("x" * 5_000))


def test_what_is_still_being_written_is_not_said_yet():
    """A sentence counts when the next one has begun, or the reply has ended."""
    assert split_spoken("I hear you. Was it", is_whole=False) == ("I hear you.",)
    assert split_spoken("I hear you.", is_whole=False) == ()
    assert split_spoken("I hear you.\n\nWas", is_whole=False) == ("I hear you.",)
    assert split_spoken("See:\n\n```\ncode", is_whole=False) == ("See:",)


@cases("text", ["." * 400_000, f"a{'_' * 400_000}b", "." + '"' * 400_000])
def test_a_reply_of_one_sign_is_no_more_work_than_another(text):
    """It is cut while everybody else waits, again and again as it grows: work that grew with its square would take an hour here."""
    assert all(len(part) <= LONGEST for part in whole(text))


PIECES = st.lists(
    st.sampled_from(
        [
            "I walk. ",
            "Dr. ",
            "at 9.30 ",
            "**bold",
            "** ",
            "\n\n",
            "- item ",
            "\n",
            "Why? ",
            "e.g. this. ",
            "`code. ",
            "` ",
            "_so_ ",
            "So ",
            "1. first ",
            "(see ",
            "https://a.bc/d?e=f. ",
            "[a link. Or ",
            "](https://a.bc/d) ",
            "**So. ",
            "\\* ",
            "&amp; ",
            "word, ",
        ]
    ),
    max_size=25,
)


@given(PIECES)
def test_a_sentence_keeps_its_number_while_the_reply_grows(pieces):
    """What was named by a number at any moment is named by it at every later one."""
    text = "".join(pieces)
    final = whole(text)
    for end in range(len(text)):
        early = split_spoken(text[:end], is_whole=False)
        assert list(early) == final[: len(early)]
