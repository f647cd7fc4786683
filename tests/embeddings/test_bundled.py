"""The bundled embedder: exact, safe after a fork, and deaf to broken input."""

import multiprocessing
from collections.abc import Iterator
from multiprocessing.connection import Connection

import numpy as np
import pytest

from companion_site.embeddings.bundled import load_bundled, require_cpu
from companion_site.embeddings.errors import EmbedderUnavailable
from companion_site.embeddings.protocol import MAX_CHARS, clean_text
from tests.cases import cases
from tests.vectors import embedded_anew

pytestmark = pytest.mark.usefixtures("computed")

TEXTS = ["I study best in the morning", "Jag pluggar bäst på kvällen", "The rent is paid quarterly", "😀"]


@pytest.fixture(scope="module")
def computed() -> Iterator[None]:
    """The model itself answers."""
    with embedded_anew():
        yield


def test_vectors_are_unit_length_and_in_order():
    """Each text gives one unit vector, the same alone as in a batch."""
    embedder = load_bundled()
    together = embedder.embed(TEXTS)
    assert together.shape == (len(TEXTS), embedder.dimension)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.array_equal(embedder.embed([text])[0], vector)


def _embed_in_child(channel: Connection) -> None:
    channel.send_bytes(load_bundled().embed(TEXTS).tobytes())


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_embeds_exactly_like_its_parent():
    """A worker forked after the parent has embedded neither hangs nor differs by a bit."""
    expected = load_bundled().embed(TEXTS)
    receiver, sender = multiprocessing.get_context("fork").Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_embed_in_child, args=(sender,))
    child.start()
    try:
        assert receiver.poll(60), "the forked child did not answer"
        received = np.frombuffer(receiver.recv_bytes(), np.float32).reshape(expected.shape)
    finally:
        child.kill()
        child.join()
    assert np.array_equal(received, expected)


def test_a_nul_does_not_cut_the_text():
    """What follows a NUL still counts."""
    embedder = load_bundled()
    cut, whole, spaced = embedder.embed(["I live", "I live\0in Lund", "I live in Lund"])
    assert np.array_equal(whole, spaced)
    assert not np.array_equal(whole, cut)


def test_half_a_surrogate_pair_is_survived():
    """Broken text from outside gives a finite vector, and a split pair is joined."""
    embedder = load_bundled()
    assert np.isfinite(embedder.embed(["broken \ud83d here"])).all()
    assert np.array_equal(embedder.embed(["\ud83d\ude00"]), embedder.embed(["😀"]))


def test_a_long_text_keeps_its_beginning_and_its_end():
    """Past one window of the model, both ends stay and the cost is bounded."""
    text = "beginning " + "middle " * 2_000 + "end"
    cleaned = clean_text(text)
    assert len(cleaned) == MAX_CHARS
    assert cleaned.startswith("beginning")
    assert cleaned.endswith("end")


@cases("flags", ["fpu sse4_2", "fpu avx2", "fpu fma", ""])
def test_a_processor_without_the_instructions_is_told_apart(flags):
    """On such a machine the site says what is missing rather than dying at the first text."""
    with pytest.raises(EmbedderUnavailable, match="AVX2"):
        require_cpu(machine="x86_64", cpuinfo=f"processor : 0\nflags\t\t: {flags}\n")
