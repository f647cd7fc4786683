"""How well memories are found: `python -m bench.retrieval FILE... [--json]` (files or folders of conversations).

The questions of each file are asked of the retrieval that the site uses, over a student's sealed memory on a database
of its own, in three ways: `transcript` (every turn is one memory, word for word), `formed` (the conversation was
lived through formation, without a model) and `compressed` (what formed, compressed to half of its memories). Beside them stand BM25 and vectors alone over "Speaker: text".
"""

import json
import sys
from collections.abc import Sequence

from bench.asking import Way, measure_all
from bench.commands import command, keep_quiet, make_parser, tell
from bench.recordings import load_measurable
from bench.scoring import (
    KS,
    Outcome,
    collect_results,
    compare,
    compare_categories,
    format_groups,
    format_table,
    not_adversarial,
)
from bench.scratch import scratch_site
from chat.demo.recordings import Conversation
from companion_site.embeddings.service import get_embedder

#: What compression to half of the memories may cost of all@10.
MOST_COST = 0.01


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = make_parser(
        "retrieval", __doc__, files="a conversation, or a folder of them", as_json=True
    ).parse_args(arguments)
    ways = measure(load_measurable(options.paths), quiet=options.json)
    sys.stdout.write(f"{render_json(ways) if options.json else render_report(ways)}\n")


def measure(conversations: Sequence[Conversation], *, quiet: bool = False) -> dict[str, Way]:
    """Return how each way does, measured on a site made for it.

    Raises:
        CannotStart: its database does not come up.
    """
    with scratch_site(durable=False):
        return measure_all(conversations, get_embedder(), tell=keep_quiet if quiet else tell)


def render_json(ways: dict[str, Way]) -> str:
    """Return {"transcript": {"any@10": ...}, "formed": ..., "bm25": ..., "dense": ...}."""
    results = collect_results({name: way.outcomes for name, way in ways.items()})
    return json.dumps({name: {**results[name], **way.numbers()} for name, way in ways.items()}, indent=1)


def render_report(ways: dict[str, Way]) -> str:
    """Return the tables and the comparison with BM25."""
    outcomes = {name: way.outcomes for name, way in ways.items()}
    measures = [f"{kind}@{k}" for kind in ("any", "all") for k in KS] + ["session any@5"]
    lines = [format_table(outcomes, shown=measures), ""]
    lines += [format_groups(outcomes, by="conversation"), ""]
    lines.append(f"{'':14}{'memories':>10}{'ms p50':>10}{'ms p95':>10}{'evidence per 1000 tokens':>28}")
    for name, way in ways.items():
        numbers = way.numbers()
        lines.append(
            f"{name:14}{numbers['memories']:10}{numbers['ms_p50']:10.2f}{numbers['ms_p95']:10.2f}"
            f"{numbers['evidence per 1000 tokens']:28.2f}"
        )
    lines += ["", _render_cost(outcomes)]
    for name in ("transcript", "formed", "compressed"):
        found = compare_categories(outcomes[name], outcomes["bm25"], measure="any@10")
        lines += ["", *(f"any@10 {category:14} {name} - bm25: {one.told}" for category, one in found.items())]
    return "\n".join(lines)


def _render_cost(outcomes: dict[str, list[Outcome]]) -> str:
    """Return what compression to half costs, in points of all@10 over all but the adversarial questions."""
    compressed, formed = (not_adversarial(outcomes[name]) for name in ("compressed", "formed"))
    cost = compare(compressed, formed, measure="all@10")
    kept = "ok" if cost.difference >= -MOST_COST else "OVER"
    return f"all@10 compressed - formed: {cost} over {cost.questions}: {kept} (>= -{MOST_COST:g})"


if __name__ == "__main__":
    sys.exit(main())
