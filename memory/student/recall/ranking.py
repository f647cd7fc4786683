"""Finding what a message calls to mind: the best of the ranking, then what they bloom to over edges, each with its relevance.

Whether it calls anything to mind at all is the reader's to say: "thanks" and "17 times 6" need no memory. Then the ranking over
the whole space chooses: in a request a line too many costs little, and a line too few everything. How likely each of the best has
to do with the message goes with it, for who quotes it. `memory.student.recall.retrieval` finds by the same ranking. What speaks of
danger comes by its own topic only, never because somebody asks who they are.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.protocol import Embedder
from companion_site.language import as_language, tokens
from memory.algorithms.activation import bloom
from memory.algorithms.association import associate
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
from memory.algorithms.scaling import standardise
from memory.algorithms.speakers import find_speakers, strip_names
from memory.algorithms.surroundings import REACH_ROWS
from memory.models import MemoryNode
from memory.params import RECALL, RecallParams
from memory.reading.answers import MATCHES_NOTHING, find_nearly_best, find_ranks, tell_matches
from memory.reading.heads import Heads, UnusableWeights
from memory.reading.params import READING
from memory.reading.questions import asks_of_oneself
from memory.reading.service import ABOUT_ONESELF, calls_for_memory, danger_chances, get_heads, nearest_to
from memory.reading.statements import points_back
from memory.student.entities import find_named
from memory.student.selectors import NodeData
from memory.student.workingset import WorkingSet, said_at

OWN_PERSON = 0
DAY_S = 86_400
#: of those whom a memory calls by their name alone, so many are told with it at the most
MOST_WHO = 3
#: what was said so many turns earlier may still be what a memory points back at: between two messages stands what was answered
MOST_TURNS_BACK = 2


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """One memory called to mind, and how it came.

    Attributes:
        derived: it was made of others, one statement a line; not all its words need be the person's own.
        similarity: calibrated, of the question and the memory by itself.
        score: 0 to 1, how relevant it is; terms: what that is made of (`memory.algorithms.relevance`).
        hops: edges that it is away from what the question found itself.
        outdated_by: the later memory that may have replaced it; is_slightly_doubted: there is so little in it that a request alone says so.
        until: of what another memory took the place of, when that was, in seconds since the epoch.
        who: what somebody that it names alone is to the person, as "Noah: brother".
        before: what was said just before it, where it points back at that: of "They loved it", "I took the kids to the lake".
        bearing: 0 to 1, how likely it has to do with the message, as the reader judges the best of the ranking; 0 of the others.
        of_danger: it speaks of danger; such a one is here by its own topic.
    """

    id: UUID
    text: str
    modality: str
    trust: str
    gravity: float
    confidence: float
    said_at: float
    similarity: float = 0.0
    score: float = 0.0
    hops: int = 0
    bearing: float = 0.0
    outdated_by: UUID | None = None
    is_slightly_doubted: bool = False
    until: float | None = None
    who: tuple[str, ...] = ()
    before: str = ""
    derived: bool = False
    tier: str = MemoryNode.Tier.SHORT_TERM.value
    category: str = ""
    of_danger: bool = False
    terms: Mapping[str, float] = field(default_factory=dict)

    @property
    def doubted_by(self) -> UUID | None:
        """The later memory by which it is in doubt outside a request, too."""
        return None if self.is_slightly_doubted else self.outdated_by


def as_recalled(node: NodeData, gravity: float, **found: Any) -> Recalled:
    """Return a memory as it is called to mind; `found` says how, and is left out where nothing asked for it."""
    return Recalled(
        id=node.id,
        text=node.text or "",
        modality=node.modality,
        trust=node.trust,
        derived=node.derived,
        tier=node.tier,
        category=node.category,
        of_danger=node.of_danger,
        gravity=gravity,
        confidence=node.confidence,
        said_at=said_at(node),
        **found,
    )


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

    None where the message calls for none. Without a vector, and where the reader was not trained on this embedder, every message does.
    """
    heads = heads_for(vector, embedder)
    with working_set.lock:
        if not len(working_set):
            return []
        ranking = rank_memories(working_set, question, vector=vector, now=now, own_name=own_name)
        candidates = find_candidates(working_set, ranking, now=now)
        bearing = _judge_bearing(working_set, candidates[: params.judged], question, vector, heads)
        calls = _how_surely_called(working_set, question, vector, heads, bearing)
        if calls < READING.calls_for_memory:
            return []
        similarity = embedder.calibration.similarity(ranking.cosine)
        if asks_of_oneself(question):
            basics = _basics(working_set, candidates[: params.looked_through], vector, heads, params=params)
            seeds = basics[: params.seeds_unnamed]
        else:
            best, worth, matches = _weigh(working_set, candidates, ranking, vector, heads, params=params)
            is_met = (matches >= MATCHES_NOTHING).any() or ranking.covered.any()
            if calls == ABOUT_ONESELF and not is_met:
                seeds = best[: params.seeds_unnamed]
            else:
                goes_along = find_nearly_best(worth, margin=params.margin) | ~working_set.corpus.known[best]
                seeds = best[goes_along][: params.seeds]
        seeds = _with_named(working_set, ranking, seeds, question, heads, now=now, params=params)
        hops = _lead_on(working_set, ranking, seeds, now=now, params=params)
        rows = np.array([*hops], dtype=np.int64)
        rows = rows[may_come_up(working_set, rows, question, vector=vector, embedder=embedder)]
        relevance = judge_relevance(working_set, rows, ranking, now=now, weights=weights)
        gravity = present_gravity(working_set, now=now)
        who, before = tell_who(working_set, rows.tolist()), tell_before(working_set, rows.tolist(), now=now)
        found = []
        for at in best_first(relevance):
            row = int(rows[at])
            node = working_set.nodes[row]
            found.append(
                as_recalled(
                    node,
                    float(gravity[row]),
                    similarity=float(similarity[row]),
                    score=float(relevance.score[at]),
                    terms=relevance.explain(at),
                    hops=hops[row],
                    bearing=bearing.get(node.id, 0.0),
                    who=who.get(row, ()),
                    before=before.get(row, ""),
                )
            )
        return found


