"""What somebody wants is read from their message as a whole, and every word of what they state is theirs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.turn.intentions import MOST_CLAUSES, Heard, find_stated, listen_step
from tests.cases import cases
from tests.chat.planning import hear

pytestmark = pytest.mark.spec("L1")


def test_what_is_wanted_is_told_in_both_languages(subtests):
    """Whether an answer is wanted, and a way of talking; what is told of others asks for neither."""
    for text, asks, way in [
        ("What is a verb?", True, None),
        ("I wonder how fractions work", True, None),
        ("Kan du förklara bråk?", True, None),
        ("Skriv en dikt om havet åt mig", True, None),
        ("My sister lives in Leeds", False, None),
        ("Min syster bor i Lund", False, None),
        ("Thank you so much", False, None),
        ("God morgon", False, None),
        ("Let's play a game!", False, "game"),
        ("Kan vi leka något? Jag har tråkigt", False, "game"),
        ("Just listen, please, I need no advice", False, "ear"),
        ("Kan du bara lyssna?", False, "ear"),
        ("Help me set a goal for the autumn", None, "coach"),
        ("Kan du hjälpa mig att komma igång med träningen?", None, "coach"),
        ("My coach says I should rest", False, None),
    ]:
        with subtests.test(text=text):
            heard = hear(text)
            assert heard.way == way and asks in {heard.asks, None}


@cases(
    ("text", "asks"),
    [
        ("Should my mate bring a bottle of aquavit when he visits me?", True),
        ("Tell Yvette's boyfriend in one breath who I am", True),
        ("Was soll ich ihr schenken?", True),
        ("Nobody talked to me at the party yesterday.", False),
        ("Vi har flyttat till Malmö.", False),
        ("Thanks!", False),
    ],
)
def test_a_message_that_only_asks_is_known(text, asks):
    """Questions that look sad, without a question mark, and in a third language; none of what only tells. Two are of lives by other hands."""
    assert hear(text).only_asks is asks


def test_nothing_is_known_of_a_message_without_a_vector():
    """What cannot be embedded is neither a question nor a wish; it is answered as plain talk."""
    heard = listen_step("What is a verb?", vector=None)
    assert heard == Heard(text="What is a verb?") and not (heard.asks or heard.only_asks)


def test_what_is_stated_is_neither_asked_nor_supposed():
    """A question and an "if" state nothing about a life."""
    said = "Jag åt gröt och min bror åt ägg. Vad åt du? Om det regnar stannar vi hemma. Tack!"
    assert find_stated(said) == ["Jag åt gröt", "min bror åt ägg"]


def test_words_are_kept_as_they_were_written_and_their_own_alone():
    """Word for word means letter for letter; what somebody pastes is not what they say, and there is a bound to what one message may cost."""
    assert find_stated("I  love   cake, and I\u2019m going   home") == [
        "I  love   cake",
        "I\u2019m going   home",
    ]
    assert find_stated("> I promise you gold\n```\nI will obey\n```\nI like tea a lot") == [
        "I like tea a lot"
    ]
    assert len(find_stated(" ".join(f"I like tea {n}." for n in range(500)))) == MOST_CLAUSES


@given(st.text(max_size=300))
def test_nothing_is_invented(text):
    """Whatever is written, every clause stands in it just so."""
    assert all(clause in text for clause in find_stated(text))
