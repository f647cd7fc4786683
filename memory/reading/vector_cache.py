"""Vectors of the site's own labelled sentences, kept on disk: a new process reads them instead of embedding hundreds.

Only sentences that stand in the code come here, never anything that somebody said.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import wraps
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Protocol, TypeVar

import numpy as np
from django.conf import settings
from numpy.typing import NDArray

from companion_site.embeddings.calibration import write_whole
from companion_site.running.locks import locked

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
T = TypeVar("T", covariant=True)


class Load(Protocol[T]):
    def __call__(self, embed: Embed, *, model: str) -> T: ...


def once_for_each_model(build: Callable[[Embed, str], T]) -> Load[T]:
    """Have `build` run once per process and embedding model, also when several threads ask at once."""
    loaded: dict[str, T] = {}
    loading = Lock()

    @wraps(build)
    def load(embed: Embed, *, model: str) -> T:
        with loading:
            if model not in loaded:
                loaded[model] = build(embed, model)
            return loaded[model]

    return load


def embed_own(sentences: Sequence[str], *, embed: Embed, model: str) -> NDArray[np.float32]:
    """Return (n, d) float32 vectors of our own sentences, embedded once for each model and wording.

    Of several processes that start at once one embeds, and the others wait for it. Where the folder cannot be written, or
    what lies there is damaged, they are embedded anew.
    """
    name = sha256("\0".join([model, *sentences]).encode()).hexdigest()[:32]
    path = settings.VAR_DIR / "prototypes" / f"{name}.npy"
    kept = _read(path, len(sentences))
    if kept is not None:
        return kept
    with ExitStack() as stack:
        with suppress(OSError):
            stack.enter_context(locked(path.parent.with_suffix(".lock")))
        kept = _read(path, len(sentences))
        if kept is not None:
            return kept
        vectors = np.asarray(embed(sentences), dtype=np.float32)
        file = BytesIO()
        np.save(file, vectors)
        write_whole(path, file.getvalue())
    return vectors


def _read(path: Path, count: int) -> NDArray[np.float32] | None:
    try:
        vectors = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    whole = vectors.ndim == 2 and len(vectors) == count and vectors.dtype == np.float32
    return vectors if whole and np.isfinite(vectors).all() else None
