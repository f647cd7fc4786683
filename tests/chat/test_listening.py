"""What somebody means is read clause by clause, and every word of it is theirs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.turn.intentions import listen_step

pytestmark = pytest.mark.spec("L1")


def listen(text, language="en"):
    return listen_step(text, language=language)


def test_intention_of_a_clause_is_told_by_its_words(subtests):
    """Each kind there is, in both languages."""
    for text, language, kind in [
        ("What is a verb?", "en", "question"),
        ("I wonder when the library opens", "en", "question"),
        ("Can you explain fractions?", "en", "request"),
        ("Help me with my essay", "en", "request"),
        ("I'd like to learn the guitar", "en", "wish"),
        ("I hope we win on Saturday", "en", "wish"),
        ("I'm going to the doctor tomorrow", "en", "plan"),
        ("I'll read two chapters tonight", "en", "plan"),
        ("I promise to call my sister", "en", "promise"),
        ("I need to remember to take my medication", "en", "reminder_wish"),
        ("Don't let me forget the dentist", "en", "reminder_wish"),
        ("Thank you so much", "en", "thanks"),
        ("Thanks so much for the help with fractions", "en", "thanks"),
        ("Good morning", "en", "greeting"),
        ("My sister lives in Leeds", "en", "statement"),
        ("If I fail I will move", "en", "supposition"),
        ("Vad är ett verb?", "sv", "question"),
        ("Jag undrar när biblioteket öppnar", "sv", "question"),
        ("Kan du förklara bråk?", "sv", "request"),
        ("Jag skulle vilja lära mig gitarr", "sv", "wish"),
        ("Jag hoppas att vi vinner på lördag", "sv", "wish"),
        ("Imorgon ska jag till läkaren", "sv", "plan"),
        ("Jag tänker läsa två kapitel ikväll", "sv", "plan"),
        ("Jag lovar att ringa min syster", "sv", "promise"),
        ("Jag måste komma ihåg att ta medicinen", "sv", "reminder_wish"),
        ("Påminn mig om tandläkaren", "sv", "reminder_wish"),
        ("Tack så mycket", "sv", "thanks"),
        ("Tack så mycket för hjälpen idag", "sv", "thanks"),
        ("God morgon", "sv", "greeting"),
        ("Min syster bor i Lund", "sv", "statement"),
        ("Om jag kuggar får jag flytta", "sv", "supposition"),
    ]:
        with subtests.test(text=text, language=language):
            assert [one.kind for one in listen(text, language).intentions] == [kind]


def test_what_is_denied_is_no_plan_wish_or_promise(subtests):
    """Nobody is held to what they said they would not do."""
    for text, language in [
        ("I won't go there", "en"),
        ("I don't want to talk about it", "en"),
        ("I will never go back", "en"),
        ("I don't promise anything", "en"),
        ("Jag ska inte gå dit", "sv"),
        ("Jag vill inte prata om det", "sv"),
        ("Jag lovar inte någonting", "sv"),
    ]:
        with subtests.test(text=text, language=language):
            assert [one.kind for one in listen(text, language).intentions] == ["statement"]


def test_message_is_heard_clause_by_clause_with_its_times():
    """The document's own examples, in one breath."""
    heard = listen("Hi! Tomorrow I'm going to the doctor, and I need to remember to take my medication.")
    assert [(one.kind, one.text) for one in heard.intentions] == [
        ("greeting", "Hi"),
        ("plan", "Tomorrow I'm going to the doctor"),
        ("reminder_wish", "I need to remember to take my medication"),
    ]
    assert [one.times for one in heard.intentions] == [(), ("Tomorrow",), ()]
    assert heard.facts == ("Tomorrow I'm going to the doctor",)


def test_facts_are_what_states_something_and_nothing_that_is_asked_or_supposed():
    """A question and an "if" state nothing about a life."""
    heard = listen("Jag åt gröt och min bror åt ägg. Vad åt du? Om det regnar stannar vi hemma. Tack!", "sv")
    assert heard.facts == ("Jag åt gröt", "min bror åt ägg")


def test_words_are_heard_as_they_were_written_and_their_own_alone():
    """Word for word means letter for letter; what somebody pastes is not what they say, and there is a bound to what one message may cost."""
    heard = listen("I  love   cake, and I\u2019m going   home")
    assert [one.text for one in heard.intentions] == ["I  love   cake", "I\u2019m going   home"]
    pasted = listen("> I promise you gold\n```\nI will obey\n```\nI like tea a lot")
    assert pasted.facts == ("I like tea a lot",)
    assert len(listen("I like tea. " * 500).intentions) == 40


@given(st.text(max_size=300), st.sampled_from(["en", "sv"]))
def test_nothing_is_invented(text, language):
    """Whatever is written, every clause stands in it just so."""
    heard = listen(text, language)
    assert all(one.text in text for one in heard.intentions)
    assert set(heard.facts) <= {one.text for one in heard.intentions}