def _weigh(
    working_set: WorkingSet,
    candidates: np.ndarray,
    ranking: Ranking,
    vector: np.ndarray,
    heads: Heads | None,
    *,
    params: RecallParams,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows most worth telling, best first; (n,) what each is worth; and (n,) how well each matches what the message asks for.

    Each way of finding knows something of its own: matches other words and the other language, nearness what is spoken of, the ranking
    days, speakers and the very words. Where nobody can tell a match, the other two decide.
    """
    standing = standardise(ranking.score, working_set.corpus.alive)
    worth = (params.of_nearness * ranking.nearness + params.of_ranking * standing)[candidates]
    first = np.argsort(-worth, kind="stable")[: params.matched]
    rows, worth = candidates[first], worth[first]
    if heads is None or not len(rows):
        return rows, worth, np.full(len(rows), MATCHES_NOTHING)
    matches = match_rows(working_set, rows, vector, heads)
    worth = worth + matches
    order = np.argsort(-worth, kind="stable")
    return rows[order], worth[order], matches[order]


def _basics(
    working_set: WorkingSet,
    rows: np.ndarray,
    vector: np.ndarray,
    heads: Heads | None,
    *,
    params: RecallParams,
) -> np.ndarray:
    """Return the rows for who asks who they are: by how likely each tells who somebody is, and by how well it matches.

    Neither the words of such a question nor its days are anybody's. The two orders are joined by reciprocal rank fusion (Cormack, Clarke
    and Büttcher, 2009). As they were where nobody can tell.
    """
    if heads is None or not len(rows):
        return rows
    texts = [working_set.nodes[row].text or "" for row in rows.tolist()]
    told = heads.read_texts("fact", texts, working_set.corpus.vectors[rows])["part"]
    basic = np.where(working_set.corpus.known[rows], told.probabilities[:, told.classes.index("basic")], 0.0)
    matches = match_rows(working_set, rows, vector, heads)
    fused = 1 / (params.place_constant + find_ranks(basic))
    fused += params.match_weight / (params.place_constant + find_ranks(matches))
    return rows[np.argsort(-fused, kind="stable")]


def match_rows(
    working_set: WorkingSet, rows: np.ndarray, vector: np.ndarray, heads: Heads
) -> NDArray[np.floating]:
    """Return (n,) how well each row matches; less than any where it has no vector yet."""
    corpus = working_set.corpus
    return np.where(
        corpus.known[rows], tell_matches(vector, corpus.vectors[rows], heads), MATCHES_NOTHING - 1
    )


def tell_who(working_set: WorkingSet, rows: Collection[int]) -> dict[int, tuple[str, ...]]:
    """Return by row what those are to the person whom a memory calls by their name alone, as "Noah: brother"; in the order of names.

    A memory is told among others, and what says who Noah is may not be one of them.
    """
    wanted, told = set(rows), defaultdict[int, list[str]](list)
    for entity, spoken in working_set.spoken_of.items():
        one = working_set.entities.get(entity)
        if one is None or not (one.name and one.relation):
            continue
        for row in wanted.intersection(spoken):
            if one.relation.split()[-1].casefold() not in (working_set.nodes[row].text or "").casefold():
                told[row].append(f"{one.name}: {one.relation}")
    return {row: tuple(sorted(names)[:MOST_WHO]) for row, names in told.items()}


def tell_before(working_set: WorkingSet, rows: Collection[int], *, now: datetime) -> dict[int, str]:
    """Return by row what the same person had said just before, of those that point back at it; only what is still remembered.

    What speaks of danger goes along with nothing.
    """
    near, speaker = working_set.corpus.surroundings, working_set.corpus.speaker
    told = {}
    for row in rows:
        if not points_back(working_set.nodes[row].text or ""):
            continue
        earlier = zip(near.neighbours[:REACH_ROWS, row].tolist(), near.gaps[:REACH_ROWS, row], strict=True)
        for other, gap in earlier:
            if gap > MOST_TURNS_BACK:
                break
            lasts = working_set.expires_at[other] > now.timestamp()
            if speaker[other] == speaker[row] and lasts and not working_set.of_danger[other]:
                told[row] = working_set.nodes[other].text or ""
                break
    return told


def find_candidates(working_set: WorkingSet, ranking: Ranking, *, now: datetime) -> np.ndarray:
    """Return the rows that may answer, in the order of the ranking: all that have not expired."""
    return ranking.order[working_set.expires_at[ranking.order] > now.timestamp()]


def _with_named(
    working_set: WorkingSet,
    ranking: Ranking,
    seeds: np.ndarray,
    question: str,
    heads: Heads | None,
    *,
    now: datetime,
    params: RecallParams,
) -> np.ndarray:
    """Return the seeds and the best of what speaks of whom the question names: of "my brother" also what names him alone."""
    if heads is None or not working_set.entities:
        return seeds
    named = find_named(question, working_set.entities.values(), naming=heads.naming)
    rows = {row for entity in named for row in working_set.spoken_of.get(entity, ())} - set(seeds.tolist())
    there = np.array(sorted(rows), dtype=np.int64)
    lasting = working_set.corpus.alive[there] & (working_set.expires_at[there] > now.timestamp())
    there = there[lasting]
    best = there[np.argsort(-ranking.score[there], kind="stable")][: params.named]
    return np.concatenate([seeds, best])


def heads_for(vector: np.ndarray, embedder: Embedder) -> Heads | None:
    """Return who reads the message; a space goes over to another embedder's vectors whether or not the reader has."""
    try:
        return get_heads(embedder) if vector.any() else None
    except UnusableWeights:
        return None


def _how_surely_called(
    working_set: WorkingSet,
    question: str,
    vector: np.ndarray,
    heads: Heads | None,
    bearing: Mapping[UUID, float],
) -> float:
    """Return how likely a message calls for memories: by what it is, by how near the nearest is, and by what the best are."""
    if heads is None:
        return ABOUT_ONESELF
    corpus = working_set.corpus
    there = corpus.alive & corpus.known
    nearest = nearest_to(vector, corpus.vectors if there.all() else corpus.vectors[there], heads)
    return calls_for_memory(question, vector, heads, nearest=nearest, bearing=[*bearing.values()])


def _judge_bearing(
    working_set: WorkingSet, rows: np.ndarray, question: str, vector: np.ndarray, heads: Heads | None
) -> dict[UUID, float]:
    """Return how likely each of the best has to do with the message, judged among each other."""
    nodes = [working_set.nodes[row] for row in rows]
    if not nodes or heads is None:
        return {}
    texts = [node.text or "" for node in nodes]
    told = heads.read_relevance(question, texts, vector, working_set.corpus.vectors[rows])
    return {node.id: 1.0 - told.of("no", at) for at, node in enumerate(nodes)}


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
