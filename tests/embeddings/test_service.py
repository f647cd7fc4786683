"""Embedding off the event loop."""

import asyncio
from threading import get_ident
from uuid import uuid4

import numpy as np
import pytest

from companion_site.embeddings.bundled import BundledEmbedder
from companion_site.embeddings.service import EmbeddingQueue, embed_async, get_embedder


def test_everyone_who_asks_at_once_gets_their_own_vectors():
    """Requests that travel in one batch come back apart, in order, and exact."""
    requests = [["a cat"], ["a dog", "a horse"], [], ["räkenskapsår"], ["a cat"]]

    async def ask() -> list[np.ndarray]:
        return await asyncio.gather(*map(embed_async, requests))

    for texts, vectors in zip(requests, asyncio.run(ask()), strict=True):
        assert np.array_equal(vectors, get_embedder().embed(texts))


def test_the_event_loop_runs_on_meanwhile():
    """Other coroutines get their turn while a text is embedded."""

    async def count_turns() -> int:
        work = asyncio.ensure_future(embed_async([f"a long walk in the woods, {uuid4()} " * 4]))
        turns = 0
        while not work.done():
            turns += 1
            await asyncio.sleep(0)
        return turns

    assert asyncio.run(count_turns()) > 10


class _Recorder(BundledEmbedder):
    """The bundled embedder, noting the batches and the threads it is asked in."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []
        self.threads: set[int] = set()

    def embed(self, texts):
        self.batches.append(list(texts))
        self.threads.add(get_ident())
        return super().embed(texts)


def test_an_error_reaches_who_asked_and_the_queue_lives_on():
    """A failing request fails by itself; the next one is served."""
    queue = EmbeddingQueue(get_embedder(), threads=1)
    with pytest.raises(TypeError):
        queue.submit([b"bytes"]).result(timeout=30)
    assert queue.submit(["good"]).result(timeout=30).shape == (1, 384)


def test_long_requests_travel_alone():
    """A batch closes once it is full, so that a short question never waits for more than one."""
    recorder = _Recorder()
    queue = EmbeddingQueue(recorder, threads=1, batch_chars=5)
    for future in [queue.submit([text]) for text in ("longest", "long one", "x", "y")]:
        future.result(timeout=30)
    assert all(len(batch) == 1 or sum(map(len, batch[:-1])) < 5 for batch in recorder.batches)
    assert [text for batch in recorder.batches for text in batch] == ["longest", "long one", "x", "y"]
    assert get_ident() not in recorder.threads


def test_a_text_is_embedded_once_in_one_piece_of_work():
    """Repeated texts cost nothing more and give the same bits, in the order asked for."""
    from companion_site.embeddings.service import EmbedOnce

    asked = []

    class Counting:
        inner = get_embedder()
        model, dimension, calibration = inner.model, inner.dimension, inner.calibration

        def embed(self, texts):
            asked.extend(texts)
            return self.inner.embed(texts)

    once = EmbedOnce(Counting())
    once.embed(["tea", "milk"])
    vectors = once.embed(["milk", "bread", "milk", "tea"])
    assert asked == ["tea", "milk", "bread"]
    assert np.array_equal(vectors, get_embedder().embed(["milk", "bread", "milk", "tea"]))
    assert once.embed([]).shape == (0, once.dimension)
