"""How fast the parts of a turn are, each beside the least that the same work can cost."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import cycle
from time import perf_counter
from uuid import uuid4

import numpy as np
from django.db import connection

from bench.asking import embed_all
from bench.living import BUDGET_BYTES, enter_student
from bench.sentences import make_questions, make_sentences
from bench.timing import interleave, percentiles, time_ms
from chat.access import ChatAccess
from chat.replies.live import LiveReply
from chat.services import begin_conversation, say
from chat.threads import in_thread
from chat.turn.reply import Turn
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.ids import new_id
from companion_site.language import tokens
from companion_site.llm.gateway import get_gateway
from companion_site.vault import unlocked
from companion_site.vault.scope import lock_space, space_scope
from memory.algorithms.edges import Edge
from memory.algorithms.fusion import Ranking
from memory.models import MemoryEdge, MemoryNode, MemorySource
from memory.reading.statements import Statement
from memory.student.ingest.formation import Draft, Said
from memory.student.ingest.store import store_memories
from memory.student.recall.ranking import judge_relevance, rank_memories, recall
from memory.student.recall.retrieval import RetrievalOptions, retrieve
from memory.student.workingset import WorkingSet, WorkingSets

NOW = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
STATEMENTS_PER_MESSAGE = 4
MESSAGES_PER_CONVERSATION = 20
QUESTIONS = 50
#: So many memories are scored at once; the document gives them 100 ms.
SCORED = 50
#: As many of the sentences are embedded; a larger space gets mixtures of their vectors, since a load reads them only.
MOST_EMBEDDED = 1_000


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        times_ms: of each round.
        bar_ms: what p95 may be at the most; None where nothing is promised.
        floors: p50 of the least work that it is compared with, by name.
    """

    name: str
    times_ms: Sequence[float]
    bar_ms: float | None = None
    floors: Mapping[str, float] | None = None

    def render(self) -> str:
        """Return the line, with how many times its floors it takes."""
        found = percentiles(self.times_ms)
        bar = (
            ""
            if self.bar_ms is None
            else f"{'ok' if found['ms_p95'] <= self.bar_ms else 'OVER'} (≤ {self.bar_ms:g})"
        )
        ratios = ", ".join(
            f"{found['ms_p50'] / floor:.3g} x {name}" for name, floor in (self.floors or {}).items() if floor
        )
        return f"{self.name:52}{found['ms_p50']:10.2f}{found['ms_p95']:10.2f}  {bar:14}{ratios}"


HEADING = f"{'':52}{'ms p50':>10}{'ms p95':>10}  {'bar (p95)':14}p50 beside"


@dataclass(frozen=True)
class Space:
    """A student with so many memories, made by the services that make all of them."""

    access: ChatAccess
    nodes: int

    def load(self) -> WorkingSet:
        """Return the memory as arrays, from the database, as the first question after log-in finds it."""
        return self.current(WorkingSets(budget_bytes=BUDGET_BYTES, idle_s=3600))

    def current(self, sets: WorkingSets) -> WorkingSet:
        embedder = get_embedder()
        with unlocked(self.access.space, self.access.key):
            return sets.get(self.access.space, model=embedder.model, dimension=embedder.dimension)


def make_space(nodes: int, *, username: str) -> Space:
    """Make a student whose memory holds `nodes` sentences in conversations, with edges within each message."""
    access = enter_student(username, now=NOW)
    sentences = make_sentences(nodes, seed=nodes)
    vectors = mix_vectors(embed_all(get_embedder(), [text for text, _ in sentences[:MOST_EMBEDDED]]), nodes)
    thread = new_id()
    starts = range(0, nodes, STATEMENTS_PER_MESSAGE)
    for number, start in enumerate(starts):
        if number % MESSAGES_PER_CONVERSATION == 0:
            thread = new_id()
        part = slice(start, start + STATEMENTS_PER_MESSAGE)
        store_message(access, sentences[part], vectors[part], thread=thread, position=number)
    return Space(access, nodes)


