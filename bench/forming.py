"""How long a message takes to become memories, the embedder's own time left out."""

import json
from collections.abc import Sequence
from datetime import timedelta
from time import perf_counter

import numpy as np

from bench.living import BUDGET_BYTES
from bench.speed import NOW, Row, Space
from companion_site.embeddings.protocol import Embedder, Vectors
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.running import PROJECT
from companion_site.vault import unlocked
from companion_site.vault.scope import lock_space, space_scope
from memory.models import MemorySource
from memory.student.ingest.formation import Said, draft_memories
from memory.student.ingest.store import store_memories
from memory.student.workingset import WorkingSets

BAR_MS = 50.0
DEEP = {"meaningful", "critical"}
MESSAGES = PROJECT / "tests" / "data" / "snr.json"


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


def load_messages() -> list[tuple[str, str]]:
    """Return the labelled messages that are worth two passes or three, with their languages."""
    rows = json.loads(MESSAGES.read_text())
    return [(row["text"], row["language"]) for row in rows if row["band"] in DEEP]


def measure_forming(space: Space, *, rounds: int) -> list[Row]:
    """Return how long thinking a message out and writing it take, beside the embedding of it."""
    sets = WorkingSets(budget_bytes=BUDGET_BYTES, idle_s=3600)
    messages = load_messages()
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
        Row(f"a message formed, {space.nodes:,} memories there, without embedding", both, BAR_MS, beside),
        Row("  thinking alone", thinking),
        Row("  writing alone", writing),
    ]


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
    working_set = space.current(sets)
    access = space.access
    with unlocked(access.space, access.key):
        started = perf_counter()
        draft = draft_memories(said, working_set=working_set, embedder=embedder)
        thought = perf_counter()
        with space_scope(access.space):
            lock_space(access.space)
            store_memories(access.space, draft, now=said.said_at)
        wrote = perf_counter()
    return (thought - started) * 1000, (wrote - thought) * 1000
