"""Measure the search for phrases and the fog of war: `python -m bench.phrases`."""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from wordfreq import get_frequency_dict

from bench.commands import command, make_parser
from companion_site.phrases import Phrase, PhraseMatcher
from overlay.guard import Fog, StreamGuard, WorldNames, mask

LABELS = Path(__file__).parent.parent / "tests" / "data" / "fog.json"
MESSAGE = (
    "Hej, jag tänkte berätta att jag var hos mormor i helgen och att vi pratade länge om hur det var när hon växte upp. "
    "Sedan åkte vi hem och jag läste klart boken om svarta hål. I think I should practise the power rule more before "
    "the test on Friday, because last time everything went wrong and I felt bad about it."
)
ROUNDS = 51
PIECE_CHARS = 4


def invent_phrases(count: int, rng: random.Random) -> list[Phrase]:
    """Return phrases of one to three words of both languages, three to a key."""
    words = [
        word
        for code in ("en", "sv")
        for word in list(get_frequency_dict(code, "best"))[:60_000]
        if len(word) > 3
    ]
    lengths = (1, 1, 1, 2, 2, 3)
    return [
        Phrase(str(i // 3), " ".join(rng.choice(words) for _ in range(rng.choice(lengths))))
        for i in range(count)
    ]


def time_median(call: Callable[[], object]) -> float:
    """Return the median processor time of a call, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        begin = process_time()
        call()
        times.append(process_time() - begin)
    return 1e3 * sorted(times)[ROUNDS // 2]


def find_plainly(phrases: Sequence[str], text: str) -> list[str]:
    """Return the phrases that are in a text letter by letter: the plain loop, which knows no words and no forms."""
    folded = text.casefold()
    return [phrase for phrase in phrases if phrase in folded]


def measure_search(count: int, *, strict: bool) -> None:
    """Print the times to build a matcher and to search a message, beside the plain loop."""
    phrases = invent_phrases(count, random.Random(1))
    begin = process_time()
    matcher = PhraseMatcher(phrases, strict=strict)
    build_ms = 1e3 * (process_time() - begin)
    find_ms = time_median(lambda: matcher.find(MESSAGE))
    texts = [phrase.text.casefold() for phrase in phrases]
    plain_ms = time_median(lambda: find_plainly(texts, MESSAGE))
    kind = "strict" if strict else "plain"
    print(f"| {count} {kind} | {build_ms:.0f} | {find_ms:.2f} | {plain_ms:.2f} | {find_ms / plain_ms:.2f} |")


def measure_stream() -> None:
    """Print what the guard costs and keeps back on a reply in pieces of four characters, of a world of 20,000 names."""
    phrases = invent_phrases(20_000, random.Random(1))
    names = WorldNames.build(phrases)
    begin = process_time()
    fog = Fog(names, frozenset(str(key) for key in range(0, 6_667, 3)))
    derive_ms = 1e3 * (process_time() - begin)
    guard, held, taken = StreamGuard(fog, language="sv"), [], 0
    text = MESSAGE * 5
    begin = process_time()
    for at in range(0, len(text), PIECE_CHARS):
        taken += len(text[at : at + PIECE_CHARS])
        guard.feed(text[at : at + PIECE_CHARS])
        held.append(guard.held_chars)
    spent_ms = 1e3 * (process_time() - begin)
    held.sort()
    print(f"a student's fog from the world's names: {derive_ms:.2f} ms")
    print(
        f"{taken} characters: {spent_ms / len(held):.3f} ms a piece; kept back: {sum(held) / len(held):.1f} characters"
    )
    print(f"on average, {held[int(0.95 * len(held))]} at the 95th percentile, {held[-1]} at most")


def judge(row: dict[str, Any]) -> bool:
    """Return whether a labelled reply came out right: without the name, or else unchanged."""
    names = [Phrase("hidden", name) for name in row["hidden"]] + [
        Phrase("known", name) for name in row["known"]
    ]
    fog = Fog(WorldNames.build(names), frozenset({"known"}))
    said = mask(row["output"], fog, language=row["language"])
    if not row["must_hide"]:
        return said == row["output"]
    left = any(said.count(name) > row["output"].count(name) - row["says"].count(name) for name in row["says"])
    return not left and all(known in said for known in row["pass"])


def print_fog() -> None:
    """Print the results on the labelled replies, by kind."""
    rows = json.loads(LABELS.read_text(encoding="utf-8"))
    kinds: dict[tuple[str, str], Counter[bool]] = {}
    for row in rows:
        what = "names" if row["must_hide"] else "innocent" if row["kind"] == "innocent" else "not promised"
        kinds.setdefault((what, row["kind"]), Counter())[judge(row)] += 1
    print("| what | kind | replies | |\n| --- | --- | --- | --- |")
    verdicts = {"names": "leaked", "innocent": "cut", "not promised": "slipped through"}
    for (what, kind), counts in kinds.items():
        wrong = counts[True] if what == "not promised" else counts[False]
        print(f"| {what} | {kind} | {counts.total()} | {wrong} {verdicts[what]} |")


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    make_parser("phrases", __doc__).parse_args(arguments)
    PhraseMatcher([Phrase("warm", "up")]).find(MESSAGE)
    print("| phrases | build, ms | find, ms | plain loop, ms | ratio |\n| --- | --- | --- | --- | --- |")
    for count, strict in ((3_000, False), (3_000, True), (10_000, False), (20_000, True)):
        measure_search(count, strict=strict)
    print()
    measure_stream()
    print()
    print_fog()


if __name__ == "__main__":
    sys.exit(main())
