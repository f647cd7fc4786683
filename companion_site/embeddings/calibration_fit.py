"""Fitting a model's calibration to labelled pairs of statements: where percentiles of each kind shall stand."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion_site.embeddings.calibration import Calibration

PAIRS = Path(__file__).with_name("pairs.json")
#: Kind of pairs, percentile of their cosines, and the similarity it shall have: docs/embeddings.md.
TARGETS = (
    ("unrelated", 50, 0.2),
    ("unrelated", 95, 0.4),
    ("related", 50, 0.7),
    ("paraphrase", 5, 0.8),
    ("paraphrase", 50, 0.9),
)
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
