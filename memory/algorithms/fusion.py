"""The order in which memories answer a question: meaning, words and circumstances put on one scale. Pure numpy.

Each signal speaks in standard deviations of this question over this space (z-scores), so that no threshold and no
rank is needed to add them up. A memory is judged with what stands around it: an answer seldom repeats the words of
the question before it. Meaning is summed over the neighbours; for words, each word of the question counts once, at
the best place it has in the neighbourhood, so that five turns repeating one word do not beat two that share the
question's words between them. Age is no signal: what was said long ago answers as well.

What each weight is worth, measured with it left out: docs/algorithms/recall.md.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.dates import DateRange
from memory.algorithms.isotropy import Isotropy, fit_isotropy
from memory.algorithms.lexical import LexicalIndex
from memory.algorithms.scaling import fill_unknown, standardise
from memory.algorithms.surroundings import IntArray, Surroundings, find_surroundings

FloatArray = NDArray[np.float32]
BoolArray = NDArray[np.bool_]

DAY_S = 86_400.0
_SENTENCE = re.compile(r"[^\s.!?…][^.!?…]*+([.!?…]*+)")
#: What was attached to a message is told in brackets; it asks nothing.
_BRACKETED = re.compile(r"\[[^\[\]]*+\]")


@dataclass(frozen=True, kw_only=True)
class FusionWeights:
    """Weights in standard deviations unless said otherwise. One set for every language and kind of conversation."""

    meaning: float = 1.0
    words: float = 1.0
    #: What a neighbour's meaning adds, by turns it was said before (1, 2) or after (-1, -2); 0: the same message.
    meaning_near: dict[int, float] = field(default_factory=lambda: {0: 0.4, 1: 0.5, 2: 0.2, -1: 0.3, -2: 0.1})
    #: The share of a word's weight that a neighbour lends.
    words_near: dict[int, float] = field(default_factory=lambda: {0: 0.7, 1: 0.8, 2: 0.6, -1: 0.6, -2: 0.4})
    #: Of the question's words that the session holds anywhere.
    session_words: float = 0.3
    #: Said by the one person whom the question names.
    speaker: float = 3.0
    #: Said within a span of time that the question names; what is told afterwards counts less by the day.
    date: float = 6.0
    date_fades_days: float = 7.0
    #: Taken from what only asks (its share of questions): questions hold no answers.
    asks: float = 1.0
    #: Times ln(1 + tokens): greetings and assent hold none either. Past `full_length` tokens more says nothing.
    length: float = 1.0
    full_length: int = 100
    #: Times ln(1 + better ones of the same session): ten memories from one place answer less than from several.
    crowding: float = 0.6
    #: A message of hundreds of words is searched by its rarest.
    most_terms: int = 16


FUSION = FusionWeights()


@dataclass(frozen=True)
class Corpus:
    """A space's memories as arrays, row by row; made by `build`."""

    vectors: FloatArray
    lexical: LexicalIndex
    alive: BoolArray
    speaker: IntArray
    said_at: NDArray[np.float64]
    asks: FloatArray
    surroundings: Surroundings
    isotropy: Isotropy
    #: (n,) length of each vector once cleaned of what all share.
    spread: FloatArray
    #: (n,) product of each vector with the mean of all.
    beside_mean: FloatArray
    #: (n,) False: its meaning is not known (yet), so that it is judged by its words; its vector is zeros.
    known: BoolArray

    @classmethod
    def build(
        cls,
        *,
        vectors: FloatArray,
        lexical: LexicalIndex,
        conversation: IntArray,
        session: IntArray,
        position: IntArray,
        speaker: IntArray,
        said_at: NDArray[np.float64],
        alive: BoolArray | None = None,
        asks: FloatArray | None = None,
        isotropy: Isotropy | None = None,
        known: BoolArray | None = None,
    ) -> "Corpus":
        """Return the corpus of n rows with all that does not depend on a question worked out (3 ms for 1,000).

        Args:
            vectors: (n, d) float32, unit length.
            lexical: an index of n rows, row i the words of row i here.
            conversation: (n,) below 0: none.
            session: (n,) a number per session of the space; below 0: none.
            position: (n,) the turn within its conversation; memories of one message share it.
            speaker: (n,) below 0: unknown.
            said_at: (n,) seconds since the epoch; nan: unknown.
            alive: (n,) False: gone, never ranked. All alive if left out.
            asks: (n,) 0 to 1, `question_share` of each text. None asks if left out.
            isotropy: fitted before, on most of these rows; fitted now if left out.
            known: (n,) False: the row has no vector of this model, and zeros in its place. All have one if left out.
        """
        count = len(vectors)
        alive = np.ones(count, bool) if alive is None else alive
        asks = np.zeros(count, np.float32) if asks is None else asks
        known = np.ones(count, bool) if known is None else known
        common = fit_isotropy(vectors[alive & known]) if isotropy is None else isotropy
        around = find_surroundings(conversation=conversation, session=session, position=position, alive=alive)
        spread = np.maximum(np.linalg.norm(common.clean(vectors), axis=1), np.float32(1e-3))
        beside_mean = vectors @ common.mean
        return cls(
            vectors, lexical, alive, speaker, said_at, asks, around, common, spread, beside_mean, known
        )


