"""Asking a conversation's questions of its memory, and of the plain methods, on the same texts and vectors."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from time import perf_counter

import numpy as np
from django.db import connections

from bench.baselines import Bm25Baseline, DenseBaseline
from bench.living import Lived, compress_to_half, form, store_transcript
from bench.scoring import ADVERSARIAL, Outcome, score
from bench.timing import percentiles
from bench.vectors import embed_all, remember_vectors
from chat.demo.recordings import Conversation, Question
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.llm.tokens import estimate_tokens

#: How far down evidence is counted per token: as many memories as a prompt holds at the least.
DEPTH = 10
MOST_PROCESSES = 4
WAYS = ("transcript", "formed", "compressed", "bm25", "dense")

Memories = Sequence[tuple[Sequence[str], str]]
"""The turns that each memory came from, and its text."""


@dataclass
class Way:
    """What one way of remembering made of all questions so far.

    Attributes:
        times_ms: of ranking alone, the question's vector at hand.
        memories, characters: how many there were to rank, and of how many characters.
        evidence, tokens: pieces of evidence within the first ten ranks, and the tokens of the texts there.
        prompt_tokens: of the memories that go into a prompt, by question, where that was asked.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)
    memories: int = 0
    characters: int = 0
    evidence: int = 0
    tokens: int = 0
    prompt_tokens: list[int] = field(default_factory=list)

    def add(self, other: "Way") -> None:
        """Take in what was measured elsewhere."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def evidence_per_1000_tokens(self) -> float:
        return round(1000 * self.evidence / self.tokens if self.tokens else 0.0, 3)

    def numbers(self) -> dict[str, float]:
        """Return what stands beside the measures of `bench.scoring`."""
        return {
            **percentiles(self.times_ms),
            "memories": self.memories,
            "evidence per 1000 tokens": self.evidence_per_1000_tokens,
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
    vectors = embed_questions(conversation)
    texts = [turn.text for _, turn in conversation.turns()]
    transcript = store_transcript(conversation, embed_all(embedder, texts))
    formed = form(conversation)
    return {
        "transcript": ask_lived(transcript, vectors),
        "formed": ask_lived(formed, vectors),
        "compressed": ask_lived(compress_to_half(formed, now=conversation.now), vectors),
        **ask_plainly(conversation, vectors),
    }


def ask_plainly(conversation: Conversation, vectors: np.ndarray) -> dict[str, Way]:
    """Return what BM25 and vectors alone make of the questions, over "Speaker: text".

    Args:
        vectors: (n, d) of the questions.
    """
    turns = [turn for _, turn in conversation.turns()]
    named = [f"{turn.speaker}: {turn.text}" for turn in turns]
    said: Memories = [([turn.id], turn.text) for turn in turns]
    bm25 = Bm25Baseline(named, language=conversation.language)
    dense = DenseBaseline(embed_all(get_embedder(), named))
    return {
        "bm25": _ask(conversation, said, vectors, lambda question, _: bm25.rank(question.text)),
        "dense": _ask(conversation, said, vectors, lambda _, vector: dense.rank(vector)),
    }


def embed_questions(conversation: Conversation) -> np.ndarray:
    """Return (n, d), one for each question."""
    return embed_all(get_embedder(), [question.text for question in conversation.questions])


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


def ask_lived(lived: Lived, vectors: np.ndarray, *, unexpired: bool = False) -> Way:
    """Return what the questions find in a memory.

    Args:
        vectors: (n, d) of the questions.
        unexpired: what has expired is not found.
    """
    held, now = lived.held, lived.conversation.now.timestamp()
    stands = held.corpus.alive & (held.expires_at > now) if unexpired else np.ones(len(held.nodes), bool)
    memories = [(lived.sources.get(node.id, ()), node.text or "") for node in held.nodes]

    def rank(question: Question, vector: np.ndarray) -> np.ndarray:
        order = lived.rank(question, vector).order
        return order[stands[order]]

    way = _ask(lived.conversation, memories, vectors, rank)
    way.memories = int(stands.sum())
    way.characters = sum(len(text) for (_, text), one in zip(memories, stands, strict=True) if one)
    return way


def _ask(
    conversation: Conversation,
    memories: Memories,
    vectors: np.ndarray,
    rank: Callable[[Question, np.ndarray], np.ndarray],
) -> Way:
    way = Way(memories=len(memories))
    for question, vector in zip(conversation.questions, vectors, strict=True):
        started = perf_counter()
        order = rank(question, vector)
        way.times_ms.append((perf_counter() - started) * 1000)
        ranked = [memories[row] for row in order]
        outcome = score(conversation, question, [turns for turns, _ in ranked])
        if outcome is None:
            continue
        way.outcomes.append(outcome)
        if question.category != ADVERSARIAL:
            _count(way, question, ranked)
    return way


def _count(way: Way, question: Question, ranked: Memories) -> None:
    """Count the evidence within the first ranks and the tokens that it costs."""
    found: set[str] = set()
    filled = 0
    for turns, text in ranked:
        filled += max(1, len(turns))
        if filled > DEPTH:
            break
        found.update(turns)
        way.tokens += estimate_tokens(text)
    way.evidence += len(found & set(question.evidence))
