"""Messages read beside one another: a correction leaves the last value, and another's text is none of the person's."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion_site.embeddings.service import get_embedder
from memory.company.extraction.dialogue import Dialogue
from memory.company.extraction.exchange import SOON, hear
from memory.company.extraction.offline import read_offline
from memory.company.extraction.validation import check
from tests.memory.company.extraction.conftest import make_dialogue

pytestmark = pytest.mark.spec("C5")


def facts_of(dialogue: Dialogue) -> list[str]:
    facts, _ = check(read_offline(dialogue, embedder=get_embedder()), dialogue)
    return [fact.content for fact in facts]


def test_a_correction_leaves_the_last_value_only(subtests):
    """In one sentence, in one message, over messages; a number, a day, a date, a name; with the unit that was said first."""
    for language, messages, expected in [
        ("en", ["The rent is 150,000 a year ... no wait, 120,000"], "The rent is 120,000 a year"),
        ("en", ["Our rent is 150,000 a year", "How nice. Who pays it?", "no wait, 120,000"], "Our rent is 120,000 a year"),
        ("sv", ["Hyran på lokalen är 150 000 kr om året, nej vänta, 120 000"], "Hyran på lokalen är 120 000 kr om året"),
        ("sv", ["Hyran på lokalen är 150 000 kr om året", "Jaha.", "nej, 120 000"], "Hyran på lokalen är 120 000 kr om året"),
        ("sv", ["Vi har 12 anställda i firman", "Jaha.", "förlåt, det är 14 inte 12"], "Vi har 14 anställda i firman"),
        ("sv", ["Vår revisor heter Lena Ask", "Jaha?", "fel av mig, Lena Berg"], "Vår revisor heter Lena Berg"),
        ("sv", ["Personalmötet är på måndagar", "Jaha.", "jag menar onsdagar"], "Personalmötet är på onsdagar"),
        ("en", ["We open in Leeds on 9 April", "I see.", "Correction: 16 April", "Yes.", "sorry, I mean 17 April"], "We open in Leeds on 17 April"),
    ]:  # fmt: skip
        with subtests.test(messages=messages):
            assert facts_of(make_dialogue(*messages, language=language)) == [expected]


def test_the_fact_comes_from_the_message_that_puts_it_right():
    """Its source is where its value is said."""
    dialogue = make_dialogue("Our rent is 150,000 a year", "I see.", "no wait, 120,000")
    (fact,), _ = check(read_offline(dialogue, embedder=get_embedder()), dialogue)
    assert fact.message == dialogue.lines[2].id


def test_what_puts_nothing_right_is_left_as_it_is(subtests):
    """An answer to a question, a value of another kind, a wish to wait, a question, a second thing with a value of its own."""
    for language, *messages in [
        ("sv", "Hyran på lokalen är 150 000 kr om året", "Är det med 25 % moms?", "nej, 12 procent"),
        ("sv", "Vi fakturerar i maj", "Ja.", "Vänta med fakturan till juni"),
        ("en", "Our rent is 150,000 a year", "I see.", "no wait, 120,000?"),
        ("en", "Our rent is 150,000 a year", "I see.", "and 20,000 for the yard"),
        ("sv", "Vår revisor heter Lena Ask", "Jaha.", "nej vänta, 120 000"),
    ]:
        with subtests.test(messages=messages):
            dialogue = make_dialogue(*messages, language=language)
            assert [one.text for one in hear(dialogue)] == messages[::2]
    late = make_dialogue("Our rent is 150,000 a year", "I see.", "no wait, 120,000")
    first, *rest = late.lines
    for line in rest:
        object.__setattr__(line, "said_at", first.said_at + SOON + timedelta(minutes=1))
    assert [one.beside for one in hear(late)] == [(), ()]


def test_another_s_text_and_what_is_played_are_no_facts(subtests):
    """To be translated, written by somebody else, or said in a game until that ends."""
    for language, messages, expected in [
        ("en", ["Translate this to English: Vår revisor heter Per Olsson"], []),
        ("en", ["Please translate the following", "Send it.", "Vår revisor heter Per Olsson"], []),
        ("sv", ["Så här skrev kunden:", "Ja?", "Vårt bolag har bytt revisor till Per Olsson"], []),
        (
            "sv",
            ["Låtsas att du är en kund", "Ja.", "Vårt företag har sju lastbilar", "Ja.", "slut på leken", "Ja.", "Vi har två lastbilar"],
            ["Vi har två lastbilar"],
        ),
        ("en", ["Our auditor is called Lena Ask. Can you translate it?", "Ja.", "We hired two welders last week."],
         ["Our auditor is called Lena Ask", "We hired two welders last week"]),
    ]:  # fmt: skip
        with subtests.test(messages=messages):
            assert facts_of(make_dialogue(*messages, language=language)) == expected


@given(
    st.lists(
        st.text(max_size=80) | st.sampled_from(["no wait, 12", "nej, 3", "We pay 4 kr", "x:", "låtsas"]),
        max_size=9,
    )
)
def test_nothing_is_invented_whatever_is_written(texts):
    """Every message is heard once, in order; each word heard was said by its person."""
    dialogue = make_dialogue(*texts)
    heard = hear(dialogue)
    assert [one.line for one in heard] == list(dialogue.sources)
    said = "".join(line.text for line in dialogue.sources)
    assert all(letter in said or letter in ". " for one in heard for letter in one.text)