def store_message(
    access: ChatAccess, sentences: Sequence[tuple[str, str]], vectors: np.ndarray, *, thread, position: int
) -> None:
    """Store the memories of one message."""
    said = Said(
        text=". ".join(text for text, _ in sentences),
        language=sentences[0][1],
        said_at=NOW - timedelta(days=60) + timedelta(minutes=position),
        source_kind=MemorySource.Kind.MESSAGE,
        source_id=new_id(),
        conversation_id=thread,
        position=position,
    )
    statements = [
        Statement(
            text=text, start=0, end=len(text), modality=MemoryNode.Modality.EPISODIC.value,
            valence=0.0, confidence=0.9, salience=0.5,
        )
        for text, _ in sentences
    ]  # fmt: skip
    edges = [Edge(row, row + 1, MemoryEdge.Type.PRECEDES.value, 0.6) for row in range(len(statements) - 1)]
    draft = Draft(
        said=said, snr=200.0, statements=statements, vectors=vectors, model=get_embedder().model, edges=edges
    )
    with space_scope(access.space), unlocked(access.space, access.key):
        lock_space(access.space)
        store_memories(access.space, draft, now=NOW)


def mix_vectors(vectors: np.ndarray, count: int) -> np.ndarray:
    """Return (count, d) unit vectors: the given ones, then means of random pairs of them."""
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, len(vectors), size=(max(0, count - len(vectors)), 2))
    mixed = vectors[pairs].sum(axis=1)
    mixed /= np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-6)
    return np.concatenate([vectors[:count], mixed]).astype(np.float32)


def measure_retrieval(space: Space, *, rounds: int) -> list[Row]:
    """Return warm retrieval with and without the question's embedding, and what plain methods take."""
    embedder = get_embedder()
    sets = WorkingSets(budget_bytes=BUDGET_BYTES, idle_s=3600)
    working_set = space.current(sets)
    texts = make_questions(QUESTIONS)
    vectors = embed_all(embedder, texts)
    warm = EmbedOnce(embedder, dict(zip(texts, vectors, strict=True)))
    matrix = np.ascontiguousarray(working_set.corpus.vectors)
    numbers = cycle(range(QUESTIONS))
    at = [0]

    def find(vector: np.ndarray) -> None:
        found = recall(working_set, texts[at[0]], vector=vector, embedder=embedder, now=NOW)
        assert found, "nothing recalled: this would measure nothing"

    def find_all() -> None:
        # One after the other, where a turn has PostgreSQL checked for changes while it embeds.
        space.current(sets)
        find(embedder.embed([texts[at[0]]])[0])

    scored = np.arange(min(SCORED, space.nodes))
    ranking, (terms, weights) = _prepare_scoring(working_set, texts[0], vectors[0], scored)

    def find_floor() -> None:
        np.argpartition(-(matrix @ vectors[at[0]]), 10)

    def ask_database() -> None:
        with space_scope(space.access.space), connection.cursor() as cursor:
            cursor.execute("SELECT 1")

    def next_question() -> None:
        at[0] = next(numbers)

    works: dict[str, Callable[[], object]] = {
        "next": next_question,
        "recall": lambda: find(vectors[at[0]]),
        "retrieve": lambda: retrieve(
            working_set,
            RetrievalOptions(query=texts[at[0]]),
            embedder=warm,
            now=NOW,
        ),
        "with embedding": find_all,
        "score": lambda: judge_relevance(working_set, scored, ranking, now=NOW),
        "weigh": lambda: terms @ weights,
        "check": lambda: space.current(sets),
        "scan": find_floor,
        "bm25": lambda: working_set.lexical.scores(tokens(texts[at[0]], "en")),
        "embedding": lambda: embedder.embed([texts[at[0]]]),
        "round trip": ask_database,
    }
    times = interleave(works, rounds=rounds)
    p50 = {name: float(np.median(part)) for name, part in times.items()}
    floor = p50["embedding"] + p50["round trip"]
    plain = {"matrix @ vector": p50["scan"], "BM25": p50["bm25"]}
    size = f"{space.nodes:,} memories"
    return [
        Row(f"recall, {size}, question's vector at hand", times["recall"], 3.0, plain),
        Row(
            f"recall, {size}, question embedded each time",
            times["with embedding"],
            30.0,
            {"embedding alone": p50["embedding"], "embedding + round trip": floor},
        ),
        Row(f"five of {size} looked up, vector at hand", times["retrieve"], 3.0, plain),
        Row(
            f"{len(scored)} memories scored, with their five terms",
            times["score"],
            1.0,
            {"terms @ weights": p50["weigh"]},
        ),
        Row("  terms @ weights alone", times["weigh"]),
        Row("  matrix @ vector + argpartition alone", times["scan"]),
        Row("  BM25 alone", times["bm25"]),
        Row("  embedding alone", times["embedding"]),
        Row("  one transaction of one query alone", times["round trip"]),
        Row(
            "asking whether the memory has changed", times["check"], None, {"a round trip": p50["round trip"]}
        ),
    ]


