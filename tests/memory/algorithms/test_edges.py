"""Typed edges among statements and to existing memories."""

import numpy as np
import pytest

from memory.algorithms.edges import (
    PARENT,
    Edge,
    abstract,
    differ_in_value,
    link_abstract,
    link_neighbours,
    link_statements,
)
from tests.cases import cases


def alike(count: int, similarity: float) -> np.ndarray:
    return np.full((count, count), similarity)


def kinds(modalities, texts, similarity=0.5, **options):
    edges = link_statements(modalities, texts, alike(len(texts), similarity), **options)
    return [(edge.source, edge.target, edge.kind) for edge in edges]


@pytest.mark.spec("G3")
def test_events_follow_each_other():
    """Consecutive episodic statements are ordered in time."""
    assert kinds(["episodic", "episodic"], ["I fell.", "I went home."]) == [(0, 1, "PRECEDES")]


@pytest.mark.spec("G3")
@cases("gap", [" because ", ", eftersom ", " därför att "])
def test_a_stated_reason_causes_what_it_explains(gap):
    """The edge runs from the reason, which is said second, to its effect."""
    texts = ["I failed", "I ran out of time"]
    assert kinds(["episodic", "episodic"], texts, gaps=["", gap]) == [(1, 0, "CAUSES")]


def test_a_stated_consequence_is_caused_by_what_came_before(subtests):
    """The edge runs from what was said first."""
    for text in ["That's why I cried.", "That\u2019s why I cried.", "Därför grät jag.", "Therefore I cried."]:
        with subtests.test(case=text):
            assert kinds(["episodic", "episodic"], ["I failed.", text]) == [(0, 1, "CAUSES")]


def test_therefore_is_not_because():
    """Swedish "därför att" gives a reason, "därför" a consequence."""
    assert kinds(["episodic"] * 2, ["Jag grät.", "Därför att jag kuggade."]) == [(1, 0, "CAUSES")]


@pytest.mark.spec("G3")
@cases(
    ("modalities", "edge"),
    [
        (["episodic", "emotional"], (0, 1, "EVOKES")),
        (["semantic", "emotional"], (0, 1, "EVOKES")),
        (["emotional", "episodic"], (1, 0, "EVOKES")),
    ],
)
def test_what_happened_evokes_what_was_felt(modalities, edge):
    """A feeling beside an event or a fact comes from it, in whichever order they are said."""
    assert kinds(modalities, ["one thing", "another thing"]) == [edge]


def test_plain_neighbours_are_related_and_distant_ones_only_if_alike():
    """Every statement hangs on the one before it; others need similarity."""
    texts = ["I like tea.", "My cat sleeps.", "Lund is old."]
    assert kinds(["semantic"] * 3, texts, 0.5) == [(0, 1, "RELATES_TO"), (1, 2, "RELATES_TO")]
    assert (0, 2, "RELATES_TO") in kinds(["semantic"] * 3, texts, 0.75)


def test_more_about_the_same_refines_it():
    """A statement with all the words of another, and more, says it more exactly."""
    assert kinds(["semantic"] * 2, ["I play music", "I play quiet music at night"], 0.9) == [
        (1, 0, "REFINES")
    ]


def test_what_differs_in_value_never_supports(subtests):
    """However alike two statements are, other values or opposite feelings only relate."""
    for texts, valences in [
        (["I live in Oslo", "I live in Bergen"], [0.0, 0.0]),
        (["I like coffee", "I do not like coffee"], [0.0, 0.0]),
        (["I drink 3 cups", "I drink 4 cups"], [0.0, 0.0]),
        (["School makes me happy", "Lessons at school depress me"], [0.7, -0.7]),
    ]:
        with subtests.test(texts=texts, valences=valences):
            assert kinds(["semantic"] * 2, texts, 0.97, valences=np.array(valences)) == [(0, 1, "RELATES_TO")]


def test_a_paraphrase_supports():
    """High similarity in other words, with nothing that differs in value."""
    assert kinds(["semantic"] * 2, ["Numbers are easy for me", "I find maths simple"], 0.9) == [
        (1, 0, "SUPPORTS")
    ]


