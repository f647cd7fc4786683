"""Fit what tells an answer from what is only near: `python -m bench.answers`; writes `memory/reading/answers.json`.

The questions of scenarios by other hands (`bench/data/scenarios`) are asked of everything that was told in them, sentence by sentence,
and once more with what answers taken away. A sentence answers that has one of the wordings that are needed and nothing out of date. Half of
the scenarios (even places) are fitted on, the others judged; then all of them are fitted on.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import django
import numpy as np
from numpy.typing import NDArray

from bench.judge import plain, says
from bench.scenarios import Scenario, load_scenarios

SCENARIOS = Path(__file__).parent / "data" / "scenarios"
#: As many candidates as a reply looks at.
MOST = 24
BARS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)


@dataclass(frozen=True)
class Case:
    """One question beside its candidates: (n, k) plain facts, and which of them answer."""

    facts: NDArray[np.float32]
    answers: NDArray[np.bool_]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print what half of the scenarios give on the others, and write the weights."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.answers", description=(__doc__ or "").split(":")[0]
    )
    parser.add_argument("--scenarios", type=Path, default=SCENARIOS, help="folder of scenarios")
    parser.add_argument("--output", type=Path, help="where the weights go (default: the site's)")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion_site.settings")
    django.setup()
    from memory.reading.answers import WEIGHTS

    scenarios = load_scenarios([options.scenarios])
    cases = [read_cases(scenario) for scenario in scenarios]
    even, odd = cases[::2], cases[1::2]
    for line in render(_flat(odd), fit(_flat(even))):
        sys.stdout.write(f"{line}\n")
    (options.output or WEIGHTS).write_text(json.dumps(fit(_flat(cases))) + "\n", encoding="utf-8")
    return 0


def read_cases(scenario: Scenario) -> list[Case]:
    """Return each question of a scenario with and without what answers it."""
    from companion_site.embeddings.service import get_embedder
    from memory.reading.answers import Said, describe_answers
    from memory.reading.service import get_heads
    from memory.reading.splitter import split_sentences

    embedder, heads = get_embedder(), get_heads()
    told = [
        Said(message[one.start : one.end], at.timestamp())
        for sitting in scenario.sittings
        for at, message in zip(sitting.times(), sitting.messages, strict=True)
        for one in split_sentences(message)
        if not message[one.start : one.end].rstrip().endswith("?") and message[one.end : one.end + 1] != "?"
    ]
    vectors = embedder.embed([one.text for one in told])
    asked = embedder.embed([question.text for question in scenario.questions])
    cases = []
    for question, vector in zip(scenario.questions, asked, strict=True):
        if question.kind in {"about_me", "as_wished"}:
            continue
        answering = np.array(
            [
                any(says(plain(one.text), need) for need in question.needs)
                and not says(plain(one.text), question.must_not_say)
                for one in told
            ]
        )
        for rows in (np.arange(len(told)), np.flatnonzero(~answering)):
            cosines = heads.projection.centred(vectors[rows]) @ heads.projection.centred(vector[None])[0]
            nearest = rows[np.argsort(-cosines, kind="stable")[:MOST]]
            texts = [told[row].text for row in nearest]
            read = heads.read_relevance(
                question.text, texts, vector, vectors[nearest], is_company=scenario.side == "company"
            )
            facts = describe_answers(
                question.text,
                [told[row] for row in nearest],
                cosines=np.sort(cosines)[::-1][:MOST],
                helps=read.probabilities[:, read.classes.index("helps")],
                answers=read.probabilities[:, read.classes.index("answers")],
            )
            cases.append(Case(facts, answering[nearest]))
    return cases


def fit(cases: Sequence[Case]) -> dict[str, list[float] | float]:
    """Return the weights of a logistic model on standardised facts, rounded."""
    from sklearn.linear_model import LogisticRegression

    facts = np.concatenate([case.facts for case in cases]).astype(np.float64)
    answers = np.concatenate([case.answers for case in cases])
    middle, spread = facts.mean(0), np.maximum(facts.std(0), 0.01)
    model = LogisticRegression(C=0.3, max_iter=2_000).fit((facts - middle) / spread, answers)
    rounded = {"middle": middle, "spread": spread, "weights": model.coef_[0], "bias": model.intercept_[0]}
    return {name: np.round(values, 4).tolist() for name, values in rounded.items()}


def render(cases: Sequence[Case], weights: dict[str, list[float] | float]) -> list[str]:
    """Return how often the best candidate answers, where something does and where nothing does, by bar."""
    best, right, answerable = [], [], []
    for case in cases:
        scores = (case.facts - np.array(weights["middle"])) / np.array(weights["spread"]) @ np.array(
            weights["weights"]
        ) + float(weights["bias"])  # type: ignore[arg-type]
        chances = 1 / (1 + np.exp(-scores))
        best.append(chances.max(initial=0.0))
        right.append(bool(case.answers[chances.argmax()]) if len(chances) else False)
        answerable.append(bool(case.answers.any()))
    top, is_right, can = np.array(best), np.array(right), np.array(answerable)
    lines = [f"{'from':>6}{'right':>9}{'wrong':>9}{'declined':>9}{'answered though nothing does':>30}"]
    for bar in BARS:
        given = top >= bar
        lines.append(
            f"{bar:6.1f}{(given & is_right)[can].mean():9.3f}{(given & ~is_right)[can].mean():9.3f}"
            f"{(~given)[can].mean():9.3f}{given[~can].mean():30.3f}"
        )
    return lines


def _flat(cases: Sequence[Sequence[Case]]) -> list[Case]:
    return [case for part in cases for case in part]


if __name__ == "__main__":
    sys.exit(main())
