"""What facts are about, read from their own words in both languages."""

import pytest

from companion_site.ids import new_id
from memory.student.pages.subjects import Fact, Kind, Subject, find_subjects
from tests.cases import cases

pytestmark = pytest.mark.spec("G13")


def subjects(*texts, language="en", edges=()):
    """Return what each text is about, as (kind, name, relation)."""
    facts = [Fact(id=new_id(), text=text, language=language) for text in texts]
    joined = [(facts[source].id, facts[target].id, kind, weight) for source, target, kind, weight in edges]
    found = find_subjects(facts, joined)
    return [[(one.kind, one.name, one.relation) for one in found.get(fact.id, ())] for fact in facts]


@cases(
    ("text", "about"),
    [
        ("My brother Noah plays chess", [("person", "Noah", "brother"), ("topic", "Chess", "")]),
        ("My maths teacher is called Karin", [("person", "Karin", "teacher")]),
        ("Moses is my cat", [("animal", "Moses", "cat")]),
        ("Mira has a dog called Bosse", [("person", "Mira", ""), ("animal", "Bosse", "dog")]),
        ("I live in Lund with my mother", [("place", "Lund", ""), ("person", "Mother", "")]),
        ("I travelled to Dubrovnik in the summer", [("place", "Dubrovnik", "")]),
        ("Fractions are hard for me", [("topic", "Fractions", "")]),
        ("I am allergic to nuts", []),
        ("I want to be a teacher", []),
        ("I like fish and chips", []),
        ("What is a glacier?", []),
        ("I got a B on the PDF", []),
    ],
)
def test_a_fact_is_about_what_it_names(text, about):
    """Names with what they are to the person, animals of one's own, towns, and what one learns; nothing where none is named."""
    with_mira = "I sing in a band with Mira"
    assert subjects(text, with_mira)[0] == [(Kind(kind), name, relation) for kind, name, relation in about]


@cases(
    ("text", "about"),
    [
        ("Min bror Viggo spelar handboll", [("person", "Viggo", "bror"), ("topic", "Handboll", "")]),
        ("Min mattelärare heter Karin", [("person", "Karin", "mattelärare")]),
        ("Jag har en hund som heter Bosse", [("animal", "Bosse", "hund")]),
        ("Jag bor i Malmö med mamma", [("place", "Malmö", ""), ("person", "Mamma", "")]),
        ("Jag är allergisk mot nötter", []),
    ],
)
def test_it_is_read_in_swedish_too(text, about):
    assert subjects(text, language="sv")[0] == [
        (Kind(kind), name, relation) for kind, name, relation in about
    ]


def test_one_who_has_a_name_is_one():
    """ "My brother" is Noah where he is the only one; of teachers one has several."""
    _told, brother, teacher = subjects(
        "I have a brother called Noah and a teacher called Karin", "My brother snores", "My teacher is kind"
    )
    assert brother == [("person", "Noah", "brother")] and teacher == [("person", "Teacher", "")]


def test_what_somebody_is_said_to_be_counts_most():
    """A cat stays one, however often it has and does what people do."""
    found = subjects("Moses is my cat", *[f"Moses has {number} toys" for number in range(9)])
    assert all(about == [("animal", "Moses", "cat")] for about in found)


def test_what_names_nothing_belongs_to_what_an_edge_joins_it_with():
    """By an edge about the same person or thing; of a place only to a place, and never by a weak one."""
    texts = ("Moses is my cat", "He sleeps on my desk", "I live in Lund", "It rains a lot")
    edges = [(1, 0, "ABOUT", 0.7), (3, 2, "LOCATED_AT", 0.5), (3, 0, "LOCATED_AT", 0.9)]
    assert subjects(*texts, edges=edges)[1] == [("animal", "Moses", "cat")]
    assert subjects(*texts, edges=edges)[3] == []


def test_words_are_read_once():
    """What was read of a fact is kept where the caller says, and taken from there."""
    fact = Fact(id=new_id(), text="Moses is my cat", language="en")
    read = {}
    find_subjects([fact], read=read)
    assert list(read) == [fact.id]
    read[fact.id] = []
    assert find_subjects([fact], read=read) == {}


def test_a_subject_is_named_in_an_address():
    assert Subject(kind=Kind.PERSON, name="Noah").key == "person:noah"


@cases(
    "text",
    [
        "",
        " ",
        "🙂" * 300,
        "A" * 5000,
        "my my my",
        "'s 's",
        "\u202eMoses is my cat",
        "<b>Noah</b> is my brother",
    ],
)
def test_odd_words_break_nothing(text):
    subjects(text)
