"""Finding what a question calls to mind: seeds, then what they bloom to over edges, each with its relevance.

The ranking over the whole space picks the candidates; `memory.algorithms.relevance` scores them, and by that score
they are put in order. `memory.retrieving` finds by the same two steps.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.language import tokens
from memory.algorithms.activation import associate, bloom
from memory.algorithms.dates import find_ranges
from memory.algorithms.decay import decay_gravity
from memory.algorithms.fusion import Query, Ranking, rank, substance
from memory.algorithms.relevance import (
    RELEVANCE,
    Relevance,
    RelevanceWeights,
    keyword_term,
    meaning_term,
    recency_term,
    score_relevance,
)
from memory.algorithms.speakers import find_speakers, strip_names
from memory.models import MemoryNode
from memory.params import RECALL, RecallParams
from memory.workingset import WorkingSet, said_at

OWN_PERSON = 0
DAY_S = 86_400


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """One memory called to mind, and how it came.

    Attributes:
        derived: it was made of others, one statement a line; not all its words need be the person's own.
        similarity: calibrated, of the question and the memory by itself.
        score: 0 to 1, how relevant it is; terms: what that is made of (`memory.algorithms.relevance`).
        hops: edges that it is away from what the question found itself.
    """

    id: UUID
    text: str
    modality: str
    trust: str
    gravity: float
    confidence: float
    said_at: float
    similarity: float
    score: float
    hops: int
    derived: bool = False
    tier: str = MemoryNode.Tier.SHORT_TERM.value
    category: str = ""
    terms: Mapping[str, float] = field(default_factory=dict)


def rank_memories(
    working_set: WorkingSet, question: str, *, vector: np.ndarray, now: datetime, own_name: str = ""
) -> Ranking:
    """Order every memory of a space by how well it answers the question, by itself or with what the best bring to mind.

    Args:
        vector: (d,) the question's own vector, unit length.
        now: what "last week" is counted from.
        own_name: what the person whose space it is goes by; asked about by that name, their own words count.
    """
    query = build_query(working_set, question, vector=vector, now=now, own_name=own_name)
    return associate(working_set.corpus, rank(working_set.corpus, query))


def build_query(
    working_set: WorkingSet, question: str, *, vector: np.ndarray, now: datetime, own_name: str = ""
) -> Query:
    """Return the question as the ranking reads it: vector, words, people and dates named."""
    names = [_as_named(own_name, question), *working_set.speakers]
    speakers = find_speakers(question, names, user=OWN_PERSON, companion=None)
    plain = strip_names(question, names)
    words = [word for language in sorted(working_set.languages) for word in tokens(plain, language)]  # type: ignore[arg-type]  # a column of languages
    return Query(
        vector=vector,
        tokens=tuple(dict.fromkeys(words)),
        speakers=speakers,
        ranges=find_ranges(question, now=now),
    )


def recall(
    working_set: WorkingSet,
    question: str,
    *,
    vector: np.ndarray,
    embedder: Embedder,
    now: datetime,
    own_name: str = "",
    params: RecallParams = RECALL,
    weights: RelevanceWeights = RELEVANCE,
) -> list[Recalled]:
    """Return the memories for a prompt, most relevant first: those the question finds, and those they lead to.

    A memory that has no word of the question, in itself or next to it in its conversation, needs a calibrated
    similarity of `params.min_similarity`.
    """
    with working_set.lock:
        if not len(working_set):
            return []
        ranking = rank_memories(working_set, question, vector=vector, now=now, own_name=own_name)
        similarity = embedder.calibration.similarity(ranking.cosine)
        seeds = find_candidates(working_set, ranking, similarity, now=now, params=params)[: params.seeds]
        hops = _lead_on(working_set, ranking, seeds, now=now, params=params)
        rows = np.array([*hops], dtype=np.int64)
        relevance = judge_relevance(working_set, rows, ranking, now=now, weights=weights)
        gravity = present_gravity(working_set, now=now)
        return [
            _recalled(working_set, rows[at], hops[rows[at]], gravity, similarity, relevance, at)
            for at in best_first(relevance)
        ]


def find_candidates(
    working_set: WorkingSet,
    ranking: Ranking,
    similarity: np.ndarray,
    *,
    now: datetime,
    params: RecallParams = RECALL,
) -> np.ndarray:
    """Return the rows that may answer, in the order of the ranking: near enough or of the question's words, not expired."""
    admitted = (similarity >= params.min_similarity) | (ranking.covered > 0)
    admitted &= working_set.expires_at > now.timestamp()
    return ranking.order[admitted[ranking.order]]


