"""From a model's raw cosine to the similarity that thresholds mean: how it is fitted, and where it is kept.

Embedding models squeeze cosines into ranges of their own: in the bundled one, two sentences with nothing in common
stand at .77. Thresholds (related from .7, the same from .8) are stated on one scale, and every embedder brings the
map to it. The map says nothing of truth: an opposite scores like a paraphrase, so whether two memories say the same
is decided by their values, never by this number alone. Fit and figures: docs/embeddings.md.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from os import getpid
from pathlib import Path

import numpy as np
from django.conf import settings
from numpy.typing import ArrayLike, NDArray

PAIRS = Path(__file__).with_name("pairs.json")
#: Kind of pairs, percentile of their cosines, and the similarity it shall have: docs/embeddings.md.
TARGETS = (
    ("unrelated", 50, 0.2),
    ("unrelated", 95, 0.4),
    ("related", 50, 0.7),
    ("paraphrase", 5, 0.8),
    ("paraphrase", 50, 0.9),
)


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """A rising line through knots, from cosine to similarity and back.

    Attributes:
        raw: cosines, rising, from -1 to 1.
        calibrated: the similarity at each, rising, from 0 to 1.
        provenance: what the knots were fitted on and how to fit them again.

    Raises:
        ValueError: the knots do not rise, or do not span the range.
    """

    raw: tuple[float, ...]
    calibrated: tuple[float, ...]
    provenance: str

    def __post_init__(self) -> None:
        if len(self.raw) != len(self.calibrated):
            raise ValueError("a calibration needs as many similarities as cosines")
        if np.any(np.diff(self.raw) <= 0) or np.any(np.diff(self.calibrated) <= 0):
            raise ValueError(f"knots must rise: {self.raw} to {self.calibrated}")
        if (self.raw[0], self.raw[-1], self.calibrated[0], self.calibrated[-1]) != (-1.0, 1.0, 0.0, 1.0):
            raise ValueError("knots must span -1..1 and 0..1")

    def similarity(self, cosine: ArrayLike) -> NDArray[np.float64]:
        """Return the similarity, 0 to 1, of each cosine (any shape); never falling, rounding past 1 taken as 1."""
        return np.asarray(np.interp(np.asarray(cosine, np.float64), self.raw, self.calibrated))

    def cosine(self, similarity: ArrayLike) -> NDArray[np.float64]:
        """Return the cosine at which `similarity` is reached; the inverse of `similarity`."""
        return np.asarray(np.interp(np.asarray(similarity, np.float64), self.calibrated, self.raw))


#: For a model that nothing is known of yet. On the cautious side for most: what it calls related is.
DEFAULT = Calibration(
    raw=(-1.0, 0.15, 0.3, 0.5, 0.65, 0.8, 1.0),
    calibrated=(0.0, 0.2, 0.4, 0.7, 0.8, 0.9, 1.0),
    provenance="a guess, until the model's own is fitted",
)


class CannotFit(ValueError):
    """The model does not tell the kinds of pairs apart."""


@dataclass(frozen=True)
class LabelledPairs:
    """Pairs of statements: `kinds[i]` says how `left[i]` and `right[i]` relate, `languages[i]` what they are written in."""

    kinds: tuple[str, ...]
    languages: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]


@cache
def load_pairs() -> LabelledPairs:
    rows = json.loads(PAIRS.read_text(encoding="utf-8"))["pairs"]
    return LabelledPairs(*(tuple(row[name] for row in rows) for name in ("kind", "language", "a", "b")))


def fit_calibration(embed: Callable[[Sequence[str]], NDArray[np.float32]], *, model: str) -> Calibration:
    """Return the calibration of a model, fitted to the pairs; embeds some 250 short texts of our own.

    Args:
        embed: as `Embedder.embed`.

    Raises:
        CannotFit: the percentiles do not rise.
    """
    pairs = load_pairs()
    raw, calibrated = fit_knots(pairs, measure_pairs(pairs, embed))
    try:
        return Calibration(raw=raw, calibrated=calibrated, provenance=f"{PAIRS.name}, fitted to {model}")
    except ValueError as error:
        raise CannotFit(str(error)) from None


def measure_pairs(
    pairs: LabelledPairs, embed: Callable[[Sequence[str]], NDArray[np.float32]]
) -> NDArray[np.float32]:
    """Return (n,) the cosine of each pair."""
    vectors = embed([*pairs.left, *pairs.right])
    count = len(pairs.kinds)
    return np.asarray(np.einsum("ij,ij->i", vectors[:count], vectors[count:]))


def fit_knots(
    pairs: LabelledPairs, cosines: NDArray[np.float32]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the knots of a calibration, raw and calibrated; cosines are rounded to three digits.

    Args:
        cosines: (n,) of the pairs.
    """
    kinds = np.array(pairs.kinds)
    raw = [round(float(np.percentile(cosines[kinds == kind], at)), 3) for kind, at, _ in TARGETS]
    return (-1.0, *raw, 1.0), (0.0, *(similarity for _, _, similarity in TARGETS), 1.0)


def read_calibration(model: str) -> Calibration | None:
    """Return the calibration kept for `model`; None where there is none, or what lies there is damaged."""
    try:
        kept = json.loads(_path_of(model).read_text(encoding="utf-8"))
        return Calibration(
            raw=tuple(map(float, kept["raw"])),
            calibrated=tuple(map(float, kept["calibrated"])),
            provenance=str(kept["provenance"]),
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def keep_calibration(model: str, calibration: Calibration) -> None:
    kept = {"model": model, **asdict(calibration)}
    write_whole(_path_of(model), json.dumps(kept).encode())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all; where the folder cannot be written, the next process makes anew what would stand there."""
    part = path.with_suffix(f".{getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()


def _path_of(model: str) -> Path:
    """Other pairs make another calibration, so they are part of the name."""
    name = sha256(model.encode() + b"\0" + PAIRS.read_bytes()).hexdigest()[:32]
    return Path(settings.VAR_DIR) / "calibrations" / f"{name}.json"
