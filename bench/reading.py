"""How well the reader's heads do on authors they never saw: `python -m bench.reading`; `--json` prints one object.

Each author's lines are judged by heads trained on all others. Beside each figure: a plain linear head on the same vectors, what
the site decided by lists of words on the same lines, and what each part of the form is worth (left out and trained again).
"""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from bench.commands import command, make_parser
from bench.labelled import Line, Vectors, load_all
from bench.trainer import Examples, calibrate, left_out, make_examples, project, without
from companion_site.embeddings.service import get_embedder
from memory.reading.heads import softmax
from memory.reading.kernels import PLAIN, Floats
from memory.reading.machines import MACHINES, NOTES
from memory.reading.words import FOLDER as LANGUAGES

Scores = NDArray[np.floating]
Figures = dict[str, float]
#: Sets of the project's own hand train with the others, and are no measure of generalising.
OWN = "own-"
#: Shares of what is worth keeping at which it is counted what else is kept.
KEPT = (0.95, 0.88, 0.8, 0.7)
#: A further language's lines are counted for themselves.
LANGUAGE_SETS = frozenset(folder.name for folder in LANGUAGES.iterdir())


@dataclass(frozen=True)
class Row:
    """One line of the report: a head, who was left out, and its figures."""

    head: str
    left_out: str
    lines: int
    figures: Figures


# --- figures --------------------------------------------------------------------------------------------------------


def recall_at(wanted: NDArray[np.bool_], scores: Scores, false: float) -> float:
    """Return the share of wanted lines above the bar that lets through the share `false` of the others."""
    others = np.sort(scores[~wanted])[::-1]
    if not len(others) or not wanted.any():
        return float("nan")
    return float((scores[wanted] > others[min(int(false * len(others)), len(others) - 1)]).mean())


def recall_at_precision(wanted: NDArray[np.bool_], scores: Scores, precision: float) -> float:
    """Return the greatest recall at which the share of wanted among those above the bar is still `precision`."""
    order = np.argsort(-scores, kind="stable")
    right = np.cumsum(wanted[order])
    share = right / np.arange(1, len(order) + 1)
    good = share >= precision
    return float(right[good].max() / max(wanted.sum(), 1)) if good.any() else 0.0


def _auc(wanted: NDArray[np.bool_], scores: Scores) -> float:
    return float(roc_auc_score(wanted, scores)) if 0 < wanted.sum() < len(wanted) else float("nan")


def found(labels: NDArray[np.int64], scores: Scores) -> Figures:
    wanted, score = labels > 0, -scores[:, 0]
    return {f"recall at {bar:.0%} false": recall_at(wanted, score, bar) for bar in (0.02, 0.1, 0.2)} | {
        "AUC": _auc(wanted, score)
    }


def noted(labels: NDArray[np.int64], scores: Scores) -> Figures:
    wanted, score = labels > 0, -scores[:, 0]
    return {f"recall at precision {bar}": recall_at_precision(wanted, score, bar) for bar in (0.7, 0.9)} | {
        "AUC": _auc(wanted, score)
    }


def accuracy(labels: NDArray[np.int64], scores: Scores) -> Figures:
    named = scores.argmax(1)
    classes = sorted(set(labels.tolist()))
    return {
        "right": float((named == labels).mean()),
        "least recall of a class": min(float((named[labels == one] == one).mean()) for one in classes),
    }


def keep(labels: NDArray[np.int64], scores: Scores) -> Figures:
    """Return how much of each kind that is not worth keeping is let through, where so much is kept of what is."""
    names = MACHINES["unit"].tasks["class"]
    bars = {recall: np.quantile(scores[labels == 0, 0], 1 - recall) for recall in KEPT}
    return {
        f"{names[one]} at {recall}": float((scores[labels == one, 0] >= bar).mean())
        for recall, bar in bars.items()
        for one in range(1, len(names))
    }


