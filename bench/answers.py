"""Fit what tells an answer from what is only near: `python -m bench.answers`; writes `memory/reading/answers.json`.

Two sources: the questions of `bench/data/labelled/notebook`, each asked of all that its person told, where the authors say what answers (a third is
answered by nothing; most authors avoid the words of what answers, some ask as plainly as people do); and those of the scenarios
(`bench/data/scenarios`), asked of everything that was told in them, sentence by sentence, and once more with what answers taken away, where a
sentence answers that has one of the wordings that are needed and nothing out of date. Each author and each
half of the scenarios is judged by weights that were fitted on all others; then all of them are fitted on. The relevance head has seen none of them.
"""

import argparse
import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import django
import numpy as np
from numpy.typing import NDArray

from bench.judge import plain, says
from bench.labelled import ASK_BY_NAME, ASK_PLAINLY, Line, Vectors, load_lines
from bench.scenarios import Scenario, load_scenarios

if TYPE_CHECKING:
    from memory.reading.answers import Said

SCENARIOS = Path(__file__).parent / "data" / "scenarios"
#: As many candidates as a reply looks at.
MOST = 24
#: Of one scenario in two; its questions are asked of twice as many sentences, and which of them answer is told by words alone: they weigh less.
HALVES, WEIGHT_OF_HALVES = ("even", "odd"), 0.3
#: Networks of so many units, and passes over all cases: more of either told authors left out no better.
NETWORKS, HIDDEN, PASSES = 4, 16, 20
BARS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True)
class Case:
    """One question beside its candidates: (n, k) plain facts, which of them may be quoted at all, and which answer.

    Attributes:
        by: its author, or the half of the scenarios that it is from.
    """

    facts: NDArray[np.float32]
    may_answer: NDArray[np.bool_]
    answers: NDArray[np.bool_]
    by: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print what each author's questions get from weights fitted on the others, and write the weights."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.answers", description=(__doc__ or "").split(":")[0]
    )
    parser.add_argument("--scenarios", type=Path, default=SCENARIOS, help="folder of scenarios")
    parser.add_argument("--vectors", type=Path, help="file in which vectors are kept for the next time")
    parser.add_argument("--output", type=Path, help="where the weights go (default: the site's)")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion_site.settings")
    django.setup()
    from companion_site.embeddings.service import get_embedder
    from memory.reading.answers import WEIGHTS
    from memory.reading.service import get_heads

    vectors = Vectors(get_embedder(), options.vectors)
    people = load_lines("notebook")
    authors = {person["author"] for person in people}
    asked = [question["text"] for person in people for question in person["questions"]]
    usual = get_heads().projection.centred(vectors.of(asked)).mean(0)
    cases = [case for person in people for case in _asked_of(person, vectors, usual)]
    for number, scenario in enumerate(load_scenarios([options.scenarios])):
        cases += _asked_in(scenario, vectors, usual, half=HALVES[number % 2])
    weights = fit(cases)
    chances = left_out(cases)
    tables = {
        "hard questions, authors left out": authors - ASK_PLAINLY - ASK_BY_NAME,
        "plain questions, authors left out": ASK_PLAINLY,
        "questions by name, authors left out": ASK_BY_NAME,
        "scenarios, left out": HALVES,
    }
    for name, bys in tables.items():
        chosen = [pair for pair in zip(cases, chances, strict=True) if pair[0].by in bys]
        sys.stdout.write("\n".join([name, *render(*zip(*chosen, strict=True))]) + "\n")
    (options.output or WEIGHTS).write_text(
        json.dumps(weights | {"usual": np.round(usual, 4).tolist()}) + "\n", encoding="utf-8"
    )
    return 0


def _asked_of(person: Line, vectors: Vectors, usual: NDArray[np.floating]) -> Iterator[Case]:
    from memory.reading.answers import Said

    told = [Said(one["text"], datetime.fromisoformat(one["said"]).timestamp()) for one in person["known"]]
    for question in person["questions"]:
        if question["kind"] == "about":
            continue
        answers = np.zeros(len(told), bool)
        answers[question["answers"]] = True
        yield _case(
            question["text"],
            told,
            answers,
            vectors=vectors,
            usual=usual,
            before=question.get("before") or "",
            is_company=person["side"] == "company",
            by=person["author"],
        )


