"""Typed edges among statements and to existing memories."""

import numpy as np
import pytest

from memory.algorithms.edges import (
    LONGEST_ABSTRACT,
    PARENT,
    Edge,
    abstract,
    differ_in_value,
    leans_back,
    link_abstract,
    link_neighbours,
    link_statements,
)
from tests.cases import cases


def alike(count: int, similarity: float) -> np.ndarray:
    return np.full((count, count), similarity)


def kinds(modalities, texts, similarity=0.5, *, gaps=None, valences=None, tied=True):
    count = len(texts)
    given = {
        "gaps": gaps or [""] * count,
        "valences": np.zeros(count) if valences is None else valences,
        "tied": np.full((count, count), tied),
    }
    edges = link_statements(modalities, texts, alike(count, similarity), **given)
    return [(edge.source, edge.target, edge.kind) for edge in edges]


EVENTS = ["episodic", "episodic"]
FACTS = ["semantic", "semantic"]


@pytest.mark.spec("G1", "G3", "G4")
@cases(
    ("modalities", "texts", "gap", "edge"),
    [
        (EVENTS, ["I fell.", "I went home."], "", (0, 1, "PRECEDES")),
        (EVENTS, ["I failed", "I ran out of time"], " because ", (1, 0, "CAUSES")),
        (EVENTS, ["I failed", "I ran out of time"], ", eftersom ", (1, 0, "CAUSES")),
        (EVENTS, ["I failed", "I ran out of time"], " därför att ", (1, 0, "CAUSES")),
        (EVENTS, ["Jag grät.", "Därför att jag kuggade."], "", (1, 0, "CAUSES")),
        (EVENTS, ["I failed.", "That\u2019s why I cried."], "", (0, 1, "CAUSES")),
        (EVENTS, ["I failed.", "Därför grät jag."], "", (0, 1, "CAUSES")),
        (["episodic", "emotional"], ["One thing", "another"], "", (0, 1, "EVOKES")),
        (["semantic", "emotional"], ["One thing", "another"], "", (0, 1, "EVOKES")),
        (["emotional", "episodic"], ["One thing", "another"], "", (1, 0, "EVOKES")),
        (FACTS, ["I got a bus card.", "So now I can visit Mira."], "", (0, 1, "ENABLES")),
        (FACTS, ["Jag fick ett busskort.", "Så nu kan jag hälsa på Mira."], "", (0, 1, "ENABLES")),
        (FACTS, ["The lamps flickered.", "That reminds me of a cellar."], "", (0, 1, "REMINDS_OF")),
        (FACTS, ["Lamporna blinkade.", "Det påminner mig om mormor."], "", (0, 1, "REMINDS_OF")),
        (FACTS, ["The lamps flickered.", "Mira reminded me of the exam."], "", (0, 1, "RELATES_TO")),
    ],
)
def test_neighbours_are_linked_by_what_is_said_and_by_their_kinds(modalities, texts, gap, edge):
    """What the person put into words first, then events in their order and what happened with what was felt."""
    assert kinds(modalities, texts, gaps=["", gap]) == [edge]


def test_plain_neighbours_are_related_if_tied_or_alike_and_distant_ones_if_both():
    """What merely follows is not related."""
    texts = ["I like tea.", "My cat sleeps.", "Lund is old."]
    beside = [(0, 1, "RELATES_TO"), (1, 2, "RELATES_TO")]
    assert kinds(["semantic"] * 3, texts, 0.5, tied=False) == []
    assert kinds(["semantic"] * 3, texts, 0.5) == kinds(["semantic"] * 3, texts, 0.75, tied=False) == beside
    assert (0, 2, "RELATES_TO") in kinds(["semantic"] * 3, texts, 0.75)


@cases(
    ("text", "named", "leans"),
    [
        ("It broke my heart.", [], True),
        ("Scared that she might run off.", [], True),
        ("Mira says that she is scared.", [0], False),
        ("I went hiking last week.", [], False),
        ("Det gick bra.", [], True),
    ],
)
def test_a_statement_leans_on_the_one_before_it(text, named, leans):
    """By its first word, or by "she" where it names nobody before."""
    assert leans_back(text, pronouns=frozenset({"she", "her"}), named=named) == leans


