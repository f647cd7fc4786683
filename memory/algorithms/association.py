"""What the best answers bring to mind: their activation spreads to what the same person said like them another time. Pure numpy.

Some questions are answered by several things together ("what has she read?"), said on different days. A question finds
one of them by its words; the others are like that one rather than like the question. So the best answers of a ranking
are a frontier, likeness is the edge, and the greatest weight of an edge from the frontier is one more signal, in the
same unit as the others.

Edges lead only to the same person, for another's words answer another question, and out of the session, whose turns
the ranking has looked at already. What each of that is worth: docs/algorithms/recall.md.
"""

from dataclasses import dataclass, replace

import numpy as np

from memory.algorithms.activation import IntArray
from memory.algorithms.fusion import Corpus, FloatArray, Ranking
from memory.algorithms.scaling import standardise


@dataclass(frozen=True, kw_only=True)
class AssociationParams:
    """How far the best answers lead."""

    #: answers that activation spreads from
    seeds: int = 10
    #: of the signal, in standard deviations of the ranking's score. Up to .2 nothing else loses by it.
    weight: float = 0.15
    #: The best of the ranking keep their places: what is led to completes an answer, it does not begin one.
    held: int = 5


ASSOCIATION = AssociationParams()


def associate(corpus: Corpus, ranking: Ranking, *, params: AssociationParams = ASSOCIATION) -> Ranking:
    """Return the ranking with what its best answers lead to moved up, behind the first `held`.

    Equal scores go to the lower row; cosine, words and signals stay as they were. Costs one product of the vectors
    with those of the seeds.
    """
    rows = np.flatnonzero(corpus.alive)
    deviation = float(ranking.score[rows].std()) if len(rows) else 0.0
    seeds = ranking.order[: params.seeds]
    if params.weight == 0 or not len(seeds) or deviation < 1e-6:
        return ranking
    strength = np.exp((ranking.score[seeds] - ranking.score[seeds[0]]) / np.float32(deviation))
    led = (_likeness(corpus, seeds) * strength[:, None]).max(axis=0)
    lifted = ranking.score + np.float32(params.weight * deviation) * standardise(led, corpus.alive)
    held = ranking.order[: params.held]
    is_other = corpus.alive.copy()
    is_other[held] = False
    others = np.flatnonzero(is_other)
    order = np.concatenate([held, others[np.argsort(-lifted[others], kind="stable")]])
    return replace(ranking, order=order, score=lifted)


def _likeness(corpus: Corpus, seeds: IntArray) -> FloatArray:
    """Return (s, n) cosine of seeds and rows without what all vectors share; 0 where no edge leads."""
    common = corpus.isotropy
    directions = common.clean(corpus.vectors[seeds])
    # The cleaned seeds are orthogonal to the shared directions, so the rows need no cleaning of their own.
    dots = directions @ corpus.vectors.T - (directions @ common.mean)[:, None]
    likeness = np.maximum(dots / (corpus.spread[seeds][:, None] * corpus.spread), np.float32(0))
    session = corpus.surroundings.sessions
    leads = corpus.speaker[seeds][:, None] == corpus.speaker
    leads &= session[seeds][:, None] != session
    leads &= (corpus.known[seeds])[:, None] & corpus.known & corpus.alive
    return np.asarray(np.where(leads, likeness, 0), np.float32)
