"""Fit what tells an answer from what is only near: `python -m bench.answers`; writes `memory/reading/answers.npz`.

Two sources: the questions of `bench/data/labelled/notebook`, each asked of all that its person told, where the authors say what answers (a third is
answered by nothing; most authors avoid the words of what answers, some ask as plainly as people do); and those of the scenarios
(`bench/data/scenarios`), asked of everything that was told in them, sentence by sentence, and once more with what answers taken away, where a
sentence answers that has one of the wordings that are needed and nothing out of date. Each author and each
half of the scenarios is judged by weights that were fitted on all others; then all of them are fitted on. The relevance head has seen none of them.

How well a question and a statement match is learned first, from the authors alone: as weights from the directions of a question's vector to those
of what answers it, by which an answer is likeliest among all that its person told, and nothing where nothing answers. What the
network sees of an author's matches is told by weights that have not seen that author.
"""

import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from bench.commands import command, make_parser
from bench.judge import plain, says
from bench.labelled import ASK_BY_NAME, ASK_PLAINLY, Line, Vectors, load_lines
from bench.scenarios import SCENARIOS, Scenario, load_scenarios
from bench.train import to_bytes
from companion_site.embeddings.service import get_embedder
from memory.reading.answers import WEIGHTS, Compared, Said, read_candidates, standardise, tell_chances
from memory.reading.questions import find_sought_after
from memory.reading.service import get_heads
from memory.reading.splitter import split_sentences

#: Every other question is asked once more among so few statements, as in the first days; one in three of those without what answers.
FEWEST, FEW = 2, 5
#: As many candidates as a reply looks at.
MOST = 24
#: Of one scenario in two; its questions are asked of twice as many sentences, and which of them answer is told by words alone: they weigh less.
HALVES, WEIGHT_OF_HALVES = ("even", "odd"), 0.3
#: Networks of so many units, and passes over all cases: more of either told authors left out no better.
NETWORKS, HIDDEN, PASSES = 4, 16, 20
#: Before anything is learned the directions of a question are those of its answer, times this; and how much moving away from that costs.
MATCHED, RIDGE = 6.0, 0.6
MOST_STEPS = 60
#: The facts by which candidates are put in order: how well the whole matches, and the cosine.
MATCH, NEARNESS = -5, 2
FIRST = (1, 3, 5, 8, 12)
BARS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True)
class Case:
    """One question beside its candidates: (n, k) facts, which of them may be quoted at all, and which answer.

    Attributes:
        by: its author, or the half of the scenarios that it is from.
        is_few: the question is asked once more among few.
    """

    facts: NDArray[np.float32]
    compared: Compared
    may_answer: NDArray[np.bool_]
    answers: NDArray[np.bool_]
    by: str
    is_few: bool = False


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, print what each author's questions get from weights fitted on the others, and write the weights."""
    parser = make_parser("answers", __doc__, vectors=True)
    parser.add_argument("--output", type=Path, default=WEIGHTS, help="where the weights go")
    options = parser.parse_args(arguments)
    vectors = Vectors(get_embedder(), options.vectors)
    people = load_lines("notebook")
    authors = {person["author"] for person in people}
    asked = [question["text"] for person in people for question in person["questions"]]
    usual = get_heads().projection.centred(vectors.of(asked)).mean(0)
    cases = [case for person in people for case in _asked_of(person, vectors, usual)]
    for number, scenario in enumerate(load_scenarios([SCENARIOS])):
        cases += _asked_in(scenario, vectors, usual, half=HALVES[number % 2])
    cases, matching = match(cases)
    weights = fit(cases)
    chances = left_out(cases)
    tables = {
        "hard questions, authors left out": authors - ASK_PLAINLY - ASK_BY_NAME,
        "plain questions, authors left out": ASK_PLAINLY,
        "questions by name, authors left out": ASK_BY_NAME,
        "scenarios, left out": HALVES,
    }
    pairs = list(zip(cases, chances, strict=True))
    chosen = {
        name: [pair for pair in pairs if pair[0].by in bys and not pair[0].is_few]
        for name, bys in tables.items()
    }
    chosen["among few, authors left out"] = [pair for pair in pairs if pair[0].is_few]
    for name, judged in chosen.items():
        sys.stdout.write("\n".join([name, *render(*zip(*judged, strict=True))]) + "\n")
        sys.stdout.write("\n".join(render_order([case for case, _ in judged])) + "\n")
    options.output.write_bytes(to_bytes({**weights, **matching, "usual": usual.astype(np.float16)}))


def _asked_of(person: Line, vectors: Vectors, usual: NDArray[np.floating]) -> Iterator[Case]:
    told = [Said(one["text"], datetime.fromisoformat(one["said"]).timestamp()) for one in person["known"]]
    for number, question in enumerate(person["questions"]):
        if question["kind"] == "about":
            continue
        answers = np.zeros(len(told), bool)
        answers[question["answers"]] = True
        among = [np.arange(len(told))]
        if number % 2:
            among.append(_few(answers, number))
        for rows in among:
            case = _case(
                question["text"],
                [told[row] for row in rows],
                answers[rows],
                vectors=vectors,
                usual=usual,
                before=question.get("before") or "",
                is_company=person["side"] == "company",
                by=person["author"],
            )
            yield replace(case, is_few=len(rows) < len(told))


