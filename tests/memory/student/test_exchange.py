"""What a model says of an exchange is believed word by word: what resolves a pronoun or a day stands, what adds to it does not."""

from uuid import uuid4

import pytest

from memory.student.exchange.findings import check
from memory.student.exchange.prompts import Exchange, Line, ReadExchange, ReadFact
from tests.factories import NOW

pytestmark = pytest.mark.spec("G3")

MIRA = "How is Mira?"
#: (language, what was said before, the message, the quote, the text that stands; said on Monday the 2nd of March 2026)
STANDS = (
    ("en", "My brother Noah plays chess.", "He wants me to play with him.", "My brother Noah wants me to play chess with him."),
    ("en", "", "Grandpa is in hospital, he broke his hip.", "My grandpa broke his hip and is in hospital."),
    ("en", "", "I have a biology test on Friday.", "I have a biology test on Friday 6 March 2026."),
    ("en", "", "please don't give me lists of tips", "I do not want to be given lists of tips."),
    ("en", "", "we r moving in two weeks to Oslo", "We are moving to Oslo on 16 March 2026."),
    ("en", MIRA, "we haven't talked since last Friday", "Mira and I haven't talked since Friday 27 February."),
    ("en", "Mira has a dog. What is it called?", "Bosse", "Mira's dog is called Bosse."),
    ("sv", "", "Jag har prov i biologi på fredag.", "Jag har prov i biologi fredagen den 6 mars."),
    ("sv", "Min bror heter Viggo.", "Han bor i Lund nu.", "Min bror Viggo bor i Lund."),
    ("sv", "", "Vi flyttade till Malmö igår.", "Vi flyttade till Malmö den 1 mars 2026."),
    ("sv", "", "jag tål inte laktos", "Jag tål inte laktos."),
)  # fmt: skip
FALLS = (
    ("en", "", "I have a biology test on Friday.", "I have a biology test on 13 March."),
    ("en", "", "I have a biology test on Friday.", "I have a biology test on Friday 6 March 2027."),
    ("en", "", "I have a biology test on Friday.", "I have a biology test on Friday in April."),
    ("en", MIRA, "she has two dogs", "Mira has three dogs."),
    ("en", MIRA, "she has two dogs", "Mira has no dogs."),
    ("en", MIRA, "she has two dogs", "Lisa has two dogs."),
    ("sv", "", "jag tål inte laktos", "Jag tål laktos."),
    ("sv", "", "Han bor i Lund nu.", "Min bror Viggo bor i Lund."),
)


def read(language: str, before: str, said: str, text: str) -> list[str]:
    """Return what is kept of one fact whose quote is the whole message."""
    common = {"language": language, "said_at": NOW}
    lines = [
        Line(id=uuid4(), number=1, text=before, is_person=False, **common),
        Line(id=uuid4(), number=2, text=said, is_person=True, is_new=True, **common),
    ]
    found = check(ReadExchange(facts=[ReadFact(message=2, quote=said, text=text)]), Exchange(lines=lines))
    return [fact.text for fact in found.facts]


def test_a_text_that_only_resolves_what_was_said_stands(subtests):
    """Names for pronouns, days for "on Friday", and the person's own words in a whole sentence."""
    for case in STANDS:
        with subtests.test(case[-1]):
            assert read(*case) == [case[-1]]


def test_a_text_that_adds_or_changes_falls_back_to_the_words(subtests):
    """Another day, year, month, number, name, or denial; and what is no sentence by itself is not kept."""
    for case in FALLS:
        with subtests.test(case[-1]):
            assert read(*case) == [case[2]]
    assert read("en", "What is it called?", "Bosse", "Mira's dog is called Bosse.") == []
