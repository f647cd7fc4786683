"""Measure the bands of the signal-to-noise ratio on the labelled messages: `python -m bench.snr`.

The messages and their bands are of the project's own hand: they show the scale, and no generalising (`bench.reading` does).
"""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict

from bench.commands import command, make_parser
from companion_site.embeddings.service import get_embedder
from companion_site.language import Language
from memory.algorithms.snr import fit_band, passes
from memory.reading.statements import find_statements, measure

LABELS = Path(__file__).parent.parent / "tests" / "data" / "snr.json"
BANDS = ("noise", "casual", "meaningful", "critical")


class Labelled(TypedDict):
    """A message and what a person judged of it; `repeat` times the text, once if absent."""

    language: Language
    band: str
    stored: bool
    text: str
    repeat: NotRequired[int]


def load_labelled() -> list[Labelled]:
    """Return the labelled messages, in file order."""
    rows: list[Labelled] = json.loads(LABELS.read_text(encoding="utf-8"))
    return rows


def load_told() -> list[tuple[str, str]]:
    """Return the messages that are worth two passes or three, with their languages."""
    return [(row["text"], row["language"]) for row in load_labelled() if row["band"] in BANDS[2:]]


def judge(row: Labelled) -> tuple[int, int, float]:
    """Return the labelled band, the measured one (0..3) and the ratio of a message, all at novelty 1."""
    text = row["text"] * row.get("repeat", 1)
    kept = find_statements(text, language=row["language"], embedder=get_embedder())
    ratio = fit_band(measure(text, language=row["language"]), kept=bool(kept))
    return BANDS.index(row["band"]), passes(ratio), ratio


def summarise(rows: Iterable[Labelled]) -> tuple[list[list[int]], float, float, float]:
    """Return the confusion table (labelled x measured) and the shares stored rightly, in band, and within one."""
    table = [[0] * len(BANDS) for _ in BANDS]
    for row in rows:
        labelled, measured, _ = judge(row)
        table[labelled][measured] += 1
    total = sum(map(sum, table))
    cells = [(i, j, table[i][j]) for i in range(len(BANDS)) for j in range(len(BANDS))]
    stored = sum(n for i, j, n in cells if (i > 0) == (j > 0)) / total
    exact = sum(n for i, j, n in cells if i == j) / total
    near = sum(n for i, j, n in cells if abs(i - j) <= 1) / total
    return table, stored, exact, near


def render(title: str, rows: list[Labelled]) -> str:
    """Return one table as Markdown."""
    table, stored, exact, near = summarise(rows)
    lines = [
        f"### {title} ({len(rows)} messages)",
        "",
        "| labelled / measured | " + " | ".join(BANDS) + " |",
        "| --- " * (len(BANDS) + 1) + "|",
        *(
            f"| {band} | " + " | ".join(map(str, counts)) + " |"
            for band, counts in zip(BANDS, table, strict=True)
        ),
        "",
        f"stored or not: {stored:.1%} right; band: {exact:.1%} right, {near:.1%} within one",
        "",
    ]
    return "\n".join(lines)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("snr", __doc__)
    parser.add_argument("--misses", action="store_true", help="print what is stored wrongly or far off")
    options = parser.parse_args(arguments)
    rows = load_labelled()
    for title, chosen in (
        ("English", [row for row in rows if row["language"] == "en"]),
        ("Swedish", [row for row in rows if row["language"] == "sv"]),
        ("Constants chosen on (even rows)", rows[0::2]),
        ("Held out (odd rows)", rows[1::2]),
    ):
        sys.stdout.write(render(title, chosen) + "\n")
    if options.misses:
        for row in rows:
            labelled, measured, ratio = judge(row)
            if (labelled > 0) != (measured > 0) or abs(labelled - measured) > 1:
                sys.stdout.write(f"{row['language']} {BANDS[labelled]} {ratio:.0f}: {row['text'][:90]!r}\n")


if __name__ == "__main__":
    sys.exit(main())
