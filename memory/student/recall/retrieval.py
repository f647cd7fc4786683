"""Retrieval with options: a question or none, one tier or both, a category, how many, and how relevant at the least.

It finds and scores exactly as a turn does (`memory.student.recall.ranking`): the ranking picks the candidates, their relevance puts them
in order. Unlike a turn it does not walk on over edges: what it gives is what the question itself finds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import embed_question_with
from memory.algorithms.relevance import Relevance
from memory.models import MemoryNode
from memory.params import RETRIEVAL
from memory.student.recall.ranking import (
    best_first,
    find_candidates,
    judge_relevance,
    may_come_up,
    rank_memories,
)
from memory.student.selectors import NodeData
from memory.student.workingset import WorkingSet

BOTH = "both"
TIERS = (*MemoryNode.Tier.values, BOTH)
CATEGORIES = tuple(category for category in MemoryNode.Category.values if category)


@dataclass(frozen=True, kw_only=True)
class RetrievalOptions:
    """What is asked of a memory.

    Attributes:
        query: what it is about; empty: the most important and most recent.
        tier: `short_term`, `long_term` or `both`.
        category: of long-term memories; None: any, and short-term ones too.
        limit: how many at the most.
        min_score: relevance from which on a memory is given, 0 to 1.
    """

    query: str = ""
    tier: str = BOTH
    category: str | None = None
    limit: int = RETRIEVAL.limit
    min_score: float = 0.0

    @property
    def question(self) -> str:
        """The query without the space around it; empty for none."""
        return self.query.strip()


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """One memory that was looked up.

    Attributes:
        score: 0 to 1; terms: what it is made of, by the weights of `memory.algorithms.relevance`.
    """

    memory: NodeData
    score: float
    terms: Mapping[str, float]

    @property
    def text(self) -> str:
        return self.memory.text or ""

    @property
    def created(self) -> datetime:
        """When it formed."""
        return datetime.fromtimestamp(self.memory.formed_at, UTC)


def retrieve(
    working_set: WorkingSet,
    options: RetrievalOptions,
    *,
    embedder: Embedder,
    now: datetime,
    own_name: str = "",
) -> list[Retrieved]:
    """Return the memories that fit the options, most relevant first, equal ones by the later said.

    Args:
        own_name: what the person whose space it is goes by.
    """
    vector = embed_question_with(embedder, options.question) if options.question else None
    with working_set.lock:
        if not len(working_set):
            return []
        rows, relevance = _judge(
            working_set, options, embedder=embedder, vector=vector, now=now, own_name=own_name
        )
        kept = [at for at in best_first(relevance) if relevance.score[at] >= options.min_score]
        return [
            Retrieved(
                memory=working_set.nodes[rows[at]],
                score=float(relevance.score[at]),
                terms=relevance.explain(at),
            )
            for at in kept[: options.limit]
        ]


def _judge(
    working_set: WorkingSet,
    options: RetrievalOptions,
    *,
    embedder: Embedder,
    vector: np.ndarray | None,
    now: datetime,
    own_name: str,
) -> tuple[np.ndarray, Relevance]:
    """Return the candidates among what the options let through, and their relevance."""
    wanted = np.ones(len(working_set), dtype=bool)
    if options.tier != BOTH:
        wanted &= working_set.tier == options.tier
    if options.category is not None:
        is_long_term = working_set.tier == MemoryNode.Tier.LONG_TERM.value
        wanted &= is_long_term & (working_set.category == options.category)
    if vector is None:
        wanted &= working_set.corpus.alive & (working_set.expires_at > now.timestamp())
        rows = np.flatnonzero(wanted & ~working_set.of_danger)
        rows = rows[np.argsort(-working_set.said_at[rows], kind="stable")]
        return rows, judge_relevance(working_set, rows, None, now=now)
    ranking = rank_memories(working_set, options.question, vector=vector, now=now, own_name=own_name)
    near = embedder.calibration.similarity(ranking.cosine) >= RETRIEVAL.min_similarity
    found = find_candidates(working_set, ranking, now=now)
    rows = found[(wanted & (near | (ranking.covered > 0)))[found]][: max(RETRIEVAL.candidates, options.limit)]
    rows = rows[may_come_up(working_set, rows, options.question, vector=vector, embedder=embedder)]
    rows = rows[np.argsort(-working_set.said_at[rows], kind="stable")]
    return rows, judge_relevance(working_set, rows, ranking, now=now)
