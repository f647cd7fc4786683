"""How new a message is to a space, which decides how much of it is remembered.

A memory of several statements is near everything on its topic: its vector is their mean. So what is said is compared with
each of its statements, as it was before they became one.
"""

import numpy as np

from companion_site.embeddings.protocol import Embedder
from memory.algorithms.difference import differ_in_value
from memory.algorithms.snr import DEFAULT_PARAMS as SNR
from memory.algorithms.snr import novelty
from memory.params import FORMATION, FormationParams
from memory.student.workingset import WorkingSet


def measure_novelty(
    text: str,
    vector: np.ndarray,
    *,
    working_set: WorkingSet,
    embedder: Embedder,
    params: FormationParams = FORMATION,
) -> float:
    """Return how new a message is here, 0 to 1; one that changes a value is never a mere repetition.

    Args:
        vector: (d,) of the whole message, unit length.
    """
    corpus = working_set.corpus
    alike = embedder.calibration.similarity(np.where(corpus.alive, corpus.vectors @ vector, -1.0))
    near = np.flatnonzero(alike > SNR.differing_similarity)
    nearest = float(np.max(np.delete(alike, near), initial=0.0))
    # None says the same behind so many that do not.
    for row in near[np.argsort(-alike[near], kind="stable")][: params.compared]:
        if alike[row] <= nearest:
            break
        statement, similarity = _likest_statement(int(row), vector, float(alike[row]), working_set, embedder)
        if similarity > SNR.differing_similarity and differ_in_value(text, statement):
            similarity = SNR.differing_similarity
        nearest = max(nearest, similarity)
    return novelty(np.array([nearest]))


def _likest_statement(
    row: int, vector: np.ndarray, similarity: float, working_set: WorkingSet, embedder: Embedder
) -> tuple[str, float]:
    """Return the statement of a memory that is most like the message, and how much."""
    node = working_set.nodes[row]
    statements = (node.text or "").splitlines() or [""]
    if not node.derived:
        return node.text or "", similarity
    vectors = working_set.statement_vectors.get(node.id)
    if vectors is None:
        vectors = working_set.statement_vectors[node.id] = embedder.embed(statements)
    cosines = vectors @ vector
    at = int(np.argmax(cosines))
    return statements[at], float(embedder.calibration.similarity(cosines[at : at + 1])[0])
