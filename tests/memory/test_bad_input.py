"""Whatever is written, the reader and recall answer: junk, mixed and third languages, endless text, emoji, code, nothing there."""

import math

import pytest

from companion_site.embeddings.service import get_embedder
from memory.reading.service import calls_for_memory, find_danger, get_heads, nearest_to, wish_chances
from memory.reading.statements import find_statements
from memory.student.ledger_promotion import find_promotions

ODD = {
    "nothing": "   \n\t",
    "junk": "qwrtp ;;;; %%% \u202e\u0007 0x00 ---- ????",
    "mixed languages": "Jag bor i Lund but my dad lives in Leeds, och vi ses varje summer",
    "a third language": "Jeg heter Ola og jeg bor på en gård utenfor Bodø sammen med bestemor",
    "another script": "私はルンドに住んでいて、犬の名前はボッセです。",
    "32,000 characters": ("I like tea. " * 2_667)[:32_000],
    "one word of 32,000 characters": "a" * 32_000,
    "only emoji": "🙂🙂🎉🎉👩‍👩‍👧",
    "only code": "```\nfor (let i = 0; i < 9; i++) { always(answer); }\n```",
}
ASKED = "What do you know about me?"


def test_the_reader_answers_whatever_is_written(subtests):
    """Each statement is a span of the message, each chance a probability, and nothing is taken for danger or for a wish."""
    embedder = get_embedder()
    heads = get_heads(embedder)
    for name, text in ODD.items():
        with subtests.test(case=name):
            vectors = embedder.embed([text])
            found = find_statements(text, language="en", embedder=embedder)
            assert all(text[one.start : one.end] == one.text for one in found)
            chances = [
                float(wish_chances([text], vectors, heads)[0]),
                *(
                    calls_for_memory(
                        text,
                        vectors[0],
                        heads,
                        nearest=nearest_to(vectors[0], memories, heads),
                        bearing=bearing,
                    )
                    for memories, bearing in ((vectors[:0], ()), (vectors, (0.0,)), (vectors, (1.0, 1.0)))
                ),
            ]
            assert all(math.isfinite(chance) and 0 <= chance <= 1 for chance in chances)
            assert find_danger(text, embedder=embedder) is None
            assert find_promotions(text, found, language="en", rounds=1, danger=None, embedder=embedder) == []


@pytest.mark.django_db
def test_recall_answers_whatever_is_asked_and_remembered(memory, subtests):
    """Of an empty memory nothing comes; of one that holds all that, only what was said, and a plain memory is still found."""
    for name, text in ODD.items():
        with subtests.test(case=name, memory="empty"):
            assert memory.recall(text) == []
    for text in ODD.values():
        memory.hear(text)
    memory.hear("My dog Bosse is afraid of thunder and hides in the wardrobe")
    for name, text in ODD.items():
        with subtests.test(case=name, memory="full of it"):
            assert all(math.isfinite(one.score) and one.text for one in memory.recall(text))
    assert any("Bosse" in one.text for one in memory.recall("What is my dog called?"))
    assert memory.recall(ASKED)
