"""What a memory keeps to itself: one that speaks of danger comes by its own topic only, never because somebody asks who they are."""

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import as_language, tokens
from memory.reading.params import READING
from memory.reading.service import danger_chances, get_heads
from memory.student.workingset import WorkingSet


def may_come_up(
    working_set: WorkingSet,
    rows: NDArray[np.int64],
    question: str,
    *,
    vector: NDArray[np.floating],
    embedder: Embedder,
) -> NDArray[np.bool_]:
    """Return (n,) which of `rows` a question may call to mind.

    A memory of danger comes where the question perhaps speaks of danger itself, or where it is surely an answer to it and they share
    a word. Where the embedder is away nobody can tell, and it stays where it is.

    Args:
        vector: (d,) of the question.
    """
    held = working_set.of_danger[rows]
    if not held.any() or not vector.any():
        return ~held
    heads = get_heads(embedder)
    if danger_chances([question], vector[None], heads)[0] >= READING.danger_perhaps:
        return np.ones(len(rows), dtype=bool)
    nodes = [working_set.nodes[row] for row in rows.tolist()]
    texts = [node.text or "" for node in nodes]
    told = heads.read_relevance(question, texts, vector, working_set.corpus.vectors[rows])
    answers = 1 - told.probabilities[:, told.classes.index("no")] >= READING.surely_relevant
    languages = [as_language(node.language) for node in nodes]
    shares = [
        not set(tokens(question, language)).isdisjoint(tokens(text, language))
        for text, language in zip(texts, languages, strict=True)
    ]
    return ~held | (answers & np.array(shares))
