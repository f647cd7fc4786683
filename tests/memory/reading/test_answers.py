"""Which statement answers a question, if any does."""

import numpy as np
import pytest

from companion_site.embeddings.service import get_embedder
from memory.reading.answers import Said, choose_answers, find_sought, has_sought
from memory.reading.service import get_heads
from tests.cases import cases

pytestmark = pytest.mark.spec("L3")


def choose(question: str, *told: str) -> list[str]:
    vector, *vectors = get_embedder().embed([question, *told])
    statements = [Said(text, number) for number, text in enumerate(told)]
    chosen = choose_answers(question, statements, vector=vector, vectors=vectors, heads=get_heads())
    return [told[place] for place in chosen]


@cases(
    ("question", "sought"),
    [
        ("When is my exam?", {"time"}),
        ("Hur många syskon har jag?", {"number"}),
        ("Who teaches me?", {"name"}),
        ("Var bor farmor?", {"place"}),
        ("Which subject is hard?", set()),
    ],
)
def test_a_question_names_what_it_seeks(question, sought):
    """By its words, in both languages."""
    assert find_sought(question) == sought


@cases(
    ("question", "has", "lacks"),
    [
        ("When is the concert?", "The concert is on 6 December", "The concert is at the town hall"),
        ("How many rabbits do I have?", "I have 3 rabbits", "My rabbits eat carrots"),
        ("Vem är min lärare?", "Min lärare heter Birgitta", "min lärare är sträng"),
        ("Where does dad live?", "My dad moved to Umeå", "my dad likes living alone"),
    ],
)
def test_a_statement_without_what_is_sought_answers_nothing(question, has, lacks):
    """Whatever it shares with the question: neither a day, a number, a name nor a place stands in it."""
    assert has_sought(find_sought(question), has, question)
    assert choose(question, lacks) == []


def test_what_the_question_says_itself_is_no_answer():
    """The day in "When on 6 December?" is the question's own."""
    asked = "When on 6 December is it?"
    assert not has_sought(frozenset({"time"}), "It is something on 6 December", asked)


def test_the_one_that_answers_is_chosen():
    """Of several about the same matter one, and nothing where nothing was told of it."""
    told = ("I've got a chemistry test on 14 October", "Chemistry is hard", "We have a cat called Professor")
    assert choose("When is my chemistry test?", *told) == [told[0]]
    assert choose("What is my phone number?", *told) == []


def test_nothing_told_answers_nothing():
    """No statement, no answer."""
    none = np.zeros((0, get_embedder().dimension), np.float32)
    (vector,) = get_embedder().embed(["Who?"])
    assert choose_answers("Who?", [], vector=vector, vectors=none, heads=get_heads()) == []
