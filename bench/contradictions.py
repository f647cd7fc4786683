"""Measure the judgement of pairs of statements: `python -m bench.contradictions`; `--authors`: on lines of independent authors.

The labelled pairs are split once by a fixed seed, within each label and language; the rules were written on the
development part and on the pairs of `bench/data/contradictions_development.json`, the held-out part was only counted.
"""

import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.labelled import load_lines
from companion_site.embeddings.bundled import load_bundled
from companion_site.embeddings.protocol import Embedder
from companion_site.language import detect_language
from memory.algorithms.values import Comparison, Said, Verdict, compare

PAIRS = Path(__file__).parent.parent / "tests" / "data" / "contradictions.json"
DATA = Path(__file__).parent / "data"
#: Further pairs: those that the rules are written on too, those set aside by a seed before, and those written after.
FURTHER = {
    "written on": DATA / "contradictions_development.json",
    "set aside": DATA / "contradictions_unseen.json",
    "written afterwards": DATA / "contradictions_check.json",
}
SEED = 20260302
DEVELOPMENT_SHARE = 0.6
LABELS = ("contradicts", "both_true", "same")


@dataclass(frozen=True)
class Pair:
    """Two statements in the order said, and what the later does to the earlier."""

    id: str
    language: str
    earlier: str
    later: str
    label: str
    kind: str


@dataclass(frozen=True)
class Score:
    """What the verdicts of some pairs come to.

    Attributes:
        recall: share of the contradicting pairs that are retired.
        false_retired: share of the other pairs that are retired.
        false_merged: share of the pairs that are not the same and may be merged.
        same_found: share of the pairs that are the same and may be merged.
    """

    pairs: int
    recall: float
    false_retired: float
    false_merged: float
    same_found: float


def load_pairs(path: Path = PAIRS) -> list[Pair]:
    """Return the labelled pairs."""
    return [Pair(**row) for row in json.loads(path.read_text(encoding="utf-8"))["pairs"]]


def load_authors() -> dict[str, list[Pair]]:
    """Return the pairs of each independent author, named by a letter; of p and q no head is trained."""
    labels = {"replaces": "contradicts", "narrows": "both_true"}
    found: dict[str, list[Pair]] = defaultdict(list)
    for line in [*load_lines("pairs"), *load_lines("plain_pairs")]:
        if len(line["author"]) == 1:
            languages = {line["earlier_language"], line["later_language"]}
            found[line["author"]].append(
                Pair(
                    id=line["id"],
                    language=languages.pop() if len(languages) == 1 else "mixed",
                    earlier=line["earlier"],
                    later=line["later"],
                    label=labels.get(line["label"], line["label"]),
                    kind=line["what"],
                )
            )
    return dict(found)


def split_pairs(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Return the development and the held-out part."""
    groups: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for pair in sorted(pairs, key=lambda pair: pair.id):
        groups[pair.label, pair.language].append(pair)
    rng = random.Random(SEED)
    development, held_out = [], []
    for key in sorted(groups):
        rng.shuffle(groups[key])
        cut = round(DEVELOPMENT_SHARE * len(groups[key]))
        development += groups[key][:cut]
        held_out += groups[key][cut:]
    return development, held_out


def judge_pairs(pairs: Sequence[Pair], embedder: Embedder) -> list[Comparison]:
    """Return a verdict for each pair; without a model, languages as they are detected where a pair mixes them."""
    left = embedder.embed([pair.earlier for pair in pairs])
    right = embedder.embed([pair.later for pair in pairs])
    similarities = embedder.calibration.similarity((left * right).sum(axis=1))
    return [
        compare(
            Said(text=pair.earlier, language=_language(pair, pair.earlier, "sv")),
            Said(text=pair.later, language=_language(pair, pair.later, "en")),
            similarity=float(similarity),
        )
        for pair, similarity in zip(pairs, similarities, strict=True)
    ]


def _language(pair: Pair, text: str, default: str) -> str:
    return pair.language if pair.language != "mixed" else detect_language(text, default=default)  # type: ignore[arg-type]


def score(pairs: Sequence[Pair], verdicts: Sequence[Comparison]) -> Score:
    """Count verdicts against labels."""
    counts: Counter[tuple[str, str]] = Counter()
    for pair, found in zip(pairs, verdicts, strict=True):
        counts[pair.label, "all"] += 1
        counts[pair.label, "retired"] += found.verdict is Verdict.CONTRADICTS
        counts[pair.label, "merged"] += found.may_merge
    return Score(
        pairs=len(pairs),
        recall=_share(counts, "retired", ["contradicts"]),
        false_retired=_share(counts, "retired", ["both_true", "same"]),
        false_merged=_share(counts, "merged", ["contradicts", "both_true"]),
        same_found=_share(counts, "merged", ["same"]),
    )


def _share(counts: Counter[tuple[str, str]], what: str, labels: Sequence[str]) -> float:
    total = sum(counts[label, "all"] for label in labels)
    return sum(counts[label, what] for label in labels) / total if total else 0.0


def main() -> None:
    """Print the table that docs/algorithms/contradictions.md shows a part of."""
    embedder = load_bundled()
    pairs = load_pairs()
    development, held_out = split_pairs(pairs)
    languages = {name: [pair for pair in pairs if pair.language == name] for name in ("en", "sv", "mixed")}
    parts = {"all": pairs, "development": development, "held out": held_out, **languages}
    parts |= {name: load_pairs(path) for name, path in FURTHER.items()}
    if "--authors" in sys.argv:
        parts |= {f"author {author}": part for author, part in load_authors().items()}
    print("| pairs | n | recall | false retirement | false merge | same found |\n|---|---|---|---|---|---|")
    for name, part in parts.items():
        found = score(part, judge_pairs(part, embedder))
        numbers = (found.recall, found.false_retired, found.false_merged, found.same_found)
        print(f"| {name} | {found.pairs} | " + " | ".join(f"{number:.3f}" for number in numbers) + " |")
    if "--matrix" in sys.argv:
        print_matrix(pairs, judge_pairs(pairs, embedder))


def print_matrix(pairs: Sequence[Pair], verdicts: Sequence[Comparison]) -> None:
    """Print verdicts by label."""
    counts = Counter((pair.label, found.verdict) for pair, found in zip(pairs, verdicts, strict=True))
    print("\n| label | " + " | ".join(verdict.value for verdict in Verdict) + " |\n|---|---|---|---|---|")
    for label in LABELS:
        print(f"| {label} | " + " | ".join(str(counts[label, verdict]) for verdict in Verdict) + " |")


if __name__ == "__main__":
    main()
