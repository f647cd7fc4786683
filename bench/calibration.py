"""Fit and print the bundled embedder's calibration: `python -m bench.calibration`."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from companion_site.embeddings.bundled import load_bundled
from companion_site.embeddings.calibration import Calibration
from companion_site.embeddings.protocol import Embedder

PAIRS = Path(__file__).parent / "data" / "pairs.json"
KINDS = ("paraphrase", "contradiction", "related", "unrelated")
LANGUAGES = ("en", "sv", "en-sv")
#: Where percentiles of the kinds shall stand on the documents' scale.
TARGETS = (
    ("unrelated", 50, 0.2),
    ("unrelated", 95, 0.4),
    ("related", 50, 0.7),
    ("paraphrase", 5, 0.8),
    ("paraphrase", 50, 0.9),
)


@dataclass(frozen=True)
class Pair:
    """Two statements and how they relate."""

    kind: str
    language: str
    a: str
    b: str
    cosine: float = float("nan")


def load_pairs(path: Path = PAIRS) -> list[Pair]:
    """Return the labelled pairs.

    Raises:
        ValueError: a kind or language is unknown.
    """
    pairs = [
        Pair(row["kind"], row["language"], row["a"], row["b"])
        for row in json.loads(path.read_text(encoding="utf-8"))["pairs"]
    ]
    for pair in pairs:
        if pair.kind not in KINDS or pair.language not in LANGUAGES:
            raise ValueError(f"unknown kind or language: {pair}")
    return pairs


def measure_pairs(pairs: Sequence[Pair], embedder: Embedder) -> list[Pair]:
    """Return the pairs with their cosines."""
    left = embedder.embed([pair.a for pair in pairs])
    right = embedder.embed([pair.b for pair in pairs])
    cosines = (left * right).sum(axis=1)
    return [replace(pair, cosine=float(cosine)) for pair, cosine in zip(pairs, cosines, strict=True)]


def fit_knots(pairs: Sequence[Pair]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the knots of the calibration, cosines rounded to three digits."""
    raw = [round(float(np.percentile(cosines(pairs, kind), at)), 3) for kind, at, _ in TARGETS]
    return (-1.0, *raw, 1.0), (0.0, *(target for _, _, target in TARGETS), 1.0)


def cosines(pairs: Iterable[Pair], kind: str, language: str | None = None) -> np.ndarray:
    """Return the cosines of one kind, in one language or all."""
    return np.array([p.cosine for p in pairs if p.kind == kind and language in (None, p.language)])


def auc(higher: np.ndarray, lower: np.ndarray) -> float:
    """Return how often one of `higher` is above one of `lower`, ties counting half."""
    above = higher[:, None] - lower[None, :]
    return float(np.mean((above > 0) + 0.5 * (above == 0)))


def format_table(pairs: Sequence[Pair], calibration: Calibration) -> str:
    """Return medians and percentiles per kind and language, then how well the kinds come apart."""
    lines = [f"{'kind':14}{'language':10}{'n':>4}{'5%':>8}{'median':>8}{'95%':>8}   calibrated 5/50/95%"]
    for kind in KINDS:
        for language in (*LANGUAGES, None):
            values = cosines(pairs, kind, language)
            points = np.percentile(values, [5, 50, 95])
            mapped = " ".join(f"{value:.2f}" for value in calibration.similarity(points))
            numbers = "".join(f"{value:8.3f}" for value in points)
            lines.append(f"{kind:14}{language or 'all':10}{len(values):4}{numbers}   {mapped}")
    lines.append("")
    for upper, lower in (
        ("paraphrase", "related"),
        ("related", "unrelated"),
        ("paraphrase", "contradiction"),
    ):
        areas = " ".join(
            f"{language or 'all'} {auc(cosines(pairs, upper, language), cosines(pairs, lower, language)):.2f}"
            for language in (*LANGUAGES, None)
        )
        lines.append(f"AUC {upper} above {lower}: {areas}")
    return "\n".join(lines)


def main() -> None:
    """Print the table and the knots to put into the code."""
    embedder = load_bundled()
    pairs = measure_pairs(load_pairs(), embedder)
    raw, calibrated = fit_knots(pairs)
    fitted = Calibration(raw=raw, calibrated=calibrated, provenance=str(PAIRS.name))
    sys.stdout.write(f"{embedder.model}\n\n{format_table(pairs, fitted)}\n\n")
    sys.stdout.write(f"raw={raw}\ncalibrated={calibrated}\n")


if __name__ == "__main__":
    main()
