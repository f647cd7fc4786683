"""Fit and print the bundled embedder's calibration: `python -m bench.calibration`."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.commands import command, make_parser
from companion_site.embeddings.bundled import load_bundled
from companion_site.embeddings.calibration import (
    PAIRS,
    Calibration,
    LabelledPairs,
    fit_knots,
    load_pairs,
    measure_pairs,
)

KINDS = ("paraphrase", "contradiction", "related", "unrelated")
LANGUAGES = ("en", "sv", "en-sv")


@dataclass(frozen=True)
class Measured:
    """The labelled pairs and (n,) their cosines."""

    pairs: LabelledPairs
    cosines: np.ndarray

    def of(self, kind: str, language: str | None = None) -> np.ndarray:
        """Return the cosines of one kind, in one language or all."""
        wanted = np.array(self.pairs.kinds) == kind
        if language is not None:
            wanted &= np.array(self.pairs.languages) == language
        return self.cosines[wanted]


def auc(higher: np.ndarray, lower: np.ndarray) -> float:
    """Return how often one of `higher` is above one of `lower`, ties counting half."""
    above = higher[:, None] - lower[None, :]
    return float(np.mean((above > 0) + 0.5 * (above == 0)))


def format_table(measured: Measured, calibration: Calibration) -> str:
    """Return medians and percentiles per kind and language, then how well the kinds come apart."""
    lines = [f"{'kind':14}{'language':10}{'n':>4}{'5%':>8}{'median':>8}{'95%':>8}   calibrated 5/50/95%"]
    for kind in KINDS:
        for language in (*LANGUAGES, None):
            values = measured.of(kind, language)
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
            f"{language or 'all'} {auc(measured.of(upper, language), measured.of(lower, language)):.2f}"
            for language in (*LANGUAGES, None)
        )
        lines.append(f"AUC {upper} above {lower}: {areas}")
    return "\n".join(lines)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and the knots to put into the code."""
    make_parser("calibration", __doc__).parse_args(arguments)
    embedder, pairs = load_bundled(), load_pairs()
    measured = Measured(pairs, measure_pairs(pairs, embedder.embed))
    raw, calibrated = fit_knots(pairs, measured.cosines)
    fitted = Calibration(raw=raw, calibrated=calibrated, provenance=PAIRS.name)
    sys.stdout.write(f"{embedder.model}\n\n{format_table(measured, fitted)}\n\n")
    sys.stdout.write(f"raw={raw}\ncalibrated={calibrated}\n")


if __name__ == "__main__":
    sys.exit(main())