def _few(answers: NDArray[np.bool_], number: int) -> NDArray[np.intp]:
    """Return a few places at random, in order; mostly with one that answers."""
    random = np.random.default_rng(number)
    others = random.permutation(np.flatnonzero(~answers))
    chosen = np.flatnonzero(answers)[: int(random.random() < 2 / 3)]
    return np.sort(np.concatenate([chosen, others])[: random.integers(FEWEST, FEW + 1)])


def _asked_in(
    scenario: Scenario, vectors: Vectors, usual: NDArray[np.floating], *, half: str
) -> Iterator[Case]:
    """Ask each question of a scenario with and without what answers it."""
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
    told: Sequence[Said],
    answers: NDArray[np.bool_],
    *,
    vectors: Vectors,
    usual: NDArray[np.floating],
    is_company: bool,
    by: str,
    before: str = "",
) -> Case:
    read = read_candidates(
        f"{before} {question}".strip(),
        told,
        sought=find_sought_after(question, before),
        embed=vectors.of,
        heads=get_heads(),
        is_company=is_company,
        usual=usual,
    )
    return Case(read.facts, read.compared, read.may_answer, answers, by)


def match(cases: Sequence[Case]) -> tuple[list[Case], dict[str, NDArray[np.generic]]]:
    """Return the cases with how well each candidate matches, by weights that have not seen its author, and the weights fitted on all authors."""
    authors = sorted({case.by for case in cases}.difference(HALVES))
    own = [case for case in cases if case.by in authors]
    whole = fit_match(own)
    of_author = {by: fit_match([case for case in own if case.by != by]) for by in authors}
    matched = []
    for case in cases:
        weights = of_author.get(case.by, whole)
        facts = case.compared.match(weights["match"].astype(np.float32), float(weights["nothing"]))
        matched.append(replace(case, facts=np.concatenate([case.facts, facts], axis=1)))
    return matched, whole


def fit_match(cases: Sequence[Case]) -> dict[str, NDArray[np.generic]]:
    """Return the weights by which what answers is likeliest among a question's candidates, and nothing where none does."""
    told = np.concatenate([case.compared.told for case in cases])
    of_case = np.repeat(np.arange(len(cases)), [len(case.answers) for case in cases])
    asked = np.array([case.compared.asked for case in cases])[of_case]
    is_answer = np.concatenate([case.answers for case in cases])
    can = np.array([case.answers.any() for case in cases])
    n, directions = len(cases), told.shape[1]
    start = MATCHED * np.eye(directions)

    def cost(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights, nothing = at[:-1].reshape(directions, directions), at[-1]
        scores = ((asked @ weights.astype(np.float32)) * told).sum(1).astype(np.float64)
        most = np.full(n, nothing)
        np.maximum.at(most, of_case, scores)
        odds, odds_of_nothing = np.exp(scores - most[of_case]), np.exp(nothing - most)
        total = np.bincount(of_case, odds, n) + odds_of_nothing
        chances, of_nothing = odds / total[of_case], odds_of_nothing / total
        of_answers = np.bincount(of_case, chances * is_answer, n)
        loss = -np.log(np.where(can, of_answers, of_nothing) + 1e-12).sum()
        wanted = np.where(can[of_case], chances * is_answer / np.maximum(of_answers, 1e-12)[of_case], 0.0)
        moved = weights - start
        slope = (asked * (chances - wanted)[:, None].astype(np.float32)).T @ told + RIDGE * moved
        loss += RIDGE / 2 * float((moved**2).sum())
        return loss / n, np.append(slope, (of_nothing - ~can).sum()) / n

    first = np.append(start, MATCHED / 2)
    at = minimize(cost, first, jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS}).x
    return {
        "match": at[:-1].reshape(directions, directions).astype(np.float16),
        "nothing": np.asarray(at[-1], np.float32),
    }


def fit(cases: Sequence[Case]) -> dict[str, NDArray[np.generic]]:
    """Return the weights of small networks on standardised facts as those of one: it gives the mean of their log odds."""
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
    return {name: np.asarray(values, np.float32) for name, values in arrays.items()}


def left_out(cases: Sequence[Case]) -> list[NDArray[np.floating]]:
    """Return each case's chances by weights that saw nothing of its author."""
    chances: dict[int, NDArray[np.floating]] = {}
    for by in sorted({case.by for case in cases}):
        weights = fit([case for case in cases if case.by != by])
        for place, case in enumerate(cases):
            if case.by == by:
                chances[place] = np.where(case.may_answer, tell_chances(case.facts, weights), 0.0)
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


def render_order(cases: Sequence[Case]) -> list[str]:
    """Return of how many questions what answers is among the first few, by how well it matches and by plain nearness; scenarios taught neither."""
    ways = {"by match": MATCH, "by nearness": NEARNESS}
    asked = [case for case in cases if case.answers.any()]
    lines = [f"{'among the first':<16}" + "".join(f"{first:>7}" for first in FIRST)]
    for way, column in ways.items():
        ranks = np.array(
            [case.answers[np.argsort(-case.facts[:, column], kind="stable")].argmax() for case in asked]
        )
        lines.append(f"{way:<16}" + "".join(f"{(ranks < first).mean():7.3f}" for first in FIRST))
    return lines


if __name__ == "__main__":
    sys.exit(main())
