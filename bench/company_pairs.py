"""Measure the judgement of pairs of company facts: `python -m bench.company_pairs`.

`tests/data/company_pairs.json` was labelled before the code that it judges; its held-out part was only counted.
"""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion_site.embeddings.bundled import load_bundled
from companion_site.embeddings.protocol import Embedder
from companion_site.ids import new_id
from memory.company.facts import HeldFact, NewFact
from memory.company.reconcile.engine import Discerned, Relation, discern
from memory.company.reconcile.prompts import Ask, Judgement

PAIRS = Path(__file__).parent.parent / "tests" / "data" / "company_pairs.json"
#: Further pairs that the rules and the vocabulary were written on.
WRITTEN_ON = Path(__file__).parent / "data" / "company_pairs_development.json"
LABELS = ("same", "contradiction", "different")
PAIRINGS = ("sv-sv", "en-en", "across")
SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)
_LABEL_OF = {
    Relation.SAME: "same",
    Relation.CONTRADICTS: "contradiction",
    # Nothing gives way to what is only in doubt.
    Relation.DOUBTS: "different",
    Relation.DIFFERENT: "different",
}
_VERDICT_OF: dict[str, Judgement] = {"same": "same", "contradiction": "contradicts", "different": "different"}
#: How often the simulated judge errs, and how many times each is drawn.
WRONG_SHARES, DRAWS = (0.0, 0.05, 0.1, 0.2), 5


@dataclass(frozen=True)
class Pair:
    """Two facts in the order said, each as text, language and category, and what the later does to the earlier."""

    id: str
    before: dict[str, str]
    after: dict[str, str]
    label: str
    part: str

    @property
    def pairing(self) -> str:
        left, right = self.before["language"], self.after["language"]
        return f"{left}-{right}" if left == right else "across"


@dataclass(frozen=True)
class Score:
    """What the verdicts of some pairs come to.

    Attributes:
        false_supersession: share of the pairs labelled different of which anything else is said.
        recall: share of the pairs to be recognised (same, contradiction) of which just that is said.
        precision: share of what is said of pairs, other than that they differ, that is right.
        open_settled: share of the contradicting pairs with an open item before that are told as settled.
    """

    pairs: int
    false_supersession: float
    recall: float
    precision: float
    same: float
    contradiction: float
    open_settled: float


def load_pairs(path: Path = PAIRS) -> list[Pair]:
    """Return the labelled pairs."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [Pair(**{name: row[name] for name in ("id", "before", "after", "label", "part")}) for row in rows]


def judge_pairs(
    pairs: Sequence[Pair], embedder: Embedder, *, ask_of: Callable[[Pair], Ask] | None = None
) -> list[Discerned]:
    """Return what is discerned of the later fact of each pair, where the earlier one is held."""
    left = embedder.embed([pair.before["text"] for pair in pairs])
    right = embedder.embed([pair.after["text"] for pair in pairs])
    found = []
    for place, pair in enumerate(pairs):
        held = HeldFact(
            id=new_id(), category=pair.before["category"], content=pair.before["text"],
            language=pair.before["language"], confidence=0.9, said_at=SAID, vector=left[place],
        )  # fmt: skip
        new = NewFact(
            category=pair.after["category"], content=pair.after["text"], language=pair.after["language"],
            confidence=0.9, said_at=SAID + timedelta(days=7),
        )  # fmt: skip
        ask = ask_of(pair) if ask_of else None
        found += discern([new], right[place : place + 1], [held], embedder=embedder, ask=ask)
    return found


def make_judge(wrong: float, *, seed: int) -> Callable[[Pair], Ask]:
    """Return a judge of labelled pairs that is right, but for a share `wrong` of them, drawn by the seed."""
    rng = random.Random(seed)

    def ask_of(pair: Pair) -> Ask:
        verdict = _VERDICT_OF[pair.label]
        if rng.random() < wrong:
            verdict = rng.choice([other for other in _VERDICT_OF.values() if other != verdict])
        return lambda asked: dict.fromkeys(range(len(asked)), verdict)

    return ask_of


def confuse(pairs: Sequence[Pair], found: Sequence[Discerned]) -> Counter[tuple[str, str]]:
    """Count labels against verdicts."""
    return Counter((pair.label, _LABEL_OF[one.relation]) for pair, one in zip(pairs, found, strict=True))


def score(pairs: Sequence[Pair], found: Sequence[Discerned]) -> Score:
    """Count verdicts against labels."""
    counts = confuse(pairs, found)
    of = {label: max(1, sum(counts[label, said] for said in LABELS)) for label in LABELS}
    right = counts["same", "same"] + counts["contradiction", "contradiction"]
    told = sum(counts[label, said] for label in LABELS for said in LABELS[:2])
    settled = [
        one.resolved
        for pair, one in zip(pairs, found, strict=True)
        if pair.label == "contradiction" and pair.before["category"] == "unresolved"
    ]
    return Score(
        pairs=len(pairs),
        false_supersession=1 - counts["different", "different"] / of["different"],
        recall=right / (of["same"] + of["contradiction"]),
        precision=right / max(1, told),
        same=counts["same", "same"] / of["same"],
        contradiction=counts["contradiction", "contradiction"] / of["contradiction"],
        open_settled=sum(settled) / max(1, len(settled)),
    )


def _judged(pairs: Sequence[Pair], embedder: Embedder) -> Iterator[str]:
    """Yield rows: how often a simulated judge errs, and recall, false supersession and precision with it."""
    for wrong in WRONG_SHARES:
        scores = [
            score(pairs, judge_pairs(pairs, embedder, ask_of=make_judge(wrong, seed=seed)))
            for seed in range(DRAWS)
        ]
        means = (
            sum(getattr(one, name) for one in scores) / DRAWS
            for name in ("recall", "false_supersession", "precision")
        )
        yield f"| {wrong:.0%} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |"


def main() -> None:
    """Print the tables of which docs/algorithms/company.md shows the totals."""
    embedder = load_bundled()
    pairs = [*load_pairs(), *load_pairs(WRITTEN_ON)]
    found = dict(zip((pair.id for pair in pairs), judge_pairs(pairs, embedder), strict=True))
    print("| pairs | n | false supersession | recall | precision | same | contradiction | open settled |")
    print("|---|---|---|---|---|---|---|---|")
    parts = {
        part: [pair for pair in pairs if pair.part == part]
        for part in ("development", "held_out", "written_on")
    }
    for part, chosen in list(parts.items()):
        for pairing in PAIRINGS:
            parts[f"{part}, {pairing}"] = [pair for pair in chosen if pair.pairing == pairing]
    for name, chosen in parts.items():
        one = score(chosen, [found[pair.id] for pair in chosen])
        numbers = (
            one.false_supersession,
            one.recall,
            one.precision,
            one.same,
            one.contradiction,
            one.open_settled,
        )
        print(f"| {name} | {one.pairs} | " + " | ".join(f"{number:.3f}" for number in numbers) + " |")
    for part in ("development", "held_out"):
        counts = confuse(parts[part], [found[pair.id] for pair in parts[part]])
        print(f"\n| {part} | " + " | ".join(LABELS) + " |\n|---|---|---|---|")
        for label in LABELS:
            print(f"| {label} | " + " | ".join(str(counts[label, said]) for said in LABELS) + " |")
    print("\n| judge wrong | recall | false supersession | precision |\n|---|---|---|---|")
    for row in _judged(parts["held_out"], embedder):
        print(row)


if __name__ == "__main__":
    main()