@pytest.mark.spec("G3")
def test_what_agrees_refines_or_supports_and_what_differs_only_relates(subtests):
    """However alike two statements are, other values or opposite feelings support nothing."""
    for texts, valences, edge in [
        (["I play music", "I play quiet music at night"], [0.0, 0.0], (1, 0, "REFINES")),
        (["Numbers are easy for me", "I find maths simple"], [0.0, 0.0], (1, 0, "SUPPORTS")),
        (["I live in Oslo", "I live in Bergen"], [0.0, 0.0], (0, 1, "RELATES_TO")),
        (["I like coffee", "I do not like coffee"], [0.0, 0.0], (0, 1, "RELATES_TO")),
        (["I drink 3 cups", "I drink 4 cups"], [0.0, 0.0], (0, 1, "RELATES_TO")),
        (["School makes me happy", "Lessons at school depress me"], [0.7, -0.7], (0, 1, "RELATES_TO")),
    ]:
        with subtests.test(texts=texts):
            assert kinds(FACTS, texts, 0.97, valences=np.array(valences)) == [edge]


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
    """From .9, where they are tied. That both name somebody is told by whom they mention, and makes no edge between them."""
    names, known = [frozenset({"Anna"}), frozenset()], [frozenset({"Anna", "Lund"}), frozenset(), frozenset()]
    similarities = np.array([[0.1, 0.69, 0.9], [0.95, 0.2, 0.89]])
    given = {"names": names, "neighbour_names": known, "texts": ["", ""]}
    assert link_neighbours(similarities, tied=np.ones((2, 3), bool), **given) == [
        Edge(0, 2, "RELATES_TO", 0.9),
        Edge(1, 0, "RELATES_TO", 0.95),
    ]
    assert link_neighbours(similarities, tied=np.zeros((2, 3), bool), **given) == []


def test_a_statement_gets_a_bounded_number_of_edges():
    """Only the heaviest are kept, so that what everybody says does not tie everything to everything."""
    names = [frozenset[str]()]
    edges = link_neighbours(
        np.linspace(0.9, 1, 50)[None, :],
        tied=np.ones((1, 50), bool),
        names=names,
        neighbour_names=names * 50,
        texts=[""],
    )
    assert [edge.target for edge in edges] == list(range(49, 41, -1))


@pytest.mark.spec("G3")
def test_an_abstract_is_made_of_the_most_informative_statements():
    """They stand word for word and in their own order, and within the bound."""
    texts = ["First thing.", "Second thing, which is longer.", "Third."]
    bits = np.array([5.0, 9.0, 1.0])
    assert abstract(texts, bits) == " ".join(texts)
    texts = [text.rjust(180, "-") for text in texts]
    assert abstract(texts, bits) == " ".join(texts[:2])
    assert abstract([], np.zeros(0)) == ""


@cases("text", ["word " * 200, "a" * 1000])
def test_an_abstract_never_exceeds_its_bound(text):
    """One statement longer than the bound is cut, at a word where there is one."""
    found = abstract([text.strip()], np.ones(1))
    assert 0 < len(found) <= LONGEST_ABSTRACT
    assert found.endswith("…")


@pytest.mark.spec("G3")
def test_a_parent_abstracts_each_statement():
    """The third pass ties its parent to every statement."""
    assert [(e.source, e.target, e.kind) for e in link_abstract(2)] == [
        (PARENT, 0, "ABSTRACTS"),
        (PARENT, 1, "ABSTRACTS"),
    ]


@pytest.mark.spec("G4")
def test_a_reminder_hangs_on_whom_it_names():
    """What says that it reminds of somebody leads to what names them."""
    shared = frozenset({"Anna"})
    edges = link_neighbours(
        np.array([[0.1]]),
        tied=np.zeros((1, 1), bool),
        names=[shared],
        neighbour_names=[shared],
        texts=["Her laugh reminds me of Anna."],
    )
    assert [edge.kind for edge in edges] == ["REMINDS_OF"]
