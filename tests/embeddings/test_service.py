"""Embedding off the event loop."""

import asyncio
from uuid import uuid4

import numpy as np

from companion_site.embeddings.service import EmbedOnce, embed_async, get_embedder


def test_everyone_who_asks_at_once_gets_their_own_vectors():
    """Whoever asks beside others gets what they asked for, in order, and exact."""
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


def test_an_error_reaches_who_asked_and_others_are_served():
    """A failing request fails by itself; the next one is served."""

    async def ask() -> list[object]:
        return await asyncio.gather(embed_async([b"bytes"]), embed_async(["good"]), return_exceptions=True)

    error, vectors = asyncio.run(ask())
    assert isinstance(error, TypeError) and vectors.shape == (1, 384)


def test_a_text_is_embedded_once_in_one_piece_of_work():
    """Repeated texts cost nothing more and give the same bits, in the order asked for."""
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
