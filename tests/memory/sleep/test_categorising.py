"""Which part of long-term memory a memory belongs to, measured on labelled sentences."""

import functools
import json

import numpy as np
import pytest

from companion_site.embeddings.service import get_embedder
from companion_site.running.embedded import PROJECT
from memory.sleep.categorising import Part, categorise, choose_category
from memory.sleep.prototypes import KINDS, SENTENCES
from tests.memory.sleep.batches import item

pytestmark = [pytest.mark.spec("I1", "I3")]

LABELLED = PROJECT / "tests" / "data" / "sleep.json"


@functools.cache
def judged() -> tuple[tuple[dict, Part], ...]:
    """Return the labelled rows with what they are taken for."""
    rows = json.loads(LABELLED.read_text())["rows"]
    vectors = get_embedder().embed([row["text"] for row in rows])
    items = [
        item(row["text"], language=row["language"], vector=vector)
        for row, vector in zip(rows, vectors, strict=True)
    ]
    return tuple(zip(rows, categorise(items, embedder=get_embedder()), strict=True))


def half(odd: int, language: str | None = None) -> list[tuple[dict, Part]]:
    """Return every other pair of rows: 0 is what the numbers were chosen on."""
    chosen = [pair for at, pair in enumerate(judged()) if at // 2 % 2 == odd]
    return [(row, part) for row, part in chosen if language in (None, row["language"])]


def test_prototypes_are_balanced_and_not_the_labelled_sentences():
    """Each part has as many in English as in Swedish, and what is measured was never shown."""
    shown = {sentence for sentences in SENTENCES.values() for sentence in sentences}
    assert not shown & {row["text"] for row, _ in judged()}
    assert set(SENTENCES) == set(KINDS)
    assert all(len(sentences) % 2 == 0 and len(sentences) >= 24 for sentences in SENTENCES.values())


@pytest.mark.parametrize("language", ["en", "sv"])
def test_most_memories_go_where_they_belong(language):
    """In either language, on the half that nothing was chosen on."""
    rows = half(1, language)
    assert np.mean([row["category"] == part.category for row, part in rows]) >= 0.85


def test_what_is_called_clear_is_clear():
    """What surely is a strength, a struggle or a goal nearly always is."""
    clear = [(row, part) for row, part in half(1) if part.is_clear]
    assert len(clear) >= 20
    assert np.mean([row["category"] == part.category for row, part in clear]) >= 0.9


def test_who_somebody_is_is_nearly_always_seen():
    """School, grade, family, language, home: on both halves, and few others are taken for it."""
    rows = [*half(0), *half(1)]
    assert np.mean([part.is_basic for row, part in rows if row["basic"]]) >= 0.95
    assert np.mean([row["basic"] for row, part in rows if part.is_basic]) >= 0.75


def test_how_somebody_likes_to_be_helped_is_no_success():
    """A way of working and an impression are background, whatever they sound like."""
    (plain,) = categorise(
        [item("I am good at solving puzzles.", modality="procedural")], embedder=get_embedder()
    )
    assert plain.category == "background"


def test_a_group_is_what_most_of_its_weight_is():
    """The weightiest part names the group, and what is clear counts twice."""
    goal, past = Part(category="goals", is_clear=True), Part(category="background")
    assert choose_category([goal, past], [0.5, 0.6]) == "goals"
    assert choose_category([goal, past, past], [0.5, 0.6, 0.6]) == "background"
    assert choose_category([], []) == "background"
