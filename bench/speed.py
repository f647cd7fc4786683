"""How fast the parts of a turn are, each beside the least that the same work can cost."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from itertools import cycle
from time import perf_counter

import numpy as np
from django.db import connection

from bench.chatting import Chatter, say_and_follow
from bench.scenarios import SCENARIOS, load_scenarios
from bench.sentences import make_questions, make_sentences
from bench.students import (
    MOST_EMBEDDED,
    NOW,
    STATEMENTS_PER_MESSAGE,
    Space,
    make_sets,
    store_message,
)
from bench.timing import Row, interleave, time_ms
from bench.vectors import embed_all
from chat.services import begin_conversation
from companion_site.embeddings.protocol import Embedder, Vectors
from companion_site.embeddings.service import EmbedOnce, get_embedder
from companion_site.ids import new_id
from companion_site.language import LANGUAGES, tokens
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope, write_scope
from memory.algorithms.fusion import Ranking
from memory.models import MemorySource
from memory.student.ingest.formation import Said, draft_memories
from memory.student.ingest.store import store_memories
from memory.student.recall.ranking import judge_relevance, rank_memories, recall
from memory.student.recall.retrieval import RetrievalOptions, retrieve
from memory.student.workingset import WorkingSet, WorkingSets

QUESTIONS = 50
#: So many memories are scored at once; the document gives them 100 ms.
SCORED = 50


def measure_retrieval(space: Space, *, rounds: int) -> list[Row]:
    """Return warm retrieval with and without the question's embedding, and what plain methods take."""
    embedder = get_embedder()
    sets = make_sets()
    working_set = space.load(sets)
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
        space.load(sets)
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
        "check": lambda: space.load(sets),
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


def measure_write(space: Space, *, rounds: int) -> Row:
    """Return what a message's new memories cost the working set: taken in, and had it been built anew."""
    sets = make_sets()
    space.load(sets)
    fresh = store_fresh(space)
    taken, rebuilt = [], []
    for _ in range(rounds):
        next(fresh)
        taken.append(time_ms(lambda: space.load(sets)))
        rebuilt.append(time_ms(space.load))
    beside = {"rebuilding": float(np.median(rebuilt))}
    name = f"a write of {STATEMENTS_PER_MESSAGE} memories taken in, {space.nodes:,} there"
    return Row(name, taken, None, beside)


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
    chatter = Chatter(space.access, begin_conversation(space.access, now=NOW).pk)
    questions = cycle(make_questions(QUESTIONS))
    stored, first, embedding = [], [], []
    for number in range(rounds + 3):
        text = next(questions)
        embedded = time_ms(partial(get_embedder().embed, [text]))
        answered = asyncio.run(say_and_follow(chatter, text, now=NOW + timedelta(minutes=number)))
        if number >= 3:
            stored.append(answered.stored_ms)
            first.append(answered.first_ms)
            embedding.append(embedded)
    connection.close()
    beside = {"embedding the question": float(np.median(embedding))}
    return [
        Row("a message stored (acknowledged)", stored, 50.0),
        Row("from message to first word, offline", first, None, beside),
    ]


class TimedEmbedder:
    """The embedder, with the milliseconds that it took."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model, self.dimension, self.calibration = (
            embedder.model,
            embedder.dimension,
            embedder.calibration,
        )
        self.taken_ms = 0.0

    def embed(self, texts: Sequence[str]) -> Vectors:
        started = perf_counter()
        vectors = self._embedder.embed(texts)
        self.taken_ms += (perf_counter() - started) * 1000
        return vectors


def measure_forming(
    space: Space, messages: Sequence[tuple[str, str]], *, rounds: int, name: str = ""
) -> list[Row]:
    """Return how long thinking a message out and writing it take, beside the embedding of it.

    Args:
        messages: with their languages, at least as many as rounds: what is said again is stored faster.
        name: which messages they are.
    """
    sets = make_sets()
    thinking, writing, embedding = [], [], []
    for number in range(rounds + 3):
        embedder = TimedEmbedder(get_embedder())
        thought, wrote = _form(space, sets, messages[number % len(messages)], embedder, number=number)
        if number >= 3:
            thinking.append(thought - embedder.taken_ms)
            writing.append(wrote)
            embedding.append(embedder.taken_ms)
    both = [thought + wrote for thought, wrote in zip(thinking, writing, strict=True)]
    beside = {"the message's embedding": float(np.median(embedding))}
    return [
        Row(f"a message formed{name}, {space.nodes:,} memories there, without embedding", both, 50.0, beside),
        Row("  thinking alone", thinking),
        Row("  writing alone", writing),
    ]


def load_ordinary(count: int) -> list[tuple[str, str]]:
    """Return so many messages of the persons' lives with their languages, spread over all that is said there."""
    said = [
        (message, scenario.language if scenario.language in LANGUAGES else LANGUAGES[0])
        for scenario in load_scenarios([SCENARIOS])
        if scenario.side == "student"
        for message in scenario.messages
    ]
    return said[:: max(1, len(said) // count)]


def _form(
    space: Space,
    sets: WorkingSets,
    message: tuple[str, str],
    embedder: TimedEmbedder,
    *,
    number: int,
) -> tuple[float, float]:
    """Form one message; return the milliseconds of thinking and of writing."""
    said = Said(
        text=message[0],
        language=message[1],
        said_at=NOW + timedelta(minutes=number),
        source_kind=MemorySource.Kind.MESSAGE,
        source_id=new_id(),
        conversation_id=new_id(),
        position=number,
    )
    working_set = space.load(sets)
    access = space.access
    with unlocked(access.space, access.key):
        started = perf_counter()
        draft = draft_memories(said, working_set=working_set, embedder=embedder)
        thought = perf_counter()
        with write_scope(access.space):
            store_memories(access.space, draft, now=said.said_at)
        wrote = perf_counter()
    return (thought - started) * 1000, (wrote - thought) * 1000
