"""Sleep without a model: everything becomes lasting in the person's own words; no word of it is lost."""

import pytest

from companion_site.embeddings.service import get_embedder
from memory.student.sleep.consolidation import categorise
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
    assert not (done.insights or done.let_go or done.left)
    assert (done.provider, done.model) == ("offline", "")


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


@pytest.mark.spec("I1")
def test_plain_memories_go_where_they_belong(subtests):
    """In either language; who somebody is, is background."""
    for text, category, is_basic in [
        ("I am really good at long division.", "strengths", False),
        ("Jag är bäst i klassen på glosor.", "strengths", False),
        ("I find geometry terribly hard.", "struggles", False),
        ("Jag har jättesvårt för tysk grammatik.", "struggles", False),
        ("My goal is to become a vet.", "goals", False),
        ("Jag vill bli pilot när jag blir stor.", "goals", False),
        ("My name is Wilma and I am twelve.", "background", True),
        ("Jag bor i Kiruna med min mamma.", "background", True),
        ("The cake tasted of cardamom.", "background", False),
    ]:
        with subtests.test(text=text):
            (part,) = categorise([item(text)], embedder=get_embedder())
            assert (part.category, part.is_basic) == (category, is_basic)
    assert categorise([], embedder=get_embedder()) == []


def test_how_somebody_likes_to_be_helped_is_no_success():
    """A way of working and an impression are background, whatever they sound like."""
    (plain,) = categorise(
        [item("I am good at solving puzzles.", modality="procedural")], embedder=get_embedder()
    )
    assert plain.category == "background"