def company_facts(labels: NDArray[np.int64], scores: Scores) -> Figures:
    fact = labels > 0
    return {
        "recall at precision .8": recall_at_precision(fact, -scores[:, 0], 0.8),
        "AUC": _auc(fact, -scores[:, 0]),
        "category right": float((scores[fact, 1:].argmax(1) + 1 == labels[fact]).mean()),
    }


def relation(labels: NDArray[np.int64], scores: Scores) -> Figures:
    wanted, score = labels == 0, scores[:, 0]
    return {f"replaces at {bar:.1%} false": recall_at(wanted, score, bar) for bar in (0.015, 0.05, 0.12)} | {
        "AUC": _auc(wanted, score),
        "right": float((scores.argmax(1) == labels).mean()),
    }


def relevant(labels: NDArray[np.int64], scores: Scores) -> Figures:
    wanted, score = labels > 0, -scores[:, 0]
    return {"recall at precision .5": recall_at_precision(wanted, score, 0.5), "AUC": _auc(wanted, score)}


def progress(labels: NDArray[np.int64], scores: Scores) -> Figures:
    """Return how much is found of what tells how it goes with a goal, and how often what became of it is told rightly."""
    told = labels > 0
    return {
        f"recall at precision {bar}": recall_at_precision(told, -scores[:, 0], bar) for bar in (0.8, 0.9)
    } | {
        "AUC": _auc(told, -scores[:, 0]),
        "what became of it right": float((scores[told, 1:].argmax(1) + 1 == labels[told]).mean()),
    }


FIGURES: dict[str, tuple[str, Callable[[NDArray[np.int64], Scores], Figures]]] = {
    "danger": ("utterance", found),
    "danger_kind": ("utterance", accuracy),
    "whose": ("utterance", accuracy),
    "emotion": ("utterance", accuracy),
    "intensity": ("utterance", accuracy),
    "energy": ("utterance", accuracy),
    "social_need": ("utterance", accuracy),
    "intent": ("intent", accuracy),
    "calls": ("intent", found),
    "way": ("intent", noted),
    "class": ("unit", keep),
    "kind": ("fact", accuracy),
    "lasting": ("fact", accuracy),
    "modality": ("fact", accuracy),
    "part": ("fact", accuracy),
    "wish": ("wish", found),
    "category": ("company", company_facts),
    **dict.fromkeys(NOTES, ("note", noted)),
    "relation": ("pair", relation),
    "relevance": ("relevance", relevant),
    "progress": ("progress", progress),
}


def figure_rows(name: str, head: str, examples: Examples, scores: Scores) -> list[Row]:
    """Return the figures of one head for each author left out, for each language, and their mean over authors."""
    _, figure = FIGURES[head]
    labels = examples.labels[head]
    rows = []
    known = _known(examples, head)
    authors = sorted({one for one in examples.authors[known].tolist() if not one.startswith(OWN)})
    authors = authors or sorted(set(examples.authors[known].tolist()))
    for author in authors:
        here = known & (examples.authors == author)
        if len(set(labels[here].tolist())) > 1:
            rows.append(Row(name, author, int(here.sum()), figure(labels[here], scores[here])))
    judged = [row for row in rows if row.left_out not in LANGUAGE_SETS] or rows
    if not judged:
        return []
    mean = {key: float(np.mean([row.figures[key] for row in judged])) for key in judged[0].figures}
    return [*rows, Row(name, "mean", sum(row.lines for row in judged), mean)]


def _known(examples: Examples, head: str) -> NDArray[np.bool_]:
    """Return which lines count: those with a label, without what only trains beside them."""
    known = examples.labels[head] >= 0
    if head == "intent" or FIGURES[head][0] in {"utterance", "relevance", "wish"}:
        return known & (examples.groups == 0)
    return known & (examples.groups >= 0)