def _asked_in(
    scenario: Scenario, vectors: Vectors, usual: NDArray[np.floating], *, half: str
) -> Iterator[Case]:
    """Ask each question of a scenario with and without what answers it."""
    from memory.reading.answers import Said
    from memory.reading.splitter import split_sentences

    told = [
        Said(message[one.start : one.end], at.timestamp())
        for sitting in scenario.sittings
        for at, message in zip(sitting.times(), sitting.messages, strict=True)
        for one in split_sentences(message)
        if not message[one.start : one.end].rstrip().endswith("?") and message[one.end : one.end + 1] != "?"
    ]
    found = vectors.of([one.text for one in told])
    for question in scenario.questions:
        if question.kind in {"about_me", "as_wished"}:
            continue
        (asked,) = vectors.of([question.text])
        answers = np.array(
            [
                any(says(plain(one.text), need) for need in question.needs)
                and not says(plain(one.text), question.must_not_say)
                for one in told
            ]
        )
        for rows in (np.arange(len(told)), np.flatnonzero(~answers)):
            nearest = rows[np.argsort(-(found[rows] @ asked), kind="stable")[:MOST]]
            yield _case(
                question.text,
                [told[row] for row in nearest],
                answers[nearest],
                vectors=vectors,
                usual=usual,
                is_company=scenario.side == "company",
                by=half,
            )


def _case(
    question: str,
    told: Sequence["Said"],
    answers: NDArray[np.bool_],
    *,
    vectors: Vectors,
    usual: NDArray[np.floating],
    is_company: bool,
    by: str,
    before: str = "",
) -> Case:
    from memory.reading.answers import find_sought_after, read_candidates
    from memory.reading.service import get_heads

    read = read_candidates(
        f"{before} {question}".strip(),
        told,
        sought=find_sought_after(question, before),
        embed=vectors.of,
        heads=get_heads(),
        is_company=is_company,
        usual=usual,
    )
    return Case(read.facts, read.may_answer, answers, by)


def fit(cases: Sequence[Case]) -> dict[str, list[float] | list[list[float]] | float]:
    """Return the weights of small networks on standardised facts as those of one, rounded: it gives the mean of their log odds."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier

    from memory.reading.answers import standardise

    facts = np.concatenate([case.facts for case in cases])
    answers = np.concatenate([case.answers for case in cases])
    middle, spread = facts.mean(0), np.maximum(facts.std(0), 0.01)
    weight = np.concatenate(
        [np.full(len(case.answers), WEIGHT_OF_HALVES if case.by in HALVES else 1.0) for case in cases]
    )
    networks = [
        MLPClassifier(
            (HIDDEN,),
            activation="tanh",
            alpha=0.03,
            batch_size=256,
            learning_rate_init=0.002,
            max_iter=PASSES,
            random_state=seed,
        )
        for seed in range(NETWORKS)
    ]
    with warnings.catch_warnings():
        # Few passes, on purpose: more of them learn the authors by heart.
        warnings.simplefilter("ignore", ConvergenceWarning)
        for network in networks:
            network.fit(standardise(facts, middle, spread), answers, sample_weight=weight)
    arrays = {
        "middle": middle,
        "spread": spread,
        "hidden": np.hstack([network.coefs_[0] for network in networks]),
        "hidden_bias": np.concatenate([network.intercepts_[0] for network in networks]),
        "weights": np.concatenate([network.coefs_[1][:, 0] for network in networks]) / NETWORKS,
        "bias": np.mean([network.intercepts_[1][0] for network in networks]),
    }
    return {name: np.round(values, 4).tolist() for name, values in arrays.items()}


def left_out(cases: Sequence[Case]) -> list[NDArray[np.floating]]:
    """Return each case's chances by weights that saw nothing of its author."""
    from memory.reading.answers import tell_chances

    chances: dict[int, NDArray[np.floating]] = {}
    for by in sorted({case.by for case in cases}):
        weights = fit([case for case in cases if case.by != by])
        arrays = {name: np.asarray(values, np.float32) for name, values in weights.items()}
        for place, case in enumerate(cases):
            if case.by == by:
                chances[place] = np.where(case.may_answer, tell_chances(case.facts, arrays), 0.0)
    return [chances[place] for place in range(len(cases))]


def render(cases: Sequence[Case], chances: Sequence[NDArray[np.floating]]) -> list[str]:
    """Return what the likeliest candidate does, where something answers and where nothing does, by bar."""
    top = np.array([one.max(initial=0.0) for one in chances])
    is_right = np.array(
        [
            bool(len(one)) and bool(case.answers[one.argmax()])
            for case, one in zip(cases, chances, strict=True)
        ]
    )
    can = np.array([bool(case.answers.any()) for case in cases])
    lines = [
        f"{'from':>6}{'right':>9}{'wrong':>9}{'declined':>9}{'declined rightly':>18}{'right or declined':>19}"
    ]
    for bar in BARS:
        given = top >= bar
        lines.append(
            f"{bar:6.1f}{(given & is_right)[can].mean():9.3f}{(given & ~is_right)[can].mean():9.3f}"
            f"{(~given)[can].mean():9.3f}{(~given)[~can].mean():18.3f}{(~given | is_right).mean():19.3f}"
        )
    return lines


if __name__ == "__main__":
    sys.exit(main())
