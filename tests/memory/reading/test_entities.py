"""Whom a statement names, and whom it is only said to."""

import pytest

from companion_site.embeddings.service import get_embedder
from memory.reading.entities import find_mentions
from tests.cases import cases


def names(text):
    embedder = get_embedder()
    (found,) = find_mentions([text], embedder.embed([text]), embedder=embedder)
    return [mention.name for mention in found if mention.name is not None]


@cases(
    "text",
    [
        "Yeah, Caroline, my dad drives a lorry.",
        "I sold the car, Mel!",
        "Caroline, we moved on Friday.",
        "Hey Caroline, we moved on Friday.",
        "Tack Mira! Vi flyttade i fredags.",
        "Det gick bra, Mira.",
        "I appreciate our friendship too, Mira.",
    ],
)
def test_who_is_spoken_to_is_not_spoken_of(text):
    """A name that is set off as a call, or follows a word of greeting, says nothing of whom it names."""
    assert not names(text)


@cases(
    ("text", "named"),
    [
        ("Ronja, my cousin, plays the drums.", ["Ronja"]),
        ("I talked to my teacher, Anders.", ["Anders"]),
        ("I live in Lund, Sweden.", ["Lund", "Sweden"]),
        ("Anna, Bo and I went swimming.", ["Anna", "Bo"]),
        ("I met Mia, she is my cousin.", ["Mia"]),
    ],
)
def test_a_name_between_commas_is_not_always_a_call(text, named):
    """Lists, places, and what says who somebody is."""
    assert [name for name in names(text) if name in named] == named


@pytest.mark.parametrize("known", [(), ("anders",)])
def test_a_known_name_at_the_end_is_a_call_also_behind_a_relation(known):
    """ "… my teacher, Anders" tells a name; once Anders is known, it may be said to him."""
    embedder, text = get_embedder(), "I talked to my teacher, Anders."
    (found,) = find_mentions([text], embedder.embed([text]), embedder=embedder, known=known)
    assert [(mention.relation, mention.name) for mention in found] == [
        ("teacher", None if known else "Anders")
    ]


def spans(text):
    embedder = get_embedder()
    (found,) = find_mentions([text], embedder.embed([text]), embedder=embedder)
    return [(text[one.start : one.end], one.kind) for one in found]


@cases(
    ("text", "named"),
    [
        ("That's the boat, and here's our cat!", [("our cat", "animal")]),
        ("My dogs go nuts when we go on hikes!", [("My dogs", "animal")]),
        ("Here's a pic of my family camping at the lake.", [("my family", "person")]),
        ("A friend made it for my 18th birthday ten years ago.", []),
    ],
)
def test_what_names_somebody_is_a_whole_noun_phrase(text, named):
    """No verb and no "'s" of a verb stands within it, and no more than names somebody."""
    assert spans(text) == named


def test_a_list_of_two_is_no_name_for_one():
    """ "My girlfriend, Toby and I" are three; "Toby, my puppy" is an animal whatever Toby sounds like."""
    embedder, told = get_embedder(), []
    for text in ("My girlfriend, Toby and I are going camping.", "This is Toby, my puppy."):
        (found,) = find_mentions([text], embedder.embed([text]), embedder=embedder)
        told.append([(one.kind, one.name, one.relation) for one in found])
    assert told == [
        [("person", None, "girlfriend"), ("person", "Toby", None)],
        [("animal", "Toby", "puppy")],
    ]
