"""Measure the reading of life facts: `python -m bench.life_facts`, with `--misses` for what was read wrongly.

The figures of docs/algorithms/storing.md come from here. A statement counts for each of its kinds; "when" counts the facts that
were rightly found with a time, a day or a rhythm, and of how many all of it is right.
"""

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TypedDict

LABELS = Path(__file__).parent.parent / "tests" / "data" / "life_facts.json"
HALVES = ("even rows (chosen on)", "odd rows (held out)")


class Labelled(TypedDict):
    """A statement and what a person judged of it."""

    language: str
    said_at: str
    text: str
    kinds: list[str]
    when: dict[str, object]


def load_labelled() -> list[Labelled]:
    """Return the labelled statements, in file order."""
    rows: list[Labelled] = json.loads(LABELS.read_text(encoding="utf-8"))["rows"]
    return rows


def judge(rows: Sequence[Labelled]) -> list[dict[str, dict[str, object]]]:
    """Return {kind: when} as read from each statement."""
    from companion_site.embeddings.service import get_embedder
    from memory.student.life.facts.extraction import read_facts

    embedder = get_embedder()
    vectors = embedder.embed([row["text"] for row in rows])
    found = []
    for row, vector in zip(rows, vectors, strict=True):
        (told,) = read_facts(
            [row["text"]],
            vector[None],
            language=row["language"],
            said_at=datetime.fromisoformat(row["said_at"]),
            embedder=embedder,
        )
        found.append({fact.kind: fact.detail for fact in told})
    return found


def count(
    rows: Sequence[Labelled], judged: Sequence[dict[str, dict[str, object]]]
) -> dict[str, tuple[int, int, int]]:
    """Return {kind: (right, wrong, missed)}, with "all" kinds together and "none" for statements that tell no fact."""
    kinds = sorted({kind for row in rows for kind in row["kinds"]})
    found = {}
    for kind in kinds:
        pairs = [(kind in row["kinds"], kind in read) for row, read in zip(rows, judged, strict=True)]
        found[kind] = (pairs.count((True, True)), pairs.count((False, True)), pairs.count((True, False)))
    nothing = [(not row["kinds"], not read) for row, read in zip(rows, judged, strict=True)]
    together = tuple(sum(counts[place] for counts in found.values()) for place in range(3))
    found["none"] = (nothing.count((True, True)), nothing.count((False, True)), nothing.count((True, False)))
    found["all"] = (together[0], together[1], together[2])
    return found


def count_when(rows: Sequence[Labelled], judged: Sequence[dict[str, dict[str, object]]]) -> tuple[int, int]:
    """Return of how many rightly found facts that come up in time the time is right, and how many there are."""
    from memory.student.life.facts.extraction import TIMED

    pairs = [
        (row["when"], when)
        for row, read in zip(rows, judged, strict=True)
        for kind, when in read.items()
        if kind in TIMED and kind in row["kinds"]
    ]
    return sum(wanted == when for wanted, when in pairs), len(pairs)


def share(part: int, rest: int) -> str:
    return f"{part / (part + rest):.2f}" if part + rest else "-"


def report(*, misses: bool) -> None:
    """Print precision and recall by kind for each half, and with `misses` what was read wrongly in the first."""
    rows = load_labelled()
    judged = judge(rows)
    for place, title in enumerate(HALVES):
        half, read = rows[place::2], judged[place::2]
        print(
            f"### {title} ({len(half)} statements)\n\n| kind | precision | recall | right | wrong | missed |"
        )
        print("| --- " * 6 + "|")
        for kind, (right, wrong, missed) in count(half, read).items():
            print(
                f"| {kind} | {share(right, wrong)} | {share(right, missed)} | {right} | {wrong} | {missed} |"
            )
        right, total = count_when(half, read)
        print(f"\nwhen: {right} of {total}\n")
        for row, found in zip(half, read, strict=True):
            if misses and place == 0 and (set(found) != set(row["kinds"])):
                print(f"    {row['kinds']} read {sorted(found)}: {row['text']}")


def main() -> None:
    """Write the tables to standard output."""
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion_site.settings")
    django.setup()
    report(misses="--misses" in sys.argv)


if __name__ == "__main__":
    main()