def judge_relevance(
    working_set: WorkingSet,
    rows: np.ndarray,
    ranking: Ranking | None,
    *,
    now: datetime,
    weights: RelevanceWeights = RELEVANCE,
) -> Relevance:
    """Return the relevance of `rows`; without a ranking nothing was asked."""
    keyword = meaning = None
    if ranking is not None:
        says = substance(working_set.corpus)[rows]
        keyword = keyword_term(ranking.signals, rows, substance=says, weights=weights)
        meaning = meaning_term(ranking.signals, rows, substance=says, weights=weights)
    return score_relevance(
        keyword=keyword,
        meaning=meaning,
        importance=working_set.salience[rows],
        confidence=working_set.confidence[rows],
        recency=recency_term(
            (now.timestamp() - working_set.said_at[rows]) / DAY_S,
            lasting=working_set.tier[rows] == MemoryNode.Tier.LONG_TERM.value,
            weights=weights,
        ),
        weights=weights,
    )


def best_first(relevance: Relevance) -> list[int]:
    """Return the positions by falling score; equal scores stay as they were."""
    return np.argsort(-relevance.score, kind="stable").tolist()


def present_gravity(working_set: WorkingSet, *, now: datetime) -> np.ndarray:
    """Return (n,) gravity as it is at `now`."""
    age_days = (now.timestamp() - working_set.accessed_at) / DAY_S
    return decay_gravity(working_set.gravity, salience=working_set.salience, age_days=age_days)


def _lead_on(
    working_set: WorkingSet, ranking: Ranking, seeds: np.ndarray, *, now: datetime, params: RecallParams
) -> dict[int, int]:
    """Return row → hops of the seeds and of what they lead to over edges."""
    bloomed = bloom(
        working_set.adjacency,
        seeds,
        hops=params.max_hops,
        max_per_node=None,
        min_weight=params.min_edge_weight,
    )
    lasting = working_set.expires_at > now.timestamp()
    led = (bloomed.hops > 0) & working_set.corpus.alive[bloomed.rows] & lasting[bloomed.rows]
    rows, hops = bloomed.rows[led], bloomed.hops[led]
    nearest = np.lexsort((-ranking.score[rows], hops))[: params.connected]
    found: list[int] = seeds.tolist()
    return dict.fromkeys(found, 0) | dict(zip(rows[nearest].tolist(), hops[nearest].tolist(), strict=True))


def _as_named(own_name: str, question: str) -> str:
    """Return the person's name if the question writes it as one: "Bo" lives, but so does "bo" (to live)."""
    first = own_name.split(" ")[0]
    return own_name if first and first in question else ""


def _recalled(
    working_set: WorkingSet,
    row: int,
    hops: int,
    gravity: np.ndarray,
    similarity: np.ndarray,
    relevance: Relevance,
    at: int,
) -> Recalled:
    node = working_set.nodes[row]
    return Recalled(
        id=node.id,
        text=node.text or "",
        modality=node.modality,
        trust=node.trust,
        derived=node.derived,
        tier=node.tier,
        category=node.category,
        gravity=float(gravity[row]),
        confidence=node.confidence,
        said_at=said_at(node),
        similarity=float(similarity[row]),
        score=float(relevance.score[at]),
        terms=relevance.explain(at),
        hops=hops,
    )