def language_rows(name: str, head: str, examples: Examples, scores: Scores) -> list[Row]:
    _, figure = FIGURES[head]
    labels, rows = examples.labels[head], []
    hand = np.array([not author.startswith(OWN) for author in examples.authors.tolist()])
    for language in sorted(set(examples.languages.tolist())):
        here = _known(examples, head) & (examples.languages == language) & hand
        if here.sum() >= 20 and len(set(labels[here].tolist())) > 1:
            rows.append(Row(name, language, int(here.sum()), figure(labels[here], scores[here])))
    return rows


# --- what stands beside ---------------------------------------------------------------------------------------------


def plain_scores(head: str, examples: Examples, raw: NDArray[np.float32]) -> Floats:
    """Return left-out log probabilities of a linear head on the embedder's own vectors, and nothing else."""
    machine, _ = FIGURES[head]
    labels = examples.labels[head]
    scores = np.full((len(labels), len(MACHINES[machine].tasks[head])), -20.0, np.float32)
    for author in sorted(set(examples.authors.tolist())):
        out = examples.authors == author
        rows = ~out & _known(examples, head)
        model = LogisticRegression(class_weight="balanced", max_iter=400).fit(raw[rows], labels[rows])
        scores[np.ix_(np.flatnonzero(out), model.classes_)] = model.predict_log_proba(raw[out])
    return scores


def raw_vectors(machine: str, examples: Examples, vectors: Vectors) -> NDArray[np.float32]:
    """Return what a plain head is given, row by row as the examples."""
    one, *others = (vectors.of(texts) for texts in zip(*examples.texts, strict=True))
    if not others:
        return one
    (other,) = others
    products = one * other
    likeness = products.sum(1, keepdims=True) * 10
    return np.hstack(
        {
            "pair": [other - one, np.abs(other - one), products],
            "relevance": [products * 20, likeness],
            "progress": [one, products * 20, likeness],
            "unit": [other, one],
        }[machine]
    )


@command
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = make_parser("reading", __doc__, as_json=True, vectors=True)
    parser.add_argument("--heads", nargs="*", default=list(FIGURES), choices=list(FIGURES))
    parser.add_argument("--quick", action="store_true", help="the heads alone, nothing beside them")
    parser.add_argument("--bars", action="store_true", help="what lies above each probability")
    options = parser.parse_args(arguments)
    lines, vectors = load_all(), Vectors(get_embedder(), options.vectors)
    if options.bars:
        sys.stdout.write(render_bars(lines, vectors, heads=options.heads))
        return 0
    rows = measure(lines, vectors, heads=options.heads, beside=not options.quick)
    if options.json:
        sys.stdout.write(json.dumps([row.__dict__ for row in rows], indent=1) + "\n")
    else:
        sys.stdout.write(render(rows))
    return 0


def measure(
    lines: dict[str, list[Line]], vectors: Vectors, *, heads: Sequence[str], beside: bool
) -> list[Row]:
    """Return the figures of the heads, and of what stands beside them."""
    projection = project(lines, vectors)
    made: dict[str, Examples] = {}
    scored: dict[tuple[str, str], dict[str, Floats]] = {}
    rows: list[Row] = []
    for head in heads:
        name = FIGURES[head][0]
        if name not in made:
            made[name] = make_examples(name, lines, vectors, projection)
            scored[name, ""] = left_out(MACHINES[name], made[name])
        examples, scores = made[name], scored[name, ""][head]
        rows += figure_rows(head, head, examples, scores) + language_rows(head, head, examples, scores)
        if beside:
            rows += _beside(head, name, vectors, examples, scored)
    return rows


def _beside(
    head: str,
    name: str,
    vectors: Vectors,
    examples: Examples,
    scored: dict[tuple[str, str], dict[str, Floats]],
) -> list[Row]:
    rows = []
    if name != "company":
        plain = plain_scores(head, examples, raw_vectors(name, examples, vectors))
        rows += figure_rows(f"{head}: linear on the vector", head, examples, plain)[-1:]
    form = MACHINES[name].form
    parts = {"letters": bool(form.letters), PLAIN: PLAIN in form.views}
    parts |= {
        view: name in {"pair", "unit", "relevance", "company"}
        for view in form.views
        if view not in {PLAIN, "text"}
    }
    for part, is_there in parts.items():
        if not is_there:
            continue
        if (name, part) not in scored:
            less = without(
                MACHINES[name],
                letters=part == "letters",
                plain=part == PLAIN,
                likeness_to="" if part in {"letters", PLAIN} else part,
            )
            scored[name, part] = left_out(less, examples)
        rows += figure_rows(f"{head}: without {part}", head, examples, scored[name, part][head])[-1:]
    return rows


