"""How strongly a node lights up: six terms of 0 to 1 and their sum by weights. Pure numpy."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from memory.algorithms.activation.params import ACTIVATION, TERMS, ActivationParams, FloatArray

#: What a source is thought of before anything is known: 15 of 20 times of use.
_USEFUL, _USELESS = 15.0, 5.0


@dataclass(frozen=True)
class Activation:
    """How strongly m nodes light up.

    Attributes:
        score: (m,) 0 to 1, the terms by their weights added up.
        terms: name → (m,) 0 to 1.
        weights: name → weight, 1 in all.
    """

    score: FloatArray
    terms: Mapping[str, FloatArray]
    weights: Mapping[str, float]

    def explain(self, at: int) -> dict[str, float]:
        """Return the terms of one node."""
        return {name: float(values[at]) for name, values in self.terms.items()}


def score_activation(
    *,
    cosine: ArrayLike,
    edge: ArrayLike,
    age_days: ArrayLike,
    uses: ArrayLike,
    task_affinity: ArrayLike,
    persona: ArrayLike,
    params: ActivationParams = ACTIVATION,
) -> Activation:
    """Return the score of m nodes and the six terms that it is the weighted sum of.

    Args:
        cosine: (m,) of node and query, -1 to 1; below 0 counts as 0. Where all vectors of a model are alike, give the
            cosine without what they share (`memory.algorithms.isotropy`), or the term tells nothing apart.
        edge: (m,) greatest weight of an edge to the frontier, 0 to 1 (`Bloom.edge`).
        age_days: (m,) since a node was last used; nan: it never was.
        uses: (m,) how often it was used, 0 or more.
        task_affinity, persona: (m,) 0 to 1 (`share_of_tags`).

    Raises:
        ValueError: the terms have different lengths.
    """
    given = {
        "meaning": np.asarray(cosine, np.float64),
        "edge": np.asarray(edge, np.float64),
        "recency": recency_term(age_days, half_life_days=params.recency_half_life_days),
        "usage": usage_term(uses, scale=params.usage_scale),
        "task": np.asarray(task_affinity, np.float64),
        "persona": np.asarray(persona, np.float64),
    }
    if len({values.shape for values in given.values()}) != 1:
        raise ValueError("every term needs one value for each node")
    clipped = np.clip(np.nan_to_num(np.stack(list(given.values()))), 0.0, 1.0)
    terms = dict(zip(given, clipped, strict=True))
    weights = {name: float(getattr(params.weights, name)) for name in TERMS}
    score = np.zeros(len(terms["meaning"]))
    for name in TERMS:
        score += weights[name] * terms[name]
    return Activation(np.clip(score, 0.0, 1.0), terms, weights)


def recency_term(age_days: ArrayLike, *, half_life_days: float) -> FloatArray:
    """Return (m,) 1 for what was used just now, half as much after each half-life, 0 for what never was (nan)."""
    age = np.maximum(np.asarray(age_days, np.float64), 0.0)
    return np.asarray(np.nan_to_num(np.exp2(-age / half_life_days)), np.float64)


def usage_term(uses: ArrayLike, *, scale: int) -> FloatArray:
    """Return (m,) `ln(1 + uses) / ln(1 + scale)`, at most 1: the first uses say more than the hundredth."""
    counted = np.clip(np.asarray(uses, np.float64), 0, scale)
    return np.asarray(np.log1p(counted) / np.log1p(scale), np.float64)


def share_of_tags(carried: Sequence[Collection[str]], wanted: Collection[str]) -> FloatArray:
    """Return (m,) the share of the `wanted` tags (a task's, a persona's) that each node carries; 0 where none is."""
    tags = frozenset(wanted)
    if not tags:
        return np.zeros(len(carried))
    return np.array([len(tags.intersection(own)) for own in carried], np.float64) / len(tags)


def source_weight(shown: ArrayLike, helped: ArrayLike) -> FloatArray:
    """Return (s,) what the scores of a source's nodes are multiplied by, .5 to 1.

    `min(1, .5 + m)` with m the mean of Beta(15 + helped, 5 + shown - helped): a source keeps its whole weight until it
    was shown ten times without use, and loses half of it in the end.

    Args:
        shown: (s,) how often a node of the source was in a context with a known outcome.
        helped: (s,) how often that outcome was good; more than shown counts as shown.
    """
    seen = np.maximum(np.asarray(shown, np.float64), 0.0)
    useful = np.clip(np.asarray(helped, np.float64), 0.0, seen)
    mean = (_USEFUL + useful) / (_USEFUL + _USELESS + seen)
    return np.asarray(np.minimum(1.0, 0.5 + mean), np.float64)
