"""What a question calls to mind."""

from datetime import timedelta

import pytest

from memory.services import touch
from tests.factories import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G9")]


@pytest.mark.parametrize(
    ("said", "language", "question"),
    [
        ("I find recursion hard, please explain step by step", "en", "can you help me with recursion?"),
        (
            "Jag tycker rekursion är svårt, förklara gärna steg för steg",
            "sv",
            "kan du hjälpa mig med rekursion?",
        ),
        ("I get headaches when I read small print for long", "en", "why does my head ache after studying?"),
    ],
)
def test_a_preference_comes_back(memory, said, language, question):
    """What was said is found by a question about it, in the words of the person."""
    memory.hear(said, language=language)
    memory.hear("My dog Bosse is afraid of thunder and hides in the wardrobe")
    assert memory.recall(question)[0].text in said


def test_what_has_nothing_to_do_with_it_stays_away(memory):
    """A question that shares neither words nor meaning with a memory does not get it."""
    memory.hear("My dog Bosse is afraid of thunder and hides in the wardrobe")
    assert memory.recall("Solve x squared equals nine") == []


def test_an_empty_space_recalls_nothing(memory):
    """Before anything was said there is nothing, and no error."""
    assert memory.recall("What do you know about me?") == []


@pytest.mark.spec("G7")
def test_use_raises_gravity_and_starts_the_clock_again(memory):
    """A memory that was used weighs more than before, and its decay counts from then."""
    (formed, *_) = memory.hear("I find recursion hard, please explain step by step")
    later = NOW + timedelta(days=10)
    before = memory.recall("recursion", at=later)[0].gravity
    touch(memory.space, [formed], now=later)
    after = memory.recall("recursion", at=later)[0].gravity
    assert after > before
    touch(memory.space, [formed], now=NOW)
    assert memory.recall("recursion", at=later)[0].gravity == after
