"""Measure how long a message takes against the ledger, beside a plain loop of `in`: `python -m bench.ledger`."""

import random
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from wordfreq import top_n_list

from bench.commands import command, make_parser
from bench.timing import interleave, percentiles, time_ms
from companion_site.ids import new_id
from ledger.entries import EntryData
from ledger.matching import EntryIndex

ENTRIES, TRIGGERS_EACH, ROUNDS = 1_000, 10, 50
NOW = datetime(2026, 3, 2, tzinfo=UTC)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Print how long a message takes against a ledger of 1,000 entries, beside a plain loop of `in`."""
    make_parser("ledger", __doc__).parse_args(arguments)
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
        times = {name: percentiles(taken) for name, taken in interleave(works, rounds=ROUNDS).items()}
        shown = [f"{one['ms_p50']} / {one['ms_p95']}" for one in times.values()]
        print(f"| {chars} characters | {len(built[0].find(text, now=NOW))} | {shown[0]} | {shown[1]} |")


def _vocabulary(size: int) -> list[str]:
    """Return real words, rarer than the thousand commonest of their language, that stand for triggers."""
    words = [
        word for pair in zip(top_n_list("en", size), top_n_list("sv", size), strict=False) for word in pair
    ]
    return [word for word in dict.fromkeys(words[2_000:]) if word.isalpha() and len(word) > 3][:size]


def _message(vocabulary: Sequence[str], chars: int, rng: random.Random) -> str:
    """Return a message of ordinary small words with one word in twenty that is a trigger."""
    common = top_n_list("en", 300)
    words: list[str] = []
    while sum(map(len, words)) + len(words) < chars:
        words.append(rng.choice(vocabulary) if rng.random() < 0.05 else rng.choice(common))
    return " ".join(words)[:chars]


if __name__ == "__main__":
    sys.exit(main())