@pytest.mark.spec("G3")
def test_tells_another_value_from_another_wording(subtests):
    """Numbers, names, negation and exchanged words differ in value; a paraphrase and a repetition do not."""
    for text, other, differs in [
        ("I live in Bergen", "I live in Oslo", True),
        ("my favourite colour is purple", "my favourite colour is cyan", True),
        ("jag gillar inte kaffe", "jag gillar kaffe", True),
        ("I am 34 years old", "I am 43 years old", True),
        ("I like coffee", "I really like coffee", False),
        ("I find recursion hard", "Recursive functions are difficult for me", False),
        ("I live in Lund", "I live in Lund", False),
        ("", "", False),
    ]:
        with subtests.test(text=text, other=other):
            assert differ_in_value(text, other) == differs


@pytest.mark.spec("G4")
def test_memories_of_other_messages_are_linked_by_great_likeness_alone():
    """From .9. That both name somebody is told by whom they mention, and makes no edge between them."""
    names, known = [frozenset({"Anna"}), frozenset()], [frozenset({"Anna", "Lund"}), frozenset(), frozenset()]
    similarities = np.array([[0.1, 0.69, 0.9], [0.95, 0.2, 0.89]])
    assert link_neighbours(similarities, names=names, neighbour_names=known) == [
        Edge(0, 2, "RELATES_TO", 0.9),
        Edge(1, 0, "RELATES_TO", 0.95),
    ]


def test_a_statement_gets_a_bounded_number_of_edges():
    """Only the heaviest are kept, so that what everybody says does not tie everything to everything."""
    names = [frozenset[str]()]
    edges = link_neighbours(np.linspace(0.9, 1, 50)[None, :], names=names, neighbour_names=names * 50)
    assert [edge.target for edge in edges] == list(range(49, 41, -1))


@pytest.mark.spec("G3")
def test_an_abstract_is_made_of_the_most_informative_statements():
    """They stand word for word and in their own order, and within the bound."""
    texts = ["First thing.", "Second thing, which is longer.", "Third."]
    assert (
        abstract(texts, np.array([5.0, 9.0, 1.0]), limit_chars=45)
        == "First thing. Second thing, which is longer."
    )
    assert abstract(texts, np.array([5.0, 9.0, 1.0])) == " ".join(texts)
    assert abstract([], np.zeros(0)) == ""


@cases("text", ["word " * 200, "a" * 1000])
def test_an_abstract_never_exceeds_its_bound(text):
    """One statement longer than the bound is cut, at a word where there is one."""
    found = abstract([text.strip()], np.ones(1), limit_chars=50)
    assert 0 < len(found) <= 50
    assert found.endswith("…")


@pytest.mark.spec("G3")
def test_a_parent_abstracts_each_statement():
    """The third pass ties its parent to every statement."""
    assert [(e.source, e.target, e.kind) for e in link_abstract(2)] == [
        (PARENT, 0, "ABSTRACTS"),
        (PARENT, 1, "ABSTRACTS"),
    ]


@pytest.mark.spec("G4")
def test_what_makes_possible_and_what_reminds_is_said(subtests):
    """ "So now I can" hangs on what came before it as made possible, "that reminds me of" as a reminder; a plain sentence does not."""
    for texts, edge in [
        (["I got a bus card.", "So now I can visit Mira whenever I like."], (0, 1, "ENABLES")),
        (["Jag fick ett busskort.", "Så nu kan jag hälsa på Mira."], (0, 1, "ENABLES")),
        (["The lamps flickered.", "That reminds me of grandma's cellar."], (0, 1, "REMINDS_OF")),
        (["Lamporna blinkade.", "Det påminner mig om mormors källare."], (0, 1, "REMINDS_OF")),
        (["The lamps flickered.", "Mira reminded me of the exam."], (0, 1, "RELATES_TO")),
    ]:
        with subtests.test(texts=texts):
            assert kinds(["semantic"] * 2, texts) == [edge]


@pytest.mark.spec("G4")
def test_a_reminder_hangs_on_whom_it_names():
    """What says that it reminds of somebody leads to what names them."""
    shared = frozenset({"Anna"})
    edges = link_neighbours(
        np.array([[0.1]]), names=[shared], neighbour_names=[shared], texts=["Her laugh reminds me of Anna."]
    )
    assert [edge.kind for edge in edges] == ["REMINDS_OF"]
