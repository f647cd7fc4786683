"""How the head on pairs does on lives that nothing was trained on or tuned by: `python -m bench.unseen [--json]`.

The weights are the site's own. Beside the share of changes found at so many false alarms, what the site does with them: of the changes,
and of the nearest statements that hold on, how many are hinted at, doubted and ended.
"""

import json
import sys
from collections.abc import Sequence

import numpy as np

from bench.commands import command, make_parser
from bench.labelled import LABELLED, Line, Vectors, load_lines
from bench.reading import recall_at
from bench.trainer import pairs_of_life
from companion_site.embeddings.service import get_embedder
from memory.reading.heads import Heads, load_heads
from memory.reading.params import READING

KEPT_BACK = LABELLED / "kept_back"
BARS = {
    "hinted at": READING.possibly_replaces,
    "doubted": READING.probably_replaces,
    "ended": READING.replaces,
}


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("unseen", __doc__, as_json=True, vectors=True)
    options = parser.parse_args(arguments)
    vectors = Vectors(get_embedder(), options.vectors)
    heads = load_heads(model=vectors.embedder.model)
    lives = load_lines("changes", folder=KEPT_BACK)
    authors = sorted({life["author"] for life in lives})
    figures = {
        author: judge([life for life in lives if life["author"] == author], vectors, heads)
        for author in authors
    }
    figures["mean"] = {
        name: float(np.mean([figures[one][name] for one in authors])) for name in figures[authors[0]]
    }
    sys.stdout.write(f"{json.dumps(figures, indent=1) if options.json else render(figures)}\n")


def judge(lives: Sequence[Line], vectors: Vectors, heads: Heads) -> dict[str, float]:
    """Return the figures of some lives together: each statement beside what it ends, and the nearest before it that hold on."""
    labels, chances = list[bool](), list[float]()
    for life in lives:
        rows = pairs_of_life(life, vectors)
        pairs = [(row["earlier"], row["later"]) for row in rows]
        found = vectors.of([text for pair in pairs for text in pair]).reshape(len(pairs), 2, -1)
        told = heads.read_pairs(pairs, found, is_company=life["side"] == "company")
        labels += [row["label"] == "replaces" for row in rows]
        chances += [told.of("replaces", place) for place in range(len(rows))]
    wanted, scores = np.array(labels), np.array(chances)
    found_at = {
        f"found at {false:.1%} false": recall_at(wanted, scores, false) for false in (0.015, 0.05, 0.12)
    }
    acted_on = {
        f"{what} {name}": float((scores[chosen] >= bar).mean())
        for name, bar in BARS.items()
        for what, chosen in (("changes", wanted), ("others", ~wanted))
    }
    return {"pairs": len(wanted), **found_at, **acted_on}


def render(figures: dict[str, dict[str, float]]) -> str:
    """Return the figures as a table, an author a row."""
    names = list(figures["mean"])
    rows = [["author", *names], ["---"] * (1 + len(names))]
    rows += [[author, *(f"{one[name]:.3g}" for name in names)] for author, one in figures.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    sys.exit(main())