@dataclass(frozen=True)
class Query:
    """A question as arrays.

    Attributes:
        vector: (d,) float32, unit length, of the question as it was put; zeros: its meaning is not known.
        tokens: its words as the index has them, without the names in `speakers`.
        speakers: numbers of the speakers it names.
        ranges: spans of time it names.
    """

    vector: FloatArray
    tokens: Sequence[str]
    speakers: frozenset[int] = frozenset()
    ranges: tuple[DateRange, ...] = ()


@dataclass(frozen=True)
class Signals:
    """What of a question each memory answers to, on scales that do not depend on the other memories.

    Attributes:
        meaning: (n,) float32, cosine without what all vectors share, with the neighbours' shares of it.
        words: (n,) 0 to 1, the weight of the question's words found here or next to it, each once, out of the most that
            any memory has of each. None: nobody ever said one of them, or the question has none.
        session_words: (n,) 0 to 1, the same for the whole session. None: as above.
        speaker: (n,) bool, said by the one person whom the question names. None: it names nobody, or several.
        date: (n,) 0 to 1, said within a span of time that the question names, or soon after. None: it names none.
    """

    meaning: FloatArray
    words: FloatArray | None
    session_words: FloatArray | None
    speaker: BoolArray | None
    date: FloatArray | None


@dataclass(frozen=True)
class Ranking:
    """The answer to a question.

    Attributes:
        order: (m,) int64, rows that are alive, best first; equal scores by row.
        score: (n,) float32, standard deviations added up; of use for order alone.
        cosine: (n,) float32, plain cosine with the question, for a calibrated gate.
        nearness: (n,) float32, cosine without the mean of the space; 0 where a meaning is not known.
        lexical: (n,) float32, plain BM25 of the row itself.
        covered: (n,) float32, BM25 of the row and its neighbours, each word once; above 0: the words of the question
            were spoken here, if not by this row.
        signals: what of the question each memory answers to, for `memory.algorithms.relevance`.
    """

    order: IntArray
    score: FloatArray
    cosine: FloatArray
    nearness: FloatArray
    lexical: FloatArray
    covered: FloatArray
    signals: Signals


def rank(corpus: Corpus, query: Query, *, weights: FusionWeights = FUSION) -> Ranking:
    """Order the memories of a space by how well they answer a question."""
    cosine, nearness, topic = _compare(corpus, query.vector)
    terms = corpus.lexical.contributions(query.tokens, most=weights.most_terms)
    near = _cover_near(corpus, terms, weights.words_near)
    words = standardise(near, corpus.alive)
    topic = fill_unknown(topic, words, alive=corpus.alive, known=corpus.known)
    meaning = standardise(topic, corpus.alive, measured=corpus.known)
    score = weights.meaning * _sum_near(corpus, meaning, weights.meaning_near)
    score += weights.words * words
    around = corpus.surroundings
    session = around.highest_in_session(terms).sum(axis=0)
    score += weights.session_words * standardise(session, corpus.alive)
    speaker, date = _named(corpus, query, weights)
    score += _circumstances(corpus, speaker, date, weights)
    score -= weights.crowding * np.log1p(around.place_in_session(score)).astype(np.float32)
    rows = np.flatnonzero(corpus.alive)
    order = rows[np.argsort(-score[rows], kind="stable")]
    most = float(terms.max(axis=1).sum()) if terms.size else 0.0
    signals = Signals(
        meaning=_sum_near(corpus, topic, weights.meaning_near),
        words=near / most if most else None,
        session_words=session / most if most else None,
        speaker=speaker,
        date=date,
    )
    return Ranking(order, score, cosine, nearness, terms.sum(axis=0), near, signals)


