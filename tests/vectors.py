"""Vectors for tests: a text is embedded by the bundled model once, for every process of a run and for later runs.

The same text gives the same bits always, which tests/embeddings/test_bundled.py shows of the model itself.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import get_ident
from typing import Any

import numpy as np

from companion_site.embeddings.bundled import DIMENSION, MODEL, BundledEmbedder, load_bundled
from companion_site.running.embedded import PROJECT


class KeptEngine:
    """The model's engine; each vector lies in a file by the digest of its text."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self._kept = (
            Path(os.environ.get("VAR_DIR") or PROJECT / "var") / "test-vectors" / MODEL.replace("/", "-")
        )

    def query(self, texts: Sequence[str]) -> np.ndarray:
        """Return (n, 384) float32, in the order given."""
        files = [self._kept / sha256(text.encode()).hexdigest() for text in texts]
        found = [_read(file) for file in files]
        new = [number for number, vector in enumerate(found) if vector is None]
        if new:
            self._kept.mkdir(parents=True, exist_ok=True)
            for number, vector in zip(new, self.engine.query([texts[number] for number in new]), strict=True):
                found[number] = vector
                draft = files[number].with_suffix(f".{os.getpid()}-{get_ident()}")
                draft.write_bytes(vector.tobytes())
                draft.replace(files[number])
        return np.array(found, dtype=np.float32)


def keep_vectors() -> None:
    """Have the embedder of this process keep what it makes, as soon as there is one."""
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


def _read(file: Path) -> np.ndarray | None:
    try:
        vector = np.frombuffer(file.read_bytes(), np.float32)
    except FileNotFoundError:
        return None
    return vector if len(vector) == DIMENSION else None
