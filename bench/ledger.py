"""Measure the ledger: `python -m bench.ledger` for labelled sentences, `--speed` for matching as well.

The figures of docs/algorithms/storing.md come from here.
"""

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bench.labelled import load_lines
from bench.timing import interleave, percentiles, time_ms

ENTRIES, TRIGGERS_EACH = 1_000, 10
NOW = datetime(2026, 3, 2, tzinfo=UTC)
CATEGORIES = ("promise", "secret", "debt", "fact", "instruction", "observation")
#: kinds of a person's facts that are a category of the ledger as well
TOLD = frozenset({"promise", "secret", "instruction"})


@dataclass(frozen=True)
class Labelled:
    """A sentence and its category: "none" where it belongs nowhere, None where that was not judged."""

    text: str
    category: str | None


@dataclass(frozen=True)
class Found:
    """How many sentences of a category were found, wrongly found and missed."""

    right: int
    wrong: int
    missed: int


def load_own() -> list[Labelled]:
    """Return the sentences by the hand that wrote the turns of phrase; dangers are the reader's."""
    lines = [line for line in load_lines("ledger") if line["author"] == "own-tests"]
    return [Labelled(line["text"], line["category"]) for line in lines if line["category"] != "threat"]


def load_others() -> list[Labelled]:
    """Return what other people's messages say, part by part; of the kinds of fact three are categories of the ledger."""
    units = [unit for line in load_lines("messages") if len(line["author"]) == 1 for unit in line["units"]]
    return [
        Labelled(
            unit["quote"],
            "none" if unit["class"] != "keep" else unit["kind"] if unit["kind"] in TOLD else None,
        )
        for unit in units
    ]


def count(rows: Sequence[Labelled]) -> dict[str, Found]:
    """Return for each category how often a sentence's own words told it rightly, wrongly and not at all."""
    from memory.student.ledger_promotion.kinds import find_category

    judged = [(row.category, find_category(row.text) or "none") for row in rows]
    return {
        category: Found(
            right=judged.count((category, category)),
            wrong=sum(given == category and truth not in (category, None) for truth, given in judged),
            missed=sum(truth == category != given for truth, given in judged),
        )
        for category in CATEGORIES
    }


def report() -> None:
    """Print precision and recall by category."""
    for title, rows in (("own sentences", load_own()), ("other people's messages", load_others())):
        print(f"### {title} ({len(rows)})\n\n| category | precision | recall | right | wrong | missed |")
        print("| --- " * 6 + "|")
        for category, found in count(rows).items():
            precision, recall = share(found.right, found.wrong), share(found.right, found.missed)
            print(f"| {category} | {precision} | {recall} | {found.right} | {found.wrong} | {found.missed} |")
        print()


def share(part: int, rest: int) -> str:
    return f"{part / (part + rest):.2f}" if part + rest else "-"


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
        report()
    if "--speed" in sys.argv:
        measure_speed(rounds=50)


if __name__ == "__main__":
    main()
