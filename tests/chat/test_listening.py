"""What somebody wants is read from their message as a whole, and every word of what they state is theirs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.turn.intentions import MOST_CLAUSES, MOST_TOGETHER, find_stated
from tests.cases import cases
from tests.chat.planning import hear

pytestmark = pytest.mark.spec("L1")


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


def test_what_is_stated_is_neither_asked_nor_supposed():
    """A question and an "if" state nothing about a life."""
    said = "Jag åt gröt och min bror åt ägg. Vad åt du? Om det regnar stannar vi hemma. Tack!"
    assert find_stated(said) == ["Jag åt gröt", "min bror åt ägg"]


def test_whom_a_clause_is_about_stays_with_it():
    """ "Her name is Petra" tells nobody whose."""
    hired = "We have hired an accountant, her name is Petra"
    assert find_stated(f"{hired}. Her desk is by the door.") == [hired, "Her desk is by the door"]
    assert max(map(len, find_stated(hired + ", she likes tea with milk" * 30))) <= MOST_TOGETHER


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
