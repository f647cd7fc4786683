"""Retrieval with options: a question or none, one tier or both, a category, how many, and how relevant at the least.

It finds and scores exactly as a turn does (`memory.student.recall.ranking`): the ranking picks the candidates, their relevance puts them
in order. Unlike a turn it does not walk on over edges: what it gives is what the question itself finds.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np
from django.utils.translation import gettext_lazy as _

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import embed_question_with
from companion_site.errors import InvalidInput
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
from memory.student.workingset import WorkingSet

BOTH = "both"
TIERS = (*MemoryNode.Tier.values, BOTH)
CATEGORIES = tuple(category for category in MemoryNode.Category.values if category)


class BadRetrieval(InvalidInput):
    code = "memory.bad-retrieval"
    message = _("Memories cannot be looked up like that.")


@dataclass(frozen=True, kw_only=True)
class RetrievalOptions:
    """What is asked of a memory.

    Attributes:
        query: what it is about; None or empty: the most important and most recent.
        tier: `short_term`, `long_term` or `both`.
        category: of long-term memories; None: any, and short-term ones too.
        limit: how many at the most.
        min_score: relevance from which on a memory is given, 0 to 1.

    Raises:
        BadRetrieval: an option is of no use; its message says which.
    """

    query: str | None = None
    tier: str = BOTH
    category: str | None = None
    limit: int = RETRIEVAL.limit
    min_score: float = 0.0

    def __post_init__(self) -> None:
        _check_query(self.query)
        if self.tier not in TIERS:
            raise BadRetrieval(_("There is no such kind of memory."))
        _check_category(self.category, self.tier)
        if not _is_whole(self.limit) or not 1 <= self.limit <= RETRIEVAL.most:
            raise BadRetrieval(
                _("Between 1 and %(most)s memories can be asked for.") % {"most": RETRIEVAL.most}
            )
        if not _is_share(self.min_score):
            raise BadRetrieval(_("The least relevance is a number of 0 to 1."))

    @property
    def question(self) -> str:
        """The query without the space around it; empty for none."""
        return (self.query or "").strip()


@dataclass(frozen=True, kw_only=True)
class Retrieved:
    """One memory that was looked up.

    Attributes:
        score: 0 to 1; terms: what it is made of, by the weights of `memory.algorithms.relevance`.
        created: when it formed.
        importance: its salience, which does not fade.
    """

    id: UUID
    tier: str
    category: str
    text: str
    score: float
    terms: Mapping[str, float]
    created: datetime
    importance: float
    confidence: float


def retrieve(
    working_set: WorkingSet,
    options: RetrievalOptions,
    *,
    embedder: Embedder,
    now: datetime,
    vector: np.ndarray | None = None,
    own_name: str = "",
) -> list[Retrieved]:
    """Return the memories that fit the options, most relevant first, equal ones by the later said.

    Args:
        vector: (d,) of the query, where somebody has it already; else a query is embedded once.
        own_name: what the person whose space it is goes by.
    """
    if options.question and vector is None:
        vector = embed_question_with(embedder, options.question)
    with working_set.lock:
        if not len(working_set):
            return []
        rows, relevance = _judge(
            working_set, options, embedder=embedder, vector=vector, now=now, own_name=own_name
        )
        kept = [at for at in best_first(relevance) if relevance.score[at] >= options.min_score]
        return [_retrieved(working_set, rows[at], relevance, at) for at in kept[: options.limit]]


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
    wanted = _wanted(working_set, options)
    if not options.question or vector is None:
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


def _wanted(working_set: WorkingSet, options: RetrievalOptions) -> np.ndarray:
    wanted = np.ones(len(working_set), dtype=bool)
    if options.tier != BOTH:
        wanted &= working_set.tier == options.tier
    if options.category is not None:
        wanted &= (working_set.category == options.category) & (
            working_set.tier == MemoryNode.Tier.LONG_TERM.value
        )
    return wanted


def _retrieved(working_set: WorkingSet, row: int, relevance: Relevance, at: int) -> Retrieved:
    node = working_set.nodes[row]
    return Retrieved(
        id=node.id,
        tier=node.tier,
        category=node.category,
        text=node.text or "",
        score=float(relevance.score[at]),
        terms=relevance.explain(at),
        created=datetime.fromtimestamp(node.formed_at, UTC),
        importance=node.salience,
        confidence=node.confidence,
    )


def _check_query(query: Any) -> None:
    if query is not None and not isinstance(query, str):
        raise BadRetrieval(_("What to look for is a text."))
    if query is not None and len(query) > RETRIEVAL.most_query_chars:
        raise BadRetrieval(_("That is too long to look for."))


def _check_category(category: Any, tier: str) -> None:
    if category is None:
        return
    if category not in CATEGORIES:
        raise BadRetrieval(_("There is no such category of memory."))
    if tier == MemoryNode.Tier.SHORT_TERM.value:
        raise BadRetrieval(_("Only long-term memories have a category."))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_share(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and 0 <= value <= 1
