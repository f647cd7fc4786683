"""Measure what is noted of a message: `python -m bench.coaching` prints precision and recall of each coaching action.

`tests/data/coaching_actions.json` was labelled before the code that it judges; its odd rows were left out while choosing.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.commands import command, make_parser
from bench.timing import percentiles
from chat.coaching.actions import read_actions
from companion_site.language import Language
from memory.reading.service import find_danger

LABELS = Path(__file__).parent.parent / "tests" / "data" / "coaching_actions.json"
TYPES = ("set_goal", "update_goal", "log_gratitude", "log_mood")


@dataclass(frozen=True)
class Labelled:
    """A message, the goals its person pursues, and what a person judged that it asks to be noted."""

    language: Language
    text: str
    actions: list[dict[str, Any]]
    goals: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Read:
    """What was read of one message, and in how many ms."""

    actions: list[Any]
    ms: float


def load_labelled() -> list[Labelled]:
    """Return the labelled messages, in file order."""
    return [Labelled(**row) for row in json.loads(LABELS.read_text(encoding="utf-8"))]


def read_all(rows: Sequence[Labelled]) -> list[Read]:
    """Return what is read of each message; one that is surely about danger is not read, as in a turn."""
    found = []
    for row in rows:
        started = perf_counter()
        in_danger = find_danger(row.text) == "sure"
        actions = [] if in_danger else read_actions(row.text, goals=row.goals)
        found.append(Read(actions, (perf_counter() - started) * 1000))
    return found


def is_right(action: Any, labels: Sequence[dict[str, Any]]) -> bool:
    """Tell whether an action is one of those judged, by its kind and by what it says."""
    return any(label["type"] == action.type and _says(describe(action), label) for label in labels)


def describe(action: Any) -> dict[str, Any]:
    """Return what an action says, as labels have it."""
    return {**vars(action), **action.feeling}


def _says(said: dict[str, Any], label: dict[str, Any]) -> bool:
    if "about" in label:
        return label["about"].lower() in said["text"].lower()
    return all(said[name] == value for name, value in label.items() if name != "type")


def count(rows: Sequence[Labelled], read: Sequence[Read], kind: str) -> tuple[int, int, int]:
    """Return how many actions of one kind were read rightly, read at all, and judged to be there."""
    actions = [
        (action, row)
        for row, one in zip(rows, read, strict=True)
        for action in one.actions
        if action.type == kind
    ]
    right = sum(is_right(action, row.actions) for action, row in actions)
    return right, len(actions), sum(label["type"] == kind for row in rows for label in row.actions)


def render(title: str, rows: Sequence[Labelled], read: Sequence[Read]) -> Iterator[str]:
    """Yield the lines of one part's table."""
    yield f"\n### {title} ({len(rows)} messages)\n"
    yield "| action | judged | precision | recall |\n|---|---|---|---|"
    counts = [count(rows, read, kind) for kind in TYPES]
    for name, (right, found, there) in [
        *zip(TYPES, counts, strict=True),
        ("all", tuple(map(sum, zip(*counts, strict=True)))),
    ]:
        yield f"| {name} | {there} | {right / max(found, 1):.3f} | {right / max(there, 1):.3f} |"
    quiet = [(row, one) for row, one in zip(rows, read, strict=True) if not row.actions]
    yield f"\nof {len(quiet)} with nothing to note, noted in {sum(bool(one.actions) for _, one in quiet)}"


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = make_parser("coaching", __doc__)
    parser.add_argument("--misses", action="store_true", help="print the even rows that are read wrongly")
    options = parser.parse_args(arguments)
    rows = load_labelled()
    read_all(rows[:8])
    read = read_all(rows)
    for title, part in (
        ("Chosen on (even rows)", slice(0, None, 2)),
        ("Held out (odd rows)", slice(1, None, 2)),
    ):
        sys.stdout.write("\n".join(render(title, rows[part], read[part])) + "\n")
    sys.stdout.write(f"\none message, ms: {percentiles([one.ms for one in read])}\n")
    if options.misses:
        for row, one in list(zip(rows, read, strict=True))[::2]:
            wrong = [a for a in one.actions if not is_right(a, row.actions)]
            if wrong or len(one.actions) != len(row.actions):
                sys.stdout.write(
                    f"{row.text!r}: {row.actions} as {[describe(action) for action in one.actions]}\n"
                )


if __name__ == "__main__":
    sys.exit(main())
