"""Sleep without a model: everything becomes lasting in the person's own words; no word of it is lost."""

import pytest

from tests.memory.student.sleep.batches import item, message, think

pytestmark = [pytest.mark.spec("I3")]


@pytest.mark.spec("I1", "I2", "AC-2.1.1", "AC-2.1.2")
def test_every_memory_is_kept_word_for_word():
    """Each is taken into long-term memory as it is; nothing is written in its place, and nothing waits."""
    said = message(
        "My kitten is called Moses.", "He was born on 3 May in Gothenburg.", "He sleeps on the radiator."
    )
    done = think(said, with_model=False)
    assert set(done.kept) == {one.id for one in said}
    assert not done.insights and not done.let_go and done.is_complete
    assert (done.provider, done.model) == ("offline", "")


def test_a_struggle_never_stands_under_background():
    """What one message tells of several parts of a life comes into each of them."""
    said = message(
        "My name is Aylin and I am in the eighth grade.", "I find recursion hard and never understand it."
    )
    done = think(said, with_model=False)
    assert done.kept[said[0].id] == "background"
    assert done.kept[said[1].id] == "struggles"


@pytest.mark.spec("AC-2.1.4", "AC-2.1.6")
def test_what_was_told_is_kept_however_faint_it_is():
    """Who the person is, and what was said in passing, in either language."""
    said = [
        item("I go to Parkside School.", salience=0.1),
        item("I used to go riding with my dad when I was a kid.", salience=0.05),
        item("Jag bor i Gävle.", salience=0.1, language="sv"),
        item("Hemma pratar vi arabiska.", salience=0.1, language="sv"),
    ]
    done = think(said, with_model=False)
    assert set(done.kept) == {one.id for one in said}


@pytest.mark.spec("AC-2.1.3")
def test_the_memory_of_a_whole_message_goes_and_its_statements_stay():
    """A memory that only repeats the statements of its message is let go."""
    texts = ("My kitten is called Moses.", "He was born on 3 May in Gothenburg.")
    said = message(*texts)
    whole = item(
        " ".join(texts),
        sources=[one.source_id for one in said[0].sources],
        said_at=said[0].said_at,
        salience=0.9,
    )
    done = think([*said, whole], with_model=False)
    assert set(done.kept) == {one.id for one in said}
    assert done.let_go == [whole.id]
