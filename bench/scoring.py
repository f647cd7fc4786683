"""Scoring ranked memories against the turns that hold the answers.

A memory with n sources fills n ranks, so that one memory naming every turn scores nothing. `any@k`: some evidence
within the first k ranks; `all@k`: all of it. Sessions are ranked by their first hit. Evidence that is not in the file
cannot be found and is not asked for; a question left with none is not scored. Adversarial questions are reported apart, never in a total.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chat.demo.recordings import Conversation, Question

KS = (1, 3, 5, 10)
SHOWN = ("any@1", "any@5", "any@10", "all@10", "session any@5", "reciprocal rank")
ADVERSARIAL = "adversarial"
#: How often the questions of a comparison are drawn again.
ROUNDS = 5_000


@dataclass(frozen=True)
class Outcome:
    """What one way of ranking made of one question.

    Attributes:
        conversation: the file's name.
        question: the question's id.
        category: as in the file.
        measures: "any@k", "all@k" and "session any@k" for each k, 0 or 1, and "reciprocal rank".
    """

    conversation: str
    question: str
    category: str
    measures: Mapping[str, float]


def score(
    conversation: Conversation, question: Question, ranked_sources: Sequence[Sequence[str]]
) -> Outcome | None:
    """Return how a ranking did on a question; None if the question has no evidence in the file.

    Args:
        ranked_sources: for each memory, best first, the ids of the turns it came from (one of no turn fills a rank).
    """
    evidence = set(question.evidence)
    if not evidence:
        return None
    session_of = {turn.id: session.id for session, turn in conversation.turns()}
    depth = _ranks_of(ranked_sources, evidence)
    sessions = _session_ranks(ranked_sources, session_of)
    wanted = {session_of[turn] for turn in evidence}
    first = min(depth.values(), default=np.inf)
    last = max(depth.values()) if len(depth) == len(evidence) else np.inf
    session_first = min((sessions[session] for session in wanted if session in sessions), default=np.inf)
    measures = {f"any@{k}": float(first <= k) for k in KS}
    measures |= {f"all@{k}": float(last <= k) for k in KS}
    measures |= {f"session any@{k}": float(session_first <= k) for k in KS}
    measures["reciprocal rank"] = 1.0 / first
    return Outcome(conversation.name, question.id, question.category, measures)


def _ranks_of(ranked_sources: Sequence[Sequence[str]], evidence: set[str]) -> dict[str, int]:
    """Return the rank, from 1, at which each piece of evidence is first reached.

    A memory's sources share the last of the ranks it fills: all of it must fit.
    """
    found: dict[str, int] = {}
    filled = 0
    for sources in ranked_sources:
        filled += max(1, len(sources))
        for turn in sources:
            if turn in evidence:
                found.setdefault(turn, filled)
    return found


def _session_ranks(ranked_sources: Sequence[Sequence[str]], session_of: Mapping[str, str]) -> dict[str, int]:
    """Return the rank, from 1, of each session by its first hit; those that one memory brings share the last rank."""
    ranks: dict[str, int] = {}
    for sources in ranked_sources:
        new = {session_of[turn] for turn in sources} - ranks.keys()
        ranks |= dict.fromkeys(new, len(ranks) + len(new))
    return ranks


def average(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return the mean of every measure, rounded to four digits; empty for no outcomes."""
    if not outcomes:
        return {}
    return {
        name: round(float(np.mean([outcome.measures[name] for outcome in outcomes])), 4)
        for name in outcomes[0].measures
    }


