"""How many labelled dangers a turn answers as sure, as perhaps, and as nothing: `python -m bench.danger`; `--json` prints one object.

Each author's lines are sensed as a turn senses them (`memory.reading.service.find_danger`, the whole and its clauses), by a head
that was trained and calibrated on all other authors. What is told on any day counts beside: most of what people write is that.
"""

import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bench.commands import command, make_parser
from bench.labelled import Line, Vectors, load_all
from bench.trainer import Examples, calibrate, everyday, fit, left_out, make_examples, project
from companion_site.embeddings.service import get_embedder
from memory.reading.heads import WEIGHTS, Heads
from memory.reading.machines import MACHINES
from memory.reading.service import find_danger

ANSWERS = ("sure", "perhaps", "none")
#: label of a line's group, by whether it is of danger and which file it stands in
GROUPS = {
    (True, "utterances"): "danger",
    (True, "dangers"): "danger, asked and remembered too",
    (True, "intents"): "danger among requests",
    (False, "utterances"): "feelings and look-alikes",
    (False, "dangers"): "everyday questions, look-alikes",
    (False, "intents"): "ordinary requests",
    (True, "messages"): "danger in what is told on any day",
    (False, "messages"): "what is told on any day",
}
#: who wrote alone, without having seen the project
ALONE = frozenset(("g", "h", "i", "mm", "nn", "oo", *"abcmnvw"))
Counts = dict[tuple[str, str], Counter[str]]


def count_answers(lines: dict[str, list[Line]], vectors: Vectors) -> Counts:
    """Return (group, author left out) → how many lines get which answer."""
    examples = make_examples("utterance", lines, vectors, project(lines, vectors))
    with np.load(WEIGHTS, allow_pickle=False) as file:
        shipped = {name: file[name] for name in file.files}
    said = {kind: lines[kind] for kind in ("utterances", "dangers", "intents")}
    said["messages"] = [line for line in everyday(lines) if "units" in line]
    scores = left_out(MACHINES["utterance"], examples)["danger"]
    counts: Counts = {}
    for author in sorted({line["author"] for kind in said for line in said[kind]} & ALONE):
        heads = heads_without(author, examples, scores, shipped, model=vectors.embedder.model)
        for kind, found in said.items():
            for line in found:
                if line["author"] != author:
                    continue
                is_danger = (
                    line["intent"] == "danger" if kind == "intents" else line.get("danger", "none") != "none"
                )
                (vector,) = vectors.of([line["text"]])
                answer = find_danger(line["text"], vector=vector, embedder=vectors.embedder, heads=heads)
                group = GROUPS[is_danger, kind]
                counts.setdefault((group, author), Counter())[answer or "none"] += 1
    return counts


def heads_without(
    author: str,
    examples: Examples,
    scores: np.ndarray[Any, Any],
    shipped: Mapping[str, np.ndarray[Any, Any]],
    *,
    model: str,
) -> Heads:
    """Return the heads with one on danger that saw nothing by this author.

    Args:
        scores: (n, 2) of every line by heads that saw nothing by its author; those of others calibrate this one.
    """
    machine, others = MACHINES["utterance"], np.flatnonzero(examples.authors != author)
    fitted = fit(machine, examples.take(others)).arrays
    scale, shift = calibrate(scores[others], examples.labels["danger"][others])
    arrays = dict(shipped) | {f"utterance.{part}": one for part, one in fitted.items()}
    return Heads(arrays | {"utterance.danger.scale": scale, "utterance.danger.shift": shift}, model=model)


def render(counts: Counts) -> str:
    """Return a table, group by group, with the sum over authors first."""
    out = ["| lines | left out | number | sure | perhaps | none |", "| --- " * 6 + "|"]
    for group in GROUPS.values():
        of_group = {author: found for (name, author), found in counts.items() if name == group}
        rows = {"all": sum(of_group.values(), Counter[str]()), **of_group}
        for author, found in rows.items():
            if total := found.total():
                shares = " | ".join(f"{found[answer] / total:.3f}" for answer in ANSWERS)
                out.append(f"| {group} | {author} | {total} | {shares} |")
    return "\n".join(out) + "\n"


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Count and print."""
    options = make_parser("danger", __doc__, vectors=True, as_json=True).parse_args(arguments)
    lines = load_all()
    counts = count_answers(lines, Vectors(get_embedder(), options.vectors))
    if options.json:
        rows = [{"lines": group, "left_out": author, **found} for (group, author), found in counts.items()]
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    else:
        sys.stdout.write(render(counts))


if __name__ == "__main__":
    sys.exit(main())