def substance(corpus: Corpus) -> FloatArray:
    """Return (n,) 0 to 1, how much there is in each memory to answer with: by its length, less where it only asks.

    A greeting has little; past `FUSION.full_length` tokens more is no more.
    """
    tokens = np.minimum(corpus.lexical.lengths, FUSION.full_length)
    says = (np.log1p(tokens) - corpus.asks) / np.log1p(FUSION.full_length)
    return np.asarray(np.clip(says, 0.0, 1.0), np.float32)


def question_share(text: str) -> float:
    """Return the share of the text's sentences that are questions, 0 to 1."""
    marks = [match.group(1) for match in _SENTENCE.finditer(_BRACKETED.sub(" ", text))]
    return sum("?" in mark for mark in marks) / len(marks) if marks else 0.0


def _compare(corpus: Corpus, vector: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the cosine, plain, without the mean of the space, and without all that its vectors share, (n,) each."""
    if not vector.any():
        nothing = np.zeros(len(corpus.vectors), np.float32)
        return nothing, nothing, nothing
    mean, topic = corpus.isotropy.mean, corpus.isotropy.clean(vector)
    # Two products with a vector each take half as long as one with both. The cleaned question is orthogonal to the shared
    # directions, so the memories need no cleaning of their own.
    cosine = corpus.vectors @ vector
    along = corpus.vectors @ topic - mean @ topic
    # Of unit vectors v, v - m is as long as the root of 1 - 2 v·m + |m|²: none is centred by itself.
    lengths = np.sqrt(np.maximum(1 - 2 * corpus.beside_mean + mean @ mean, 1e-6))
    centred = (cosine - corpus.beside_mean - mean @ (vector - mean)) / (lengths * _length(vector - mean))
    nearness = np.where(corpus.known, centred, np.float32(0))
    return cosine, nearness, along / (corpus.spread * _length(topic))


def _length(vector: FloatArray) -> np.float32:
    return np.float32(max(float(np.linalg.norm(vector)), 1e-3))


def _sum_near(corpus: Corpus, values: FloatArray, near: dict[int, float]) -> FloatArray:
    total = values.copy()
    for neighbours, share in corpus.surroundings.shares(near):
        total += values[neighbours] * share
    return total


def _cover_near(corpus: Corpus, terms: FloatArray, near: dict[int, float]) -> FloatArray:
    """Return (n,) the sum over terms of the most that the row or a neighbour, at its share, has of it."""
    best = terms.copy()
    for neighbours, share in corpus.surroundings.shares(near):
        np.maximum(best, terms.take(neighbours, axis=1) * share, out=best)
    covered: FloatArray = best.sum(axis=0)
    return covered


def _named(
    corpus: Corpus, query: Query, weights: FusionWeights
) -> tuple[BoolArray | None, FloatArray | None]:
    """Return (n,) what the one person named said, and (n,) what was said when the question means; None: it names none."""
    one = len(query.speakers) == 1
    speaker: BoolArray | None = corpus.speaker == min(query.speakers) if one else None
    date = _nearness(corpus.said_at, query.ranges, weights.date_fades_days) if query.ranges else None
    return speaker, date


def _circumstances(
    corpus: Corpus, speaker: BoolArray | None, date: FloatArray | None, weights: FusionWeights
) -> FloatArray:
    """Return (n,) what does not depend on the question's content: who, when, and whether it can be an answer."""
    tokens = np.minimum(corpus.lexical.lengths, weights.full_length)
    score = weights.length * np.log1p(tokens) - weights.asks * corpus.asks
    if speaker is not None:
        score = score + weights.speaker * speaker
    if date is not None:
        score = score + weights.date * date
    return score.astype(np.float32)


def _nearness(said_at: NDArray[np.float64], ranges: Sequence[DateRange], fades_days: float) -> FloatArray:
    """Return (n,) 1 within a range, fading over the days after it, 0 before it and where the time is unknown."""
    near = np.zeros(len(said_at))
    for span in ranges:
        days_after = np.maximum(said_at - span.end, 0.0) / DAY_S
        near = np.fmax(near, np.where(said_at >= span.start, np.exp(-days_after / fades_days), 0.0))
    return near.astype(np.float32)
