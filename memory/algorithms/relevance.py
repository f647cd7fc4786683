"""How relevant a memory is: one number of 0 to 1 for both tiers, and what it is made of. Pure numpy.

    score = .46 keyword + .46 meaning + .04 importance + .02 confidence + .02 recency

The score is nothing but that sum, so the five terms are its explanation. Where nothing is asked there is no keyword
and no meaning, and the other three are given all the weight. Recency counts in both tiers, but differently: what is
short-term halves by the week, what is long-term is as present as on its first day.

What each term is worth, measured with it left out: docs/algorithms/recall.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from memory.algorithms.fusion import Signals

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

TERMS = ("keyword", "meaning", "importance", "confidence", "recency")
#: The terms that there are only where something is asked.
ASKED = ("keyword", "meaning")


@dataclass(frozen=True, kw_only=True)
class RelevanceWeights:
    """The weight of each term, 1 in all, and what the terms go by. One set for every language and both tiers."""

    terms: Mapping[str, float] = field(
        default_factory=lambda: {
            "keyword": 0.46,
            "meaning": 0.46,
            "importance": 0.04,
            "confidence": 0.02,
            "recency": 0.02,
        }
    )
    #: Of the keyword term: what each thing that a question may name counts for, beside the others that it names.
    words: float = 5.0
    session_words: float = 1.5
    speaker: float = 3.0
    date: float = 3.0
    #: Meaning is full at this sum of cosines: a memory's own, and its neighbours' shares of theirs.
    full_meaning: float = 1.5
    #: Days until a short-term memory's recency has halved.
    half_life_days: float = 7.0

    def given(self, *, asked: bool) -> dict[str, float]:
        """Return the weights that apply, 1 in all: without a question those that remain, in proportion."""
        kept = {name: self.terms[name] for name in TERMS if asked or name not in ASKED}
        total = sum(kept.values()) or 1.0
        return {name: weight / total for name, weight in kept.items()}


RELEVANCE = RelevanceWeights()


@dataclass(frozen=True)
class Relevance:
    """How relevant m memories or nodes are.

    Attributes:
        score: (m,) 0 to 1, the terms by their weights added up.
        terms: name → (m,) 0 to 1; without a question there is no keyword and no meaning.
        weights: name → weight, 1 in all.
    """

    score: FloatArray
    terms: Mapping[str, FloatArray]
    weights: Mapping[str, float]

    def explain(self, at: int) -> dict[str, float]:
        """Return the terms of one of them."""
        return {name: float(values[at]) for name, values in self.terms.items()}


def score_relevance(
    *,
    importance: ArrayLike,
    confidence: ArrayLike,
    recency: ArrayLike,
    keyword: ArrayLike | None = None,
    meaning: ArrayLike | None = None,
    weights: RelevanceWeights = RELEVANCE,
) -> Relevance:
    """Return the relevance of m memories from its terms, (m,) each, 0 to 1; what lies outside is taken as the bound.

    Args:
        keyword, meaning: both or neither; neither: nothing was asked.
    """
    given = {"importance": importance, "confidence": confidence, "recency": recency}
    if keyword is not None and meaning is not None:
        given = {"keyword": keyword, "meaning": meaning, **given}
    terms = {name: np.clip(np.asarray(values, np.float64), 0.0, 1.0) for name, values in given.items()}
    applied = weights.given(asked=keyword is not None)
    score: FloatArray = np.sum([applied[name] * values for name, values in terms.items()], axis=0)
    return Relevance(np.clip(score, 0.0, 1.0), terms, applied)


def keyword_term(
    signals: Signals, rows: IntArray, *, substance: ArrayLike, weights: RelevanceWeights = RELEVANCE
) -> FloatArray:
    """Return (m,) the share of what the question names that is found in each of `rows`: words, a person, a time.

    What the question does not name does not count against anybody.

    Args:
        substance: (m,) 0 to 1, how much each says; what says little matches little, by the root of it.
    """
    parts = (
        (weights.words, signals.words),
        (weights.session_words, signals.session_words),
        (weights.speaker, signals.speaker),
        (weights.date, signals.date),
    )
    named = [(weight, values[rows]) for weight, values in parts if values is not None]
    if not named:
        return np.zeros(len(rows))
    found = sum(weight * values for weight, values in named) / sum(weight for weight, _ in named)
    return np.asarray(np.clip(found, 0.0, 1.0) * np.sqrt(substance), np.float64)


def meaning_term(
    signals: Signals, rows: IntArray, *, substance: ArrayLike, weights: RelevanceWeights = RELEVANCE
) -> FloatArray:
    """Return (m,) how near in meaning each of `rows` and what stands around it are to the question.

    Args:
        substance: as for `keyword_term`.
    """
    near = np.clip(signals.meaning[rows] / weights.full_meaning, 0.0, 1.0)
    return np.asarray(near * np.sqrt(substance), np.float64)


def recency_term(
    age_days: ArrayLike, *, lasting: ArrayLike, weights: RelevanceWeights = RELEVANCE
) -> FloatArray:
    """Return (m,) how present each memory still is by its age.

    Args:
        age_days: (m,) since it was said; below 0 (clocks of two machines differ) counts as 0.
        lasting: (m,) True: long-term, which does not lose by age.
    """
    age = np.maximum(np.asarray(age_days, np.float64), 0.0)
    return np.where(np.asarray(lasting, bool), 1.0, np.exp2(-age / weights.half_life_days))
