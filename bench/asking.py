"""Asking a conversation's questions of its memory, and of the plain methods, on the same texts and vectors."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from multiprocessing import get_context
from time import perf_counter

import numpy as np
from django.db import connections

from bench.baselines import Bm25Baseline, DenseBaseline
from bench.living import Lived, compress_to_half, form, store_transcript
from bench.recordings import sessions_of
from bench.scoring import ADVERSARIAL, Outcome, score
from bench.timing import percentiles
from chat.demo.recordings import Conversation, Question
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.llm.tokens import estimate_tokens
from memory.student.recall.ranking import rank_memories

#: How far down evidence is counted per token: as many memories as a prompt holds at the least.
DEPTH = 10
#: A batch of texts to embed; larger ones gain nothing and hold up Ctrl-C.
BATCH = 64
MOST_PROCESSES = 4
WAYS = ("transcript", "formed", "compressed", "bm25", "dense")

Ranked = Sequence[tuple[Sequence[str], str]]
"""Memories, best first: the turns each came from, and its text."""


@dataclass
class Way:
    """What one way of remembering made of all questions so far.

    Attributes:
        times_ms: of ranking alone, the question's vector at hand.
        memories: how many there were to rank.
        evidence, tokens: pieces of evidence within the first ten ranks, and the tokens of the texts there.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)
    memories: int = 0
    evidence: int = 0
    tokens: int = 0

    def add(self, other: "Way") -> None:
        """Take in what was measured elsewhere."""
        self.outcomes += other.outcomes
        self.times_ms += other.times_ms
        self.memories += other.memories
        self.evidence += other.evidence
        self.tokens += other.tokens

    def numbers(self) -> dict[str, float]:
        """Return what stands beside the measures of `bench.scoring`."""
        found = 1000 * self.evidence / self.tokens if self.tokens else 0.0
        return {
            **percentiles(self.times_ms),
            "memories": self.memories,
            "evidence per 1000 tokens": round(found, 3),
        }


def measure_all(
    conversations: Sequence[Conversation], embedder: Embedder, *, tell: Callable[[str], None]
) -> dict[str, Way]:
    """Return how each way does on all questions of all conversations; two at a time where there are two cores."""
    workers = min(len(conversations), os.cpu_count() or 1, MOST_PROCESSES)
    with remember_vectors(embedder):
        if workers == 1:
            parts: Iterator[dict[str, Way]] = (measure_one(each, embedder) for each in conversations)
            return _merged(conversations, parts, tell=tell)
        connections.close_all()
        # Forked: the embedder is loaded and Django is set up, and no connection is shared.
        with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
            return _merged(conversations, pool.map(_measure_in_child, conversations), tell=tell)


def measure_one(conversation: Conversation, embedder: Embedder) -> dict[str, Way]:
    """Return how each way does on the questions of one conversation."""
    texts = [turn.text for _, turn in conversation.turns()]
    named = [f"{turn.speaker}: {turn.text}" for _, turn in conversation.turns()]
    asked = embed_all(embedder, [question.text for question in conversation.questions])
    bm25 = Bm25Baseline(named, language=conversation.language)
    dense = DenseBaseline(embed_all(embedder, named))
    formed = form(conversation)
    # Each memory is loaded where it is named, so what formed is asked as it was before it is compressed.
    rankers = {
        "transcript": _memory(store_transcript(conversation, embed_all(embedder, texts)), conversation),
        "formed": _memory(formed, conversation),
        "compressed": _memory(compress_to_half(formed, now=conversation.now), conversation),
        "bm25": _turns(conversation, lambda text, _: bm25.rank(text)),
        "dense": _turns(conversation, lambda _, vector: dense.rank(vector)),
    }
    return {name: _ask(conversation, ranker, asked) for name, ranker in rankers.items()}


def embed_all(embedder: Embedder, texts: Sequence[str]) -> np.ndarray:
    """Return (n, d) vectors, batch by batch."""
    parts = [embedder.embed(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
    return np.concatenate(parts) if parts else embedder.embed([])


@contextmanager
def remember_vectors(embedder: Embedder) -> Iterator[None]:
    """Have each text embedded once in this process: the same text has the same vector always, and several ways need it.

    Formation, a transcript and its questions share many texts; embedding is most of what a measurement costs.
    """
    known: dict[str, np.ndarray] = {}
    plain = embedder.embed

    def embed(texts: Sequence[str]) -> np.ndarray:
        new = list(dict.fromkeys(text for text in texts if text not in known))
        known.update(zip(new, plain(new), strict=True))
        return np.array([known[text] for text in texts], np.float32).reshape(-1, embedder.dimension)

    embedder.embed = embed  # type: ignore[method-assign]
    try:
        yield
    finally:
        del embedder.embed


def _measure_in_child(conversation: Conversation) -> dict[str, Way]:
    try:
        return measure_one(conversation, get_embedder())
    finally:
        connections.close_all()


def _merged(
    conversations: Sequence[Conversation], parts: Iterator[dict[str, Way]], *, tell: Callable[[str], None]
) -> dict[str, Way]:
    total = {name: Way() for name in WAYS}
    for conversation, part in zip(conversations, parts, strict=True):
        for name, way in part.items():
            total[name].add(way)
        turns = sum(1 for _ in conversation.turns())
        tell(f"{conversation.name}: {turns} turns, {len(conversation.questions)} questions")
    return total


class _Asked:
    """Something that ranks: (question, vector) to row numbers, and what each row stands for."""

    def __init__(
        self, rank: Callable[[str, np.ndarray], np.ndarray], rows: Sequence[tuple[Sequence[str], str]]
    ) -> None:
        self.rank, self.rows = rank, rows


def _memory(lived: Lived, conversation: Conversation) -> _Asked:
    working_set = lived.working_set()
    now: datetime = conversation.now

    def rank(text: str, vector: np.ndarray) -> np.ndarray:
        return rank_memories(working_set, text, vector=vector, now=now, own_name=lived.name).order

    return _Asked(rank, [(lived.sources.get(node.id, ()), node.text or "") for node in working_set.nodes])


def _turns(conversation: Conversation, rank: Callable[[str, np.ndarray], np.ndarray]) -> _Asked:
    return _Asked(rank, [([turn.id], turn.text) for _, turn in conversation.turns()])


def _ask(conversation: Conversation, asked: _Asked, vectors: np.ndarray) -> Way:
    session_of = sessions_of(conversation)
    way = Way(memories=len(asked.rows))
    for question, vector in zip(conversation.questions, vectors, strict=True):
        started = perf_counter()
        order = asked.rank(question.text, vector)
        way.times_ms.append((perf_counter() - started) * 1000)
        ranked = [asked.rows[row] for row in order]
        sources = [turns for turns, _ in ranked]
        outcome = score(question, sources, session_of=session_of, conversation=conversation.name)
        if outcome is None:
            continue
        way.outcomes.append(outcome)
        if question.category != ADVERSARIAL:
            _count(way, question, ranked)
    return way


def _count(way: Way, question: Question, ranked: Ranked) -> None:
    """Count the evidence within the first ranks and the tokens that it costs."""
    found: set[str] = set()
    for turns, text in _first_ranks(ranked):
        found.update(turns)
        way.tokens += estimate_tokens(text)
    way.evidence += len(found & set(question.evidence))


def _first_ranks(ranked: Ranked) -> Iterator[tuple[Sequence[str], str]]:
    filled = 0
    for turns, text in ranked:
        filled += max(1, len(turns))
        if filled > DEPTH:
            return
        yield turns, text
