"""Which part of long-term memory a memory belongs to; how well it is told is counted by the bench of the reader."""

import pytest

from companion_site.embeddings.service import get_embedder
from memory.student.sleep.consolidation import categorise
from tests.memory.student.sleep.batches import item

pytestmark = [pytest.mark.spec("I1", "I3")]


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