def _prepare_scoring(
    working_set: WorkingSet, question: str, vector: np.ndarray, rows: np.ndarray
) -> tuple[Ranking, tuple[np.ndarray, np.ndarray]]:
    """Return a question's ranking, and the terms and weights of `rows` as the least work of scoring needs them."""
    ranking = rank_memories(working_set, question, vector=vector, now=NOW)
    relevance = judge_relevance(working_set, rows, ranking, now=NOW)
    terms = np.stack([*relevance.terms.values()], axis=1)
    return ranking, (terms, np.array([*relevance.weights.values()]))


def measure_loading(space: Space, *, rounds: int) -> Row:
    """Return how long the first question after log-in waits for its memory."""
    return Row(
        f"working set from nothing, {space.nodes:,} memories",
        [time_ms(space.load) for _ in range(rounds)],
        100.0 if space.nodes <= MOST_EMBEDDED else None,
    )


def measure_write(space: Space, *, rounds: int) -> list[Row]:
    """Return what a message's new memories cost the working set: taken in, and had it been built anew."""
    sets = WorkingSets(budget_bytes=BUDGET_BYTES, idle_s=3600)
    space.current(sets)
    fresh = store_fresh(space)
    taken, rebuilt = [], []
    for _ in range(rounds):
        next(fresh)
        taken.append(time_ms(lambda: space.current(sets)))
        rebuilt.append(time_ms(space.load))
    beside = {"rebuilding": float(np.median(rebuilt))}
    return [
        Row(
            f"a write of {STATEMENTS_PER_MESSAGE} memories taken in, {space.nodes:,} there",
            taken,
            None,
            beside,
        )
    ]


def store_fresh(space: Space) -> Iterator[None]:
    """Store one more message at each step."""
    sentences = make_sentences(space.nodes + 400, seed=space.nodes)[space.nodes :]
    for number, start in enumerate(range(0, len(sentences), STATEMENTS_PER_MESSAGE)):
        part = sentences[start : start + STATEMENTS_PER_MESSAGE]
        vectors = get_embedder().embed([text for text, _ in part])
        store_message(space.access, part, vectors, thread=new_id(), position=space.nodes + number)
        yield


def measure_turn(space: Space, *, rounds: int) -> list[Row]:
    """Return how long a message takes to be stored, and until the first word of an offline reply."""
    conversation = begin_conversation(space.access, now=NOW).pk
    questions = cycle(make_questions(QUESTIONS))
    stored, first, embedding = [], [], []
    for number in range(rounds + 3):
        text = next(questions)
        embedded = time_ms(partial(get_embedder().embed, [text]))
        taken, waited = asyncio.run(
            _one_turn(space.access, conversation, text, NOW + timedelta(minutes=number))
        )
        if number >= 3:
            stored.append(taken)
            first.append(waited)
            embedding.append(embedded)
    connection.close()
    beside = {"embedding the question": float(np.median(embedding))}
    return [
        Row("a message stored (acknowledged)", stored, 50.0),
        Row("from message to first word, offline", first, None, beside),
    ]


async def _one_turn(access: ChatAccess, conversation, text: str, now: datetime) -> tuple[float, float]:
    """Say something and wait for the reply; return ms to be stored, and to the first word."""
    started = perf_counter()
    exchange = await in_thread(say, access, conversation, text=text, client_id=uuid4(), now=now)
    stored = (perf_counter() - started) * 1000
    live = LiveReply(exchange.reply.pk)
    turn = Turn(exchange, live, access=access, gateway=get_gateway(), now=now)
    task = asyncio.create_task(turn.run())
    waited = 0.0
    async for seq, _ in live.follow(0):
        if seq == 1:
            waited = (perf_counter() - started) * 1000
    await task
    return stored, waited