def not_adversarial(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes that count in totals."""
    return [outcome for outcome in outcomes if outcome.category != ADVERSARIAL]


def summarise(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the means over all but adversarial questions, with those per category and per conversation beside.

    Returns:
        {"any@10": ..., ..., "questions": n, "categories": {category: {...}}, "conversations": {name: {...}},
        "adversarial": {...}}.
    """
    counted = not_adversarial(outcomes)
    return {
        **average(counted),
        "questions": len(counted),
        "categories": _averages_by(counted, "category"),
        "conversations": _averages_by(counted, "conversation"),
        ADVERSARIAL: average([outcome for outcome in outcomes if outcome.category == ADVERSARIAL]),
    }


def _averages_by(outcomes: Sequence[Outcome], attribute: str) -> dict[str, dict[str, float]]:
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(getattr(outcome, attribute), []).append(outcome)
    return {name: {**average(group), "questions": len(group)} for name, group in sorted(groups.items())}


@dataclass(frozen=True)
class Comparison:
    """How much better one way is than another on the same questions.

    Attributes:
        difference: mean of ours minus theirs.
        low, high: the middle 95 % of that difference over resampled questions.
    """

    questions: int
    difference: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.difference:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"

    @property
    def told(self) -> str:
        """All of it."""
        return f"{self} over {self.questions}: {self.verdict}"

    @property
    def verdict(self) -> str:
        """ "better", "worse" or "no difference shown"."""
        return "better" if self.low > 0 else "worse" if self.high < 0 else "no difference shown"


def compare(ours: Sequence[Outcome], theirs: Sequence[Outcome], *, measure: str) -> Comparison:
    """Return the paired bootstrap of a measure over the questions that both answered.

    Raises:
        ValueError: they have no question in common.
    """
    other = {(outcome.conversation, outcome.question): outcome for outcome in theirs}
    pairs = [(outcome, other.get((outcome.conversation, outcome.question))) for outcome in ours]
    differences = np.array([a.measures[measure] - b.measures[measure] for a, b in pairs if b is not None])
    if not len(differences):
        raise ValueError("no question in common")
    rng = np.random.default_rng(0)
    picks = rng.integers(0, len(differences), size=(ROUNDS, len(differences)))
    low, high = np.percentile(differences[picks].mean(axis=1), [2.5, 97.5])
    return Comparison(len(differences), float(differences.mean()), float(low), float(high))


def compare_categories(
    ours: Sequence[Outcome], theirs: Sequence[Outcome], *, measure: str
) -> dict[str, Comparison]:
    """Return `compare` for every category, adversarial included."""
    categories = sorted({outcome.category for outcome in ours})
    return {
        category: compare(
            [outcome for outcome in ours if outcome.category == category], theirs, measure=measure
        )
        for category in categories
    }


def format_table(
    results: Mapping[str, Sequence[Outcome]], *, shown: Sequence[str] = SHOWN, by: str = "category"
) -> str:
    """Return a table of ways and measures, then any@10 of each way per category or per conversation."""
    lines = ["".join([f"{'':22}{'n':>5}", *(f"{name:>{max(8, len(name) + 2)}}" for name in shown)])]
    for way, outcomes in results.items():
        means = summarise(outcomes)
        lines.append(
            f"{way:22}{means['questions']:5}"
            + "".join(f"{means.get(name, 0):{max(8, len(name) + 2)}.3f}" for name in shown)
        )
    return "\n".join([*lines, "", format_groups(results, by=by)])


def format_groups(results: Mapping[str, Sequence[Outcome]], *, by: str) -> str:
    """Return any@10 of each way per category or per conversation.

    Adversarial questions stand in a column of their own by category, and nowhere else.
    """
    if by != "category":
        results = {way: not_adversarial(found) for way, found in results.items()}
    groups = sorted({getattr(outcome, by) for outcomes in results.values() for outcome in outcomes})
    lines = ["".join([f"any@10 by {by:12}", *(f"{group[:16]:>17}" for group in groups)])]
    for way, outcomes in results.items():
        cells = (average([o for o in outcomes if getattr(o, by) == group]).get("any@10") for group in groups)
        lines.append(f"{way:22}" + "".join(f"{'-' if c is None else format(c, '.3f'):>17}" for c in cells))
    return "\n".join(lines)


def collect_results(results: Mapping[str, Sequence[Outcome]]) -> dict[str, dict[str, object]]:
    """Return what a bench writes as JSON: {"transcript": {"any@10": ...}, "bm25": {...}, ...}."""
    return {way: summarise(outcomes) for way, outcomes in results.items()}