#: Heads with a bar in `memory/reading/params.py`, and the class whose probability it is.
BARRED = {
    "danger": "danger",
    "class": "keep",
    "wish": "wish",
    "calls": "memory",
    "relation": "replaces",
    "relevance": "no",
    **dict(zip(NOTES, NOTES, strict=True)),
}
#: Heads that name one class of several, or nothing, and are believed from a bar on; counted on lines by other hands alone.
NAMING = {"emotion": "neutral", "part": "background", "modality": "semantic"}
BARS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def render_bars(lines: dict[str, list[Line]], vectors: Vectors, *, heads: Sequence[str]) -> str:
    """Return for each of these heads that has a bar what share of the wanted, and of the others, stands above each probability.

    Of a head that names a class, wanted are the lines of any class but the one that says nothing: those named rightly.
    """
    projection, out = (
        project(lines, vectors),
        ["| head | probability | wanted | others | precision |", "|---" * 5 + "|"],
    )
    scored: dict[str, tuple[Examples, dict[str, Floats]]] = {}
    for head, name in (BARRED | NAMING).items():
        if head not in heads:
            continue
        machine, _ = FIGURES[head]
        if machine not in scored:
            examples = make_examples(machine, lines, vectors, projection)
            scored[machine] = examples, left_out(MACHINES[machine], examples)
        examples, scores = scored[machine][0], scored[machine][1][head]
        scale, shift = calibrate(scores, examples.labels[head])
        known, classes = _known(examples, head), MACHINES[machine].tasks[head]
        if head in NAMING:
            known &= np.array([not author.startswith(OWN) for author in examples.authors.tolist()])
        all_chances, labels = softmax(scores * scale + shift)[known], examples.labels[head][known]
        wanted, right, chances = _stand(head, all_chances, labels, classes.index(name))
        for bar in BARS:
            above = chances >= bar
            shares = f"{(above & right)[wanted].mean():.2f} | {above[~wanted].mean():.3f} | {right[above].mean():.2f}"
            out.append(
                f"| {head}: {'relevant' if name == 'no' else name if head in BARRED else 'named'} | {bar} | {shares} |"
            )
    return "\n".join(out) + "\n"


def _stand(
    head: str, chances: Floats, labels: NDArray[np.int64], chosen: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Floats]:
    """Return which lines are wanted, which are rightly told where they stand above a bar, and the probability that is barred."""
    if head in NAMING:
        if head == "modality":  # the likeliest but the usual one is named from its bar on
            chances = chances * (np.arange(chances.shape[1]) != chosen)
        named = chances.argmax(1)
        likely = np.where(named == chosen, 0.0, chances.max(1)).astype(np.float32)
        return labels != chosen, named == labels, likely
    if head == "relevance":
        return labels != chosen, labels != chosen, 1 - chances[:, chosen]
    return labels == chosen, labels == chosen, chances[:, chosen]


def render(rows: Sequence[Row]) -> str:
    """Return the rows as tables, one for each head."""
    out: list[str] = []
    last: tuple[str, ...] = ()
    for row in rows:
        keys = tuple(row.figures)
        if keys != last:
            out += [
                "",
                "| head | left out | lines | " + " | ".join(keys) + " |",
                "|---" * (3 + len(keys)) + "|",
            ]
            last = keys
        values = " | ".join(f"{row.figures[key]:.2f}" for key in keys)
        out.append(f"| {row.head} | {row.left_out} | {row.lines} | {values} |")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.exit(main())
