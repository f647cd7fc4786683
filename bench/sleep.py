"""What sleep keeps: `python -m bench.sleep FILE... [--json]` (files or folders of conversations).

Each conversation is lived twice through formation, without a model: once as it is, and once with ten sleeps, one after each
tenth of its sessions. Then its questions are asked of both memories. A memory with n sources fills n ranks; what has
expired is not found. The bars: recall@10, any and all, at least .95 of what it was without sleep, and no sleep after which more
memories are active than before.
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING

from bench.commands import command, keep_quiet, make_parser, tell
from bench.retrieval import load_measurable
from bench.scoring import ADVERSARIAL, average
from chat.demo.recordings import Conversation

if TYPE_CHECKING:
    from bench.sleeping import Cycle, Remembered

LEAST_RECALL = 0.95
MEASURES = ("any@1", "any@5", "any@10", "all@10", "session any@5")


@dataclass
class Slept:
    """One conversation, remembered without sleep and with it."""

    name: str
    before: "Remembered"
    after: "Remembered"
    cycles: "Sequence[Cycle]"


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    options = make_parser(
        "sleep", __doc__, files="a conversation, or a folder of them", as_json=True
    ).parse_args(arguments)
    slept = measure(load_measurable(options.paths), tell=keep_quiet if options.json else tell)
    sys.stdout.write(f"{json.dumps(collect(slept), indent=1) if options.json else render_report(slept)}\n")


def measure(conversations: Sequence[Conversation], *, tell: Callable[[str], None]) -> list[Slept]:
    """Return how each conversation is remembered, measured on a site made for it.

    Raises:
        CannotStart: its database does not come up.
    """
    from bench.scratch import scratch_site

    with scratch_site(durable=False):
        # Only now: models need the settings, and those the database.
        from bench.asking import embed_all, remember_vectors
        from bench.living import form
        from bench.sleeping import ask_all, form_and_sleep
        from companion_site.embeddings.service import get_embedder

        embedder = get_embedder()
        found = []
        with remember_vectors(embedder):
            for conversation in conversations:
                asked = embed_all(embedder, [question.text for question in conversation.questions])
                before = ask_all(conversation, form(conversation), asked, embedder=embedder)
                lived, cycles = form_and_sleep(conversation)
                after = ask_all(conversation, lived, asked, embedder=embedder)
                found.append(Slept(conversation.name, before, after, cycles))
                tell(
                    f"{conversation.name}: {len(cycles)} sleeps, {before.memories} to {after.memories} memories"
                )
        return found


def collect(slept: Sequence[Slept]) -> dict[str, object]:
    """Return {name: {"before": {...}, "after": {...}, "recall": {...}, "text": ..., "cycles": [...]}} and "all"."""
    return {
        **{one.name: {**_numbers(one), "cycles": [vars(cycle) for cycle in one.cycles]} for one in slept},
        "all": _numbers(_together(slept)),
    }


def render_report(slept: Sequence[Slept]) -> str:
    """Return the tables, by conversation and together, and whether the bars hold."""
    together = _together(slept)
    heading = "".join(
        f"{name:>15}" for name in (*MEASURES, "memories", "characters", "per 1000 tok", "prompt tok")
    )
    lines = [f"{'':24}{heading}"]
    for one in [*slept, together]:
        for way, numbers in (("before", _state(one.before)), ("after", _state(one.after))):
            lines.append(
                f"{one.name[:16]:17}{way:7}" + "".join(f"{value:15.3f}" for value in numbers.values())
            )
    lines += ["", f"{'':17}any@10 kept   all@10 kept   text left   nodes of each sleep, before>after"]
    for one in [*slept, together]:
        kept = _numbers(one)["kept"]
        nodes = (
            " ".join(f"{cycle.before}>{cycle.after}" for cycle in one.cycles) if one is not together else ""
        )
        lines.append(
            f"{one.name[:16]:17}{kept['any@10']:11.3f}{kept['all@10']:14.3f}{kept['text']:12.3f}   {nodes}"
        )
    lines += ["", *_render_bars(together)]
    return "\n".join(lines)


def _render_bars(together: Slept) -> list[str]:
    kept = _numbers(together)["kept"]
    seconds = [second for cycle in together.cycles for second in cycle.batch_s]
    commits = [ms for cycle in together.cycles for ms in cycle.commit_ms]
    bars = {
        f"any@10 after / before {kept['any@10']:.3f} (>= {LEAST_RECALL})": kept["any@10"] >= LEAST_RECALL,
        f"all@10 after / before {kept['all@10']:.3f} (>= {LEAST_RECALL})": kept["all@10"] >= LEAST_RECALL,
        f"no sleep leaves more memories active ({len(together.cycles)} sleeps)": all(
            cycle.after <= cycle.before for cycle in together.cycles
        ),
    }
    return [
        *(f"{text}: {'ok' if held else 'MISSED'}" for text, held in bars.items()),
        f"a batch took {mean(seconds):.2f} s, at most {max(seconds):.2f}; writing it {mean(commits):.0f} ms, at most {max(commits)}",
        f"memories left short-term by a sleep: {sum(cycle.left for cycle in together.cycles)}",
    ]


def _numbers(one: Slept) -> dict[str, dict[str, float]]:
    before, after = _state(one.before), _state(one.after)
    names = {"any@10": "any@10", "all@10": "all@10", "text": "characters"}
    kept = {short: after[name] / before[name] if before[name] else 0.0 for short, name in names.items()}
    return {"before": before, "after": after, "kept": {name: round(share, 4) for name, share in kept.items()}}


def _state(remembered: "Remembered") -> dict[str, float]:
    means = average([outcome for outcome in remembered.outcomes if outcome.category != ADVERSARIAL])
    per_thousand = 1000 * remembered.evidence / remembered.tokens if remembered.tokens else 0.0
    return {
        **{name: means.get(name, 0.0) for name in MEASURES},
        "memories": remembered.memories,
        "characters": remembered.characters,
        "evidence per 1000 tokens": round(per_thousand, 3),
        "tokens in a prompt": round(mean(remembered.prompt_tokens), 1) if remembered.prompt_tokens else 0.0,
    }


def _together(slept: Sequence[Slept]) -> Slept:
    from bench.sleeping import Remembered

    total = Slept("all", Remembered(), Remembered(), [cycle for one in slept for cycle in one.cycles])
    for one in slept:
        total.before.add(one.before)
        total.after.add(one.after)
    return total


if __name__ == "__main__":
    sys.exit(main())
