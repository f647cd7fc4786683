"""Vectors of the tests' texts: made by the bundled model once, and shipped, so that no run has to make them again.

`tests/data/vectors.npz` holds them in half precision, by the digest of their text. A text that is not in it is embedded by the model
and kept beside the tests' database; `python -m tests.vectors` adds those to the file. To begin it anew: remove `var/test-vectors` and the file,
run `make check`, then `python -m tests.vectors`. That the model gives the same text the same bits is shown by tests/embeddings/test_bundled.py, of the model itself.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import get_ident
from typing import Any

import hypothesis
import numpy as np
from django.conf import settings

from companion_site.embeddings.bundled import DIMENSION, MODEL, BundledEmbedder, load_bundled
from companion_site.running import PROJECT

SHIPPED = PROJECT / "tests" / "data" / "vectors.npz"
#: bytes of a text's digest by which the file knows it: among a million texts none is taken for another
DIGEST_BYTES = 8


class KeptEngine:
    """The model's engine, asked only for what is neither in the file nor kept; a new vector is kept by its text's digest."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self._kept = kept_vectors()

    def query(self, texts: Sequence[str]) -> np.ndarray:
        """Return (n, 384) float32, in the order given."""
        digests = [sha256(text.encode()).hexdigest() for text in texts]
        found = [self._find(digest) for digest in digests]
        new = [number for number, vector in enumerate(found) if vector is None]
        if new:
            self._kept.mkdir(parents=True, exist_ok=True)
            for number, vector in zip(new, self.engine.query([texts[number] for number in new]), strict=True):
                found[number] = vector
                if hypothesis.currently_in_test_context():
                    continue  # another text in each run
                file = self._kept / digests[number]
                draft = file.with_suffix(f".{os.getpid()}-{get_ident()}")
                draft.write_bytes(vector.tobytes())
                draft.replace(file)
        return np.array(found, dtype=np.float32)

    def _find(self, digest: str) -> np.ndarray | None:
        vector = shipped_vector(digest)
        return _read(self._kept / digest) if vector is None else vector


def kept_vectors() -> Path:
    """Return the directory of what this machine has embedded for tests."""
    return Path(os.environ.get("VAR_DIR") or PROJECT / "var") / "test-vectors" / MODEL.replace("/", "-")


def shipped_vector(digest: str) -> np.ndarray | None:
    """Return (384,) float32 of unit length for a text's hexadecimal digest; None for one that is not in the file."""
    names, vectors = _shipped()
    name = np.uint64(int(digest[: 2 * DIGEST_BYTES], 16))
    place = int(np.searchsorted(names, name))
    if place == len(names) or names[place] != name:
        return None
    vector = vectors[place].astype(np.float32)
    return vector / np.linalg.norm(vector)


def keep_vectors() -> None:
    """Have the embedder of this process look its texts up, as soon as there is one.

    What the site keeps of vectors for itself lies beside them, too: of half precision, it is none that a site should find.
    """
    settings.VAR_DIR = kept_vectors().parent
    make = BundledEmbedder.__init__

    def make_and_keep(self: BundledEmbedder) -> None:
        make(self)
        self._engine = KeptEngine(self._engine)

    BundledEmbedder.__init__ = make_and_keep


@contextmanager
def embedded_anew() -> Iterator[None]:
    """Have every text embedded by the model itself, for as long as the block."""
    embedder = load_bundled()
    kept = embedder._engine
    embedder._engine = kept.engine
    try:
        yield
    finally:
        embedder._engine = kept


def renew() -> int:
    """Add to the file what this machine has embedded since; return how many texts are in it."""
    shipped = dict(zip(*_shipped(), strict=True))
    for file in sorted(kept_vectors().iterdir()):
        if len(file.name) == 64 and (vector := _read(file)) is not None:
            shipped[np.uint64(int(file.name[: 2 * DIGEST_BYTES], 16))] = vector.astype(np.float16)
    names = np.array(sorted(shipped), dtype=np.uint64)
    vectors = np.array([shipped[name] for name in names], dtype=np.float16).reshape(len(names), DIMENSION)
    with SHIPPED.open("wb") as archive:
        np.savez(archive, names=names, vectors=vectors)
    _shipped.cache_clear()
    return len(names)


@cache
def _shipped() -> tuple[np.ndarray, np.ndarray]:
    if not SHIPPED.exists():
        return np.empty(0, np.uint64), np.empty((0, DIMENSION), np.float16)
    with np.load(SHIPPED) as file:
        return file["names"], file["vectors"]


def _read(file: Path) -> np.ndarray | None:
    try:
        vector = np.frombuffer(file.read_bytes(), np.float32)
    except FileNotFoundError:
        return None
    return vector if len(vector) == DIMENSION else None


if __name__ == "__main__":
    sys.stdout.write(f"{renew()} texts are in {SHIPPED.relative_to(PROJECT)}.\n")
