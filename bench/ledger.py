"""Measure the ledger: `python -m bench.ledger` for the labelled sentences, `--speed` for matching as well.

The tables of docs/algorithms/ledger.md come from here.
"""

import json
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from bench.timing import interleave, percentiles, time_ms

LABELS = Path(__file__).parent.parent / "tests" / "data" / "ledger.json"
ENTRIES, TRIGGERS_EACH = 1_000, 10
NOW = datetime(2026, 3, 2, tzinfo=UTC)


class Labelled(TypedDict):
    """A sentence and what a person judged of it; which of the three sets it is in."""

    set: int
    language: str
    category: str
    text: str


class Found(TypedDict):
    """How many sentences of a category were found, wrongly found and missed."""

    right: int
    wrong: int
    missed: int


def load_labelled() -> list[Labelled]:
    """Return the labelled sentences, in file order."""
    rows: list[Labelled] = json.loads(LABELS.read_text(encoding="utf-8"))
    return rows


def judge(rows: Sequence[Labelled], *, full: bool) -> list[str]:
    """Return the category that each sentence is given, "none" included, without a language model.

    Args:
        full: as in the third pass; else as in the first, where only what is clear, and any threat, counts.
    """
    from companion_site.embeddings.service import get_embedder
    from memory.ledger_kinds import classify

    embedder = get_embedder()
    verdicts = classify([row["text"] for row in rows], embed=embedder.embed, model=embedder.model)
    return [
        verdict.category
        if verdict.category and (full or verdict.is_clear or verdict.category == "threat")
        else "none"
        for verdict in verdicts
    ]


def count(rows: Sequence[Labelled], judged: Sequence[str]) -> dict[str, Found]:
    """Return for each category how often it was right, wrong and missed."""
    found: dict[str, Found] = {}
    for category in sorted({row["category"] for row in rows} | set(judged)):
        pairs = [
            (row["category"] == category, given == category) for row, given in zip(rows, judged, strict=True)
        ]
        found[category] = Found(
            right=pairs.count((True, True)),
            wrong=pairs.count((False, True)),
            missed=pairs.count((True, False)),
        )
    return found


def share(part: int, rest: int) -> str:
    return f"{part / (part + rest):.2f}" if part + rest else "-"


def halves(rows: Sequence[Labelled]) -> Iterable[tuple[str, list[Labelled]]]:
    """Yield the parts that are reported apart, by how much of them was known when the rules were written."""
    first = [row for row in rows if row["set"] == 1]
    yield "first set, even rows (chosen on)", first[0::2]
    yield "first set, odd rows", first[1::2]
    yield "second set", [row for row in rows if row["set"] == 2]
    yield "third set", [row for row in rows if row["set"] == 3]


def report(*, misses: bool) -> None:
    """Print precision and recall by category for each part, and with `misses` what was judged wrongly."""
    for title, rows in halves(load_labelled()):
        judged = judge(rows, full=False)
        print(
            f"### {title} ({len(rows)} sentences)\n\n| category | precision | recall | right | wrong | missed |"
        )
        print("| --- " * 6 + "|")
        for category, found in count(rows, judged).items():
            precision, recall = share(found["right"], found["wrong"]), share(found["right"], found["missed"])
            print(
                f"| {category} | {precision} | {recall} | {found['right']} | {found['wrong']} | {found['missed']} |"
            )
        print()
        for row, given in zip(rows, judged, strict=True):
            if misses and row["category"] != given:
                print(f"    {row['category']} judged {given}: {row['text']}")


def measure_speed(*, rounds: int) -> None:
    """Print how long a message takes against a ledger of 1,000 entries, beside a plain loop of `in`."""
    from companion_site.ids import new_id
    from ledger.matching import EntryIndex
    from ledger.selectors import EntryData

    rng = random.Random(7)
    vocabulary = _vocabulary(ENTRIES * TRIGGERS_EACH)
    entries = [
        EntryData(
            id=new_id(), entry_id=new_id(), revision=1, category="fact", trust="person", content="c", summary="s",
            triggers=tuple(vocabulary[number * TRIGGERS_EACH : (number + 1) * TRIGGERS_EACH]), trigger_entities=(),
            importance=rng.random(), trigger_threshold=0.5, is_active=True, expires_at=None, node_id=None,
            recorded_at=NOW, superseded_at=None,
        )
        for number in range(ENTRIES)
    ]  # fmt: skip
    built: list[EntryIndex] = []
    building_ms = time_ms(lambda: built.append(EntryIndex(entries)))
    folded = [
        (number, trigger.casefold()) for number, entry in enumerate(entries) for trigger in entry.triggers
    ]

    def loop(text: str) -> set[int]:
        plain = text.casefold()
        return {number for number, trigger in folded if trigger in plain}

    print(
        f"{ENTRIES} entries, {ENTRIES * TRIGGERS_EACH} triggers: the automaton stands after {building_ms:.0f} ms\n"
    )
    print(
        "| message | entries found | automaton p50 / p95 ms | loop of `in` p50 / p95 ms |\n| --- | --- | --- | --- |"
    )
    for chars in (100, 400, 2_000, 32_000):
        text = _message(vocabulary, chars, rng)
        works: dict[str, Callable[[], object]] = {
            "automaton": lambda text=text: built[0].find(text, now=NOW),  # type: ignore[misc]
            "loop": lambda text=text: loop(text),  # type: ignore[misc]
        }
        times = {name: percentiles(taken) for name, taken in interleave(works, rounds=rounds).items()}
        shown = [f"{one['ms_p50']} / {one['ms_p95']}" for one in times.values()]
        print(f"| {chars} characters | {len(built[0].find(text, now=NOW))} | {shown[0]} | {shown[1]} |")


def _vocabulary(size: int) -> list[str]:
    """Return real words, rarer than the thousand commonest of their language, that stand for triggers."""
    from wordfreq import top_n_list

    words = [
        word for pair in zip(top_n_list("en", size), top_n_list("sv", size), strict=False) for word in pair
    ]
    return [word for word in dict.fromkeys(words[2_000:]) if word.isalpha() and len(word) > 3][:size]


def _message(vocabulary: Sequence[str], chars: int, rng: random.Random) -> str:
    """Return a message of ordinary small words with one word in twenty that is a trigger."""
    from wordfreq import top_n_list

    common = top_n_list("en", 300)
    words: list[str] = []
    while sum(map(len, words)) + len(words) < chars:
        words.append(rng.choice(vocabulary) if rng.random() < 0.05 else rng.choice(common))
    return " ".join(words)[:chars]


def main() -> None:
    """Write the tables to standard output."""
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion_site.settings")
    django.setup()
    if "--speed" not in sys.argv or len(sys.argv) > 2:
        report(misses="--misses" in sys.argv)
    if "--speed" in sys.argv:
        measure_speed(rounds=50)


if __name__ == "__main__":
    main()
