"""Finding what a question calls to mind: seeds, then what hangs together with them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.language import tokens
from memory.algorithms.dates import find_ranges
from memory.algorithms.decay import decay_gravity
from memory.algorithms.fusion import Query, Ranking, rank
from memory.algorithms.speakers import find_speakers, strip_names
from memory.algorithms.spreading import spread
from memory.params import RECALL, RecallParams
from memory.workingset import WorkingSet

OWN_PERSON = 0


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """One memory called to mind, and how it came."""

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


def rank_memories(
    working_set: WorkingSet, question: str, *, vector: np.ndarray, now: datetime, own_name: str = ""
) -> Ranking:
    """Order every memory of a space by how well it answers the question.

    Args:
        vector: (d,) the question's own vector, unit length.
        now: what "last week" is counted from.
        own_name: what the person whose space it is goes by; asked about by that name, their own words count.
    """
    query = build_query(working_set, question, vector=vector, now=now, own_name=own_name)
    return rank(working_set.corpus, query)


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
) -> list[Recalled]:
    """Return the memories for a prompt, best first: those the question finds, then those they lead to.

    A memory that has no word of the question, in itself or next to it in its conversation, needs a calibrated
    similarity of `params.min_similarity`.
    """
    with working_set.lock:
        if not len(working_set):
            return []
        ranking = rank_memories(working_set, question, vector=vector, now=now, own_name=own_name)
        return _choose(working_set, ranking, embedder=embedder, now=now, params=params)


def _choose(
    working_set: WorkingSet, ranking: Ranking, *, embedder: Embedder, now: datetime, params: RecallParams
) -> list[Recalled]:
    """Return the seeds that are near enough, and what they lead to over edges."""
    similarity = embedder.calibration.similarity(ranking.cosine)
    lasting = working_set.expires_at > now.timestamp()
    admitted = ((similarity >= params.min_similarity) | (ranking.covered > 0)) & lasting
    seeds = ranking.order[admitted[ranking.order]][: params.seeds].tolist()
    hops = spread(working_set.adjacency, seeds, max_hops=params.max_hops, min_weight=params.min_edge_weight)
    connected = [row for row in hops if working_set.corpus.alive[row] and lasting[row]]
    connected.sort(key=lambda row: (hops[row], -ranking.score[row]))
    chosen = [(row, 0) for row in seeds] + [(row, hops[row]) for row in connected[: params.connected]]
    gravity = present_gravity(working_set, now=now)
    return [_recalled(working_set, row, hop, gravity, similarity, ranking) for row, hop in chosen]


def present_gravity(working_set: WorkingSet, *, now: datetime) -> np.ndarray:
    """Return (n,) gravity as it is at `now`."""
    age_days = (now.timestamp() - working_set.accessed_at) / 86_400
    return decay_gravity(working_set.gravity, salience=working_set.salience, age_days=age_days)


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
    ranking: Ranking,
) -> Recalled:
    node = working_set.nodes[row]
    return Recalled(
        id=node.id,
        text=node.text or "",
        modality=node.modality,
        trust=node.trust,
        gravity=float(gravity[row]),
        confidence=node.confidence,
        said_at=node.source.said_at if node.source else node.formed_at,
        similarity=float(similarity[row]),
        score=float(ranking.score[row]),
        hops=hops,
    )
