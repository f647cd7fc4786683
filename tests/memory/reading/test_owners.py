"""Whose a thing is that a sentence speaks of."""

import pytest

from memory.reading.owners import ask_of_another, find_of_another
from tests.cases import cases

pytestmark = pytest.mark.spec("L3")


@cases(
    ("question", "statement"),
    [
        ("What is my dog called?", "Mira has a dog called Bosse."),
        ("Vad heter min hund?", "Mira har en hund som heter Bosse."),
        ("What is Mira's dog called?", "I have a dog called Rex."),
        ("What is the name of my boat?", "My cousin Ludo owns a narrowboat called Perseverance"),
        ("Vad heter min båt?", "Min kusin Ebba äger en segelbåt som heter Havsörn"),
        ("whats my ferret called", "my mate callum has a ferret called noodle and it BITES"),
        ("vad heter min leguan", "min kompis leila har en leguan som heter gösta"),
        ("whats my sister called", "callums sister is called precious and she is in year 11"),
        ("vad heter min syster", "Leilas syster heter Samira"),
        ("Vad heter min ponny?", "Min bästis heter Nova och hon har en ponny, Pralin!"),
        ("how tall is callum", "callums sister is called precious and she is in year 11"),
        ("What is my motorbike like?", "My friend Danilo has a motorbike, a red one."),
        ("Where do I live?", "My cousin lives in Oslo"),
        ("where do i live now", "my mum and my uncle live in oslo, its cold"),
        ("Var bor jag?", "Min kusin bor i Oslo"),
        ("Vad jobbar jag med?", "polaren Linnea flyttade till Visby, hon jobbar som sotare"),
        ("What do I bench?", "started lifting with Omar, he benches 100"),
        ("Var tränar jag?", "På torsdagar tränar Leila i Fyrishov"),
    ],
)
def test_what_is_somebody_else_s_is_no_answer(question, statement):
    """By possessives and by who has it, in both languages, with capitals and without."""
    assert find_of_another(question, [statement]) == [True]


@cases(
    ("question", "statement"),
    [
        ("What is my dog called?", "My dog is called Bosse and he is afraid of thunder."),
        ("What is the name of Mira's dog?", "Mira has a dog called Bosse."),
        ("What is my brother called?", "I live in Lund with my mum and my brother Noah."),
        ("What is my cat called?", "We have a cat called Professor"),
        ("Who is my maths teacher?", "My maths teacher is called Karin and she lets us ask anything."),
        ("who is my form tutor?", "my form tutor is mr adeyemi hes actually alright"),
        ("Where does my dad live?", "Dad moved to Umeå after the divorce"),
        ("Vad heter min bästis?", "Min bästis heter Nova och hon har en ponny, Pralin!"),
        ("Vad jobbar min pappa med?", "Pappa jobbar på Volvo."),
        ("Who is my best friend?", "My best friend is Rahel, we've known each other since preschool."),
        ("What's the name of my physio?", "My knee has been acting up, the physio is called Sanna"),
        ("What do I sing?", "I sing in a band with Mira."),
        ("Where do I live?", "Mira and I live in Lund."),
        ("Where do I live?", "My cousin lives in Oslo, but I live in Lund."),
        ("Var bor jag?", "Nu bor jag hos pappa i Malmö."),
        ("Who do I sit next to?", "Mira sits next to me in maths."),
        ("Vad heter hästen jag rider?", "rider Sessan nu, Zorro är halt"),
        ("Vem känner jag i Oslo?", "Min kusin Ali bor i Oslo."),
        ("What did I say about Oslo?", "My cousin said that Oslo is cold."),
        ("What am I doing on Friday?", "Grandma's party is on Friday."),
        ("", ""),
    ],
)
def test_nothing_is_said_where_it_fits_or_is_not_told(question, statement):
    """The same owner, none named, or a thing that the question gives to nobody."""
    assert find_of_another(question, [statement]) == [False]


@cases(
    ("before", "question", "asked"),
    [
        ("What is Mira's dog called?", "And my brother?", "What is called?"),
        ("Vad heter Miras hund?", "Och min bror?", "Vad heter ?"),
        ("When is my birthday?", "and Mira's?", "When is birthday?"),
        ("Where does Leo live?", "And me?", "Where does live?"),
    ],
)
def test_what_is_asked_of_another_is_no_longer_about_the_first(before, question, asked):
    """What is asked for stays, whom it is about does not."""
    assert ask_of_another(question, before) == asked


@cases(
    ("before", "question"),
    [
        ("What is my brother called?", "and when is his birthday?"),
        ("What is my brother called?", "and his dog?"),
        ("Who is the oldest of my cousins?", "and the other one?"),
        ("Where do I live?", "My brother?"),
        ("Where do I live?", ""),
        ("", "And me?"),
    ],
)
def test_what_asks_more_or_points_back_is_about_the_same(before, question):
    """A question with words of its own, one that points to whom was named, and one that joins nothing leave the one before as it is."""
    assert ask_of_another(question, before) == before
