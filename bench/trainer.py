"""Training the reader's heads: labelled lines in, arrays of weights out; the same lines give the same bytes.

Ridge regression in the form of `memory.reading.kernels`, one solve a head; then one scale and a shift a class, so that softmax
of the scores is a probability, found on lines of authors that were left out.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.linalg.lapack import dpotri
from scipy.optimize import minimize

from bench.labelled import ASK_BY_NAME, ASK_PLAINLY, Line, Vectors
from memory.algorithms.isotropy import unit_rows
from memory.company.extraction.statements import find_statements
from memory.reading import heads as reading
from memory.reading.entities import Candidate, find_candidates
from memory.reading.features import BUCKETS, count_runs, letters
from memory.reading.kernels import PLAIN, Floats, Form, likeness, prepare
from memory.reading.machines import MACHINES, NONE, NOTES, Machine
from memory.reading.params import READING
from memory.reading.views import (
    Projection,
    candidate_views,
    pair_letters,
    pair_views,
    part_views,
    relevance_views,
)

#: So many directions of the embedder's 384 are kept at the most: pairs did alike with 64 to 384, danger and intents lose two
#: points below 192.
DIRECTIONS = max(machine.directions for machine in MACHINES.values())
RIDGE = 1.0
#: How far rare classes are raised: 1 is as often as the common ones.
BALANCE = 0.5


@dataclass(frozen=True)
class Examples:
    """A machine's labelled inputs.

    Attributes:
        views: view → (n, k).
        letters: (n, BUCKETS), None where the form has none.
        labels: task → (n,) class numbers, -1 where the line does not say.
        authors: (n,).
        languages: (n,).
        groups: (n,) of what belongs to one message, for figures.
        texts: (n) the text, or the two, that each is read from.
    """

    views: dict[str, Floats]
    letters: Floats | None
    labels: dict[str, NDArray[np.int64]]
    authors: NDArray[np.str_]
    languages: NDArray[np.str_]
    groups: NDArray[np.int64]
    texts: Sequence[tuple[str, ...]] = ()

    def take(self, rows: NDArray[np.intp]) -> "Examples":
        """Return some of them."""
        return Examples(
            {name: view[rows] for name, view in self.views.items()},
            None if self.letters is None else self.letters[rows],
            {task: labels[rows] for task, labels in self.labels.items()},
            self.authors[rows],
            self.languages[rows],
            self.groups[rows],
            [self.texts[row] for row in rows] if self.texts else (),
        )


@dataclass(frozen=True)
class Fitted:
    """A machine's weights before they are rounded; scores are sums, no probabilities yet."""

    machine: Machine
    arrays: dict[str, NDArray[np.generic]]

    def scores(self, examples: Examples) -> dict[str, Floats]:
        """Return task → (n, classes)."""
        form = self.machine.form
        got = {name: np.asarray(array, np.float32) for name, array in self.arrays.items()}
        views = dict(examples.views)
        if form.reads_plain:
            views[PLAIN] = reading.standardise(views[PLAIN], got["middle"], got["spread"])
        lines = {view: got[view] if view == PLAIN else unit_rows(got[view]) for view in form.views}
        total = likeness(form, views, prepare(form, lines)) @ got["weights"] + got["bias"]
        if form.plain:
            total = total + views[PLAIN] @ got["plain_weights"]
        if form.letters and examples.letters is not None:
            total = total + examples.letters @ (got["letters"] * got["letters_scale"])
        cut = np.cumsum([len(classes) for classes in self.machine.tasks.values()])[:-1]
        return dict(zip(self.machine.tasks, np.split(total, cut, axis=1), strict=True))


def fit(machine: Machine, examples: Examples) -> Fitted:
    """Return the weights of one machine's heads."""
    form = machine.form
    arrays, views = _round(form, examples.views)
    alike = _compare(form, views, examples.letters)
    solved = [_solve(alike, examples.labels[task], len(classes)) for task, classes in machine.tasks.items()]
    weights = np.concatenate([one for one, _ in solved], axis=1)
    arrays["weights"] = weights.astype(np.float16)
    arrays["bias"] = np.concatenate([bias for _, bias in solved]).astype(np.float32)
    if form.plain:
        arrays["plain_weights"] = (form.plain / views[PLAIN].shape[1] * views[PLAIN].T @ weights).astype(
            np.float32
        )
    if form.letters and examples.letters is not None:
        own = form.letters * examples.letters.T @ weights
        scale = np.abs(own).max(0) / 127 + 1e-9
        arrays["letters"] = np.round(own / scale).astype(np.int8)
        arrays["letters_scale"] = scale.astype(np.float32)
    return Fitted(machine, arrays)


def _round(
    form: Form, views: Mapping[str, Floats]
) -> tuple[dict[str, NDArray[np.generic]], dict[str, Floats]]:
    """Return what is kept of examples, and their views as they are read from it: the weights fit what is read."""
    arrays: dict[str, NDArray[np.generic]] = {}
    views = dict(views)
    if form.reads_plain:
        middle, spread = views[PLAIN].mean(0), views[PLAIN].std(0) + np.float32(0.05)
        arrays["middle"], arrays["spread"] = middle.astype(np.float32), spread.astype(np.float32)
        views[PLAIN] = reading.standardise(views[PLAIN], middle, spread).astype(np.float16).astype(np.float32)
    for view in form.views:
        if view == PLAIN:
            arrays[view] = views[view].astype(np.float16)
        else:
            arrays[view] = np.round(views[view] * 127).astype(np.int8)
            views[view] = unit_rows(arrays[view].astype(np.float32))
    return arrays, views


#: So many examples are compared with all others at a time: all at once take several times the room of what comes of it.
BLOCK = 2_000


def _compare(form: Form, views: dict[str, Floats], letters: Floats | None) -> NDArray[np.float64]:
    """Return (n, n), how alike examples are."""
    n = len(next(iter(views.values())))
    alike, lines = np.empty((n, n)), prepare(form, views)
    for start in range(0, n, BLOCK):
        rows = slice(start, start + BLOCK)
        alike[rows] = likeness(form, {name: view[rows] for name, view in views.items()}, lines)
        if form.plain:
            alike[rows] += form.plain / views[PLAIN].shape[1] * (views[PLAIN][rows] @ views[PLAIN].T)
        if form.letters and letters is not None:
            alike[rows] += form.letters * (letters[rows] @ letters.T)
    return alike


@dataclass(frozen=True)
class _System:
    """The equations that weigh the m labelled ones of n examples for one task: `part` @ weights = `wanted` - `bias`.

    Attributes:
        rows: (m,).
        part: (m, m).
        wanted: (m, classes).
        bias: (classes,).
    """

    rows: NDArray[np.intp]
    part: NDArray[np.float64]
    wanted: NDArray[np.float64]
    bias: NDArray[np.float64]

    @classmethod
    def of(cls, alike: NDArray[np.float64], labels: NDArray[np.int64], classes: int) -> "_System":
        """Return the equations of (n,) labels; a rare class weighs more, and lines without a label nothing."""
        rows = np.flatnonzero(labels >= 0)
        wanted = np.eye(classes)[labels[rows]]
        share = wanted.mean(0) if len(rows) else np.zeros(classes)
        present = max(int((share > 0).sum()), 1)
        worth = (1 / (present * share[labels[rows]])) ** BALANCE
        bias = (worth[:, None] * wanted).sum(0) / max(worth.sum(), 1e-9)
        part = alike[np.ix_(rows, rows)]
        part[np.diag_indices_from(part)] += RIDGE / worth
        return cls(rows, part, wanted, bias)

    def solve(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the (m, classes) weights, and the lower factor of Cholesky, which is written where `part` was."""
        factor, is_lower = cho_factor(self.part.T, lower=True, overwrite_a=True, check_finite=False)
        return cho_solve((factor, is_lower), self.wanted - self.bias, check_finite=False), factor


def _solve(
    alike: NDArray[np.float64], labels: NDArray[np.int64], classes: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (n, classes) weights and (classes,) biases."""
    system = _System.of(alike, labels, classes)
    weights = np.zeros((len(labels), classes))
    weights[system.rows], _ = system.solve()
    return weights, system.bias


def left_out(machine: Machine, examples: Examples) -> dict[str, Floats]:
    """Return task → (n, classes) scores of every line by heads that saw nothing by its author; zeros where it has no label.

    By one inversion a task instead of a fit an author, with the same result: what a ridge regression gives for some rows without having seen
    their labels is told by their own block of the inverse. How rare a class is, and how the plain facts are spread, is counted over all.
    """
    _, views = _round(machine.form, examples.views)
    alike = _compare(machine.form, views, examples.letters)
    found = {}
    for place, (task, classes) in enumerate(machine.tasks.items(), start=1):
        system = _System.of(alike, examples.labels[task], len(classes))
        if place == len(machine.tasks):
            del alike  # tens of thousands of pairs leave room for two such squares, and no more
        weights, factor = system.solve()
        inverse, _ = dpotri(factor, lower=1, overwrite_c=1)
        scores = np.zeros((len(examples.authors), len(classes)), np.float32)
        authors = examples.authors[system.rows]
        for author in sorted(set(authors.tolist())):
            own = np.flatnonzero(authors == author)
            block = np.tril(inverse[np.ix_(own, own)])  # above the diagonal nothing is written
            missed = np.linalg.solve(block + np.tril(block, -1).T, weights[own])
            scores[system.rows[own]] = system.wanted[own] - missed
        found[task] = scores
    return found


def calibrate(scores: Floats, labels: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return the scale and the (classes,) shifts by which softmax of left-out scores is likeliest to name the labels."""
    rows = labels >= 0
    x, wanted = scores[rows].astype(np.float64), np.eye(scores.shape[1])[labels[rows]]
    if not len(x):
        return np.ones(1, np.float32), np.zeros(scores.shape[1], np.float32)

    def cost(at: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits = x * at[0] + at[1:]
        logits -= logits.max(1, keepdims=True)
        chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
        loss = -np.log((chances * wanted).sum(1) + 1e-12).mean() + 1e-4 * float(at @ at)
        slope = (chances - wanted) / len(x)
        return loss, np.concatenate([[(slope * x).sum()], slope.sum(0)]) + 2e-4 * at

    start = np.concatenate([[4.0], np.zeros(scores.shape[1])])
    at = minimize(cost, start, jac=True, method="L-BFGS-B").x
    return at[:1].astype(np.float32), at[1:].astype(np.float32)


def train(lines: dict[str, list[Line]], vectors: Vectors) -> dict[str, NDArray[np.generic]]:
    """Return the arrays of the file of weights."""
    projection = project(lines, vectors)
    arrays: dict[str, NDArray[np.generic]] = {
        "centre": projection.centre.astype(np.float32),
        "basis": projection.basis.astype(np.float16),
        "rarity": projection.rarity.astype(np.float16),
    }
    for name, machine in MACHINES.items():
        examples = make_examples(name, lines, vectors, projection)
        arrays |= {f"{name}.{part}": array for part, array in fit(machine, examples).arrays.items()}
        for task, scores in left_out(machine, examples).items():
            scale, shift = calibrate(scores, examples.labels[task])
            arrays |= {f"{name}.{task}.scale": scale, f"{name}.{task}.shift": shift}
    arrays["naming"] = np.array(" ".join(sorted(naming_words(lines))))
    about = {"format": reading.FORMAT, "model": vectors.embedder.model, "tasks": reading.tasks()}
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    return arrays


#: What came later: without it the directions, and with those all other heads, stay as they were.
LATE = frozenset(
    [
        "facts",
        "plain_pairs",
        "typed_pairs",
        "changes",
        "entities",
        "notes",
        "requests",
        "dangers",
        "notebook",
        "talk",
        "goals",
    ]
)
LATE_AUTHORS = frozenset(
    {
        "tt",
        "sa",
        "sb",
        "sc",
        "sd",
        "ea",
        "eb",
        "ec",
        "ed",
        "ef",
        "fa",
        "fb",
        "fc",
        "fd",
        "ha",
        "hb",
        "own-facts",
        "own-struggles",
    }
)


def project(lines: dict[str, list[Line]], vectors: Vectors) -> Projection:
    """Return the projection that all heads share; it looks at no label."""
    texts = sorted(
        {
            text
            for kind in lines.keys() - LATE
            for line in lines[kind]
            if line["author"] not in LATE_AUTHORS
            for text in _texts(kind, line)
        }
    )
    found = vectors.of(texts).astype(np.float64)
    centre = found.mean(0)
    _, basis = np.linalg.eigh(np.cov((found - centre).T))
    chosen = basis[:, ::-1][:, : min(DIRECTIONS, found.shape[1])]
    # Which way a direction points is arbitrary; fixed, so that weights are the same bytes each time.
    chosen = chosen * np.sign(chosen[np.abs(chosen).argmax(0), np.arange(chosen.shape[1])])
    seen = np.zeros(BUCKETS)
    for text in texts:
        seen[list(count_runs(text))] += 1
    rarity = np.log(1 + len(texts) / (1 + seen)).astype(np.float16).astype(np.float32)
    return Projection(centre.astype(np.float32), chosen.astype(np.float16).astype(np.float32), rarity)


def _texts(kind: str, line: Line) -> Iterator[str]:
    if kind == "pairs":
        yield from (line["earlier"], line["later"])
    elif kind == "relevance":
        yield line["message"]
        yield from (memory["text"] for memory in line["memories"])
    elif kind == "dialogues":
        yield from (message["text"] for message in line["messages"] if message["by"] == "person")
    else:
        yield line["text"]


# --- examples -------------------------------------------------------------------------------------------------------


def _examples(
    machine: str,
    rows: Sequence[Line],
    views: dict[str, Floats],
    texts: Sequence[tuple[str, ...]],
    *,
    runs: Floats | None,
    groups: Sequence[int] | NDArray[np.int64],
) -> Examples:
    """Return a machine's inputs.

    Args:
        rows: each with its author, its language, and under the name of each task that it says something of, the class.
        runs: runs of letters.
    """
    labels = {
        task: np.array(
            [classes.index(row[task]) if row.get(task) in classes else -1 for row in rows], np.int64
        )
        for task, classes in MACHINES[machine].tasks.items()
    }
    authors = np.array([row["author"] for row in rows])
    languages = np.array([row.get("language", "en") for row in rows])
    has_letters = MACHINES[machine].form.letters
    return Examples(
        views, runs if has_letters else None, labels, authors, languages, np.asarray(groups), texts
    )


def _of_texts(
    machine: str,
    rows: Sequence[Line],
    vectors: Vectors,
    projection: Projection,
    *,
    beside: Sequence[Line] = (),
) -> Examples:
    """Return lines of one text each, and beside them what only trains (group 1)."""
    every = [*rows, *beside]
    texts = [row["text"] for row in every]
    views = {"text": projection.reduce(vectors.of(texts))}
    runs = letters(texts, projection.rarity)
    groups = np.repeat([0, 1], [len(rows), len(beside)])
    return _examples(machine, every, views, [(text,) for text in texts], runs=runs, groups=groups)


def utterances(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return how people speak: utterances, and beside them what other lines say of danger (group 1): most talk is of none."""
    own = [_spoken(line, line.get("danger")) for line in lines["utterances"] + lines["dangers"]]
    asked = [line for line in lines["requests"] if line["author"] not in WAYS]
    beside = [_spoken(line, line.get("intent")) for line in lines["intents"] + asked]
    beside += [
        _spoken(line, line["category"]) for line in lines["ledger"] if line["category"] in {NONE, "threat"}
    ]
    beside += [_spoken(line, line.get("danger", NONE)) for line in everyday(lines)]
    return _of_texts("utterance", own, vectors, projection, beside=beside)


def _spoken(line: Line, label: str | None) -> Line:
    """Return a line with whether it is of danger: by a kind of it, the intent, or a threat; None where nobody has judged."""
    danger = label and ("danger" if label in _DANGERS else NONE)
    kind, emotion = line.get("danger"), line.get("primary_emotion")
    return {**line, "danger": danger, "danger_kind": kind, "emotion": emotion}


_DANGERS = {*MACHINES["utterance"].tasks["danger_kind"], "danger", "threat"}


#: Of persons' questions for what they told one in so many is taken.
EVERYDAY_ONE_IN = 4


#: Authors of everyday news, which train the head on keeping alone: as what is told on any day they hide dangers that are told like it.
NEWS = frozenset({"ha", "hb"})
#: And of requests for a way of talking, which train what is asked for alone.
WAYS = frozenset({"wa", "wb", "wc", "wd", "own-ways"})


def _without_news(lines: dict[str, list[Line]]) -> list[Line]:
    return [line for line in lines["messages"] if line["author"] not in NEWS]


def everyday(lines: dict[str, list[Line]]) -> list[Line]:
    """Return what people tell and ask on any day: of danger only where a line says so, and without those of which nobody can tell."""
    told = _without_news(lines) + lines["notes"]
    asked = [
        {**question, "author": person["author"]}
        for person in lines["notebook"]
        if person["side"] == "student"
        for question in person["questions"][::EVERYDAY_ONE_IN]
    ]
    told = [one for one in told if one.get("danger") != "unclear" and not one["author"].startswith("own-")]
    return told + asked


def intents(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return what people want; and of messages that stand beside memories, whether any of those has to do with it (group 1)."""
    own, beside = intent_lines(lines)
    # Who wants something else asks for no way of talking, whether a line says so or not.
    own = [{"way": NONE if line.get("intent", "game") not in _WAYS else None, **line} for line in own]
    return _of_texts("intent", own, vectors, projection, beside=beside)


#: what somebody may want who asks for a way of talking
_WAYS = frozenset({"game", "feelings", "plan", "advice"})


def intent_lines(lines: dict[str, list[Line]]) -> tuple[list[Line], list[Line]]:
    """Return messages with what they want, and those that stand beside them: beside memories, and asked or told in lives."""
    beside = [
        {
            "text": line["message"],
            "author": line["author"],
            "language": line["message_language"],
            "calls": "memory" if any(one["relevance"] != "no" for one in line["memories"]) else NONE,
        }
        for line in lines["relevance"]
    ]
    return lines["intents"] + lines["requests"], [*beside, *_lines_of_lives(lines["notebook"])]


#: Of plain questions one in so many is taken, and of statements: with more everything is taken for one.
ASKED_ONE_IN, TOLD_ONE_IN = 10, 20


def _lines_of_lives(people: list[Line]) -> Iterator[Line]:
    """Yield questions for what was told, plain ones and all that lean on another, and statements, as of one author: they are left out together."""
    for person in people:
        is_plain = person["author"] in ASK_PLAINLY | ASK_BY_NAME
        for number, question in enumerate(person["questions"]):
            if question.get("before") or (is_plain and number % ASKED_ONE_IN == 0):
                of_company = "company_figure" if question["kind"] in {"how_many", "when"} else "company_fact"
                yield {
                    "text": question["text"],
                    "author": "notebook",
                    "language": question["language"],
                    "intent": "about_me" if person["side"] == "student" else of_company,
                }
    for person in people:
        for one in person["known"][::TOLD_ONE_IN]:
            yield {
                "text": one["text"],
                "author": "notebook",
                "language": person["language"],
                "intent": "tell",
            }


def notes(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return texts with what they call for to be written down; the ledger's own lines say nothing of other notes."""
    in_ledger = frozenset(NOTES) & {line["category"] for line in lines["ledger"]}
    rows = [
        {**line, **{kind: kind if kind in line["notes"] else NONE for kind in line.get("judged", NOTES)}}
        for line in lines["notes"]
    ]
    rows += [
        {**line, **{kind: kind if kind == line["category"] else NONE for kind in in_ledger}}
        for line in lines["ledger"]
    ]
    return _of_texts("note", rows, vectors, projection)


#: which part of long-term memory a kind of fact belongs to; all others are background
PARTS = dict.fromkeys(("identity", "family", "home", "school", "work"), "basic")
PARTS |= {"skill": "strengths", "strength": "strengths", "struggle": "struggles", "goal": "goals"}
#: and the kind of memory that it is; what meets the senses no kind of fact says, but lines of the project's own
MODALITY = dict.fromkeys(("event", "plan", "appointment"), "episodic")
MODALITY |= {"feeling": "emotional", "instruction": "procedural"}


def facts(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    rows = [
        {
            **unit,
            "text": unit["quote"],
            "author": line["author"],
            "language": line["language"],
            "part": PARTS.get(unit["kind"], "background"),
            "modality": MODALITY.get(unit["kind"], "semantic"),
        }
        for line in _without_news(lines)
        for unit in line["units"]
        if unit["class"] == "keep"
    ]
    return _of_texts("fact", rows + lines["facts"], vectors, projection)


def wishes(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return how people ask to be spoken with or helped, as said and as one sentence, and all else that they say (group 1: what
    only trains)."""
    units = [(line, unit) for line in _without_news(lines) for unit in line["units"]]
    said = [_wish(line, unit["quote"], unit.get("kind") == "instruction") for line, unit in units]
    beside = [
        _wish(line, unit["statement"], True)
        for line, unit in units
        if unit.get("kind") == "instruction" and "statement" in unit
    ]
    beside += [_wish(line, line["text"], line["category"] == "instruction") for line in lines["ledger"]]
    beside += [
        _wish(line, line["text"], False)
        for line in lines["intents"]
        if line.get("intent", "tell") not in _TELLING
    ]
    beside += [_wish(line, line["text"], False) for line in lines["talk"]]
    return _of_texts("wish", said, vectors, projection, beside=beside)


def _wish(line: Line, text: str, is_wish: bool) -> Line:
    return {
        "text": text,
        "wish": "wish" if is_wish else NONE,
        "author": line["author"],
        "language": line.get("language", "en"),
    }


#: intents of messages that may well hold a wish, which their label does not say
_TELLING = frozenset({"remember_this", "forget_this", "correct"})


def _of_parts(machine: str, parts: Sequence[Line], vectors: Vectors, projection: Projection) -> Examples:
    """Return examples of parts (`text`) of messages; those of one message follow one another."""
    texts = [(part["message"], part["text"]) for part in parts]
    vectors.of([text for both in texts for text in both])
    views: list[dict[str, Floats]] = []
    groups: list[int] = []
    for number, (message, same) in enumerate(groupby(texts, key=lambda both: both[0])):
        quotes = [quote for _, quote in same]
        spans = [(start := max(message.find(quote), 0), start + len(quote)) for quote in quotes]
        found = vectors.of([message, *quotes])
        views.append(part_views(projection, message, spans, found[1:], found[0]))
        groups += [number] * len(quotes)
    runs = letters([quote for _, quote in texts], projection.rarity)
    return _examples(machine, parts, _stacked(views), texts, runs=runs, groups=groups)


def _stacked(views: Sequence[dict[str, Floats]]) -> dict[str, Floats]:
    """Return the views of several messages as those of one after the other."""
    return {name: np.concatenate([one[name] for one in views]) for name in views[0]} if views else {}


def units(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return the parts of messages, and facts and requests that are a whole message each (group -1: what only trains)."""
    parts = [
        {**line, "message": line["text"], "text": unit["quote"], "class": unit["class"]}
        for line in lines["messages"]
        for unit in line["units"]
    ]
    plain = [{**one, "message": one["text"], "class": "keep"} for one in plain_facts(lines)]
    plain += [{**one, "message": one["text"], "class": "ask"} for one in plain_requests(lines)]
    examples = _of_parts("unit", parts + plain, vectors, projection)
    examples.groups[len(parts) :] = -1
    return examples


def plain_facts(lines: dict[str, list[Line]]) -> list[Line]:
    """Return what persons say in plain pairs, each a fact by itself, once."""
    found = {
        line[side]: {"text": line[side], "author": line["author"], "language": line[f"{side}_language"]}
        for line in lines["plain_pairs"]
        if line["side"] == "student" and not line["author"].startswith("own-")
        for side in ("earlier", "later")
    }
    return list(found.values())


#: what a message wants that only asks: nothing in it is told
_ASKING = frozenset(
    [
        "about_me",
        "about_conversation",
        "about_companion",
        "explain",
        "practise",
        "do_task",
        "plan",
        "advice",
        "game",
        "company_figure",
    ]
)


#: Authors of short messages to a company, which share their words with what is told of it: with them a head on keeping misses facts.
SHORT_MESSAGES = frozenset({"de", "df", "dg", "dh", "di", "dj"})


def plain_requests(lines: dict[str, list[Line]]) -> list[Line]:
    """Return messages that only ask for something, each once."""
    found = {
        line["text"]: line
        for line in lines["intents"] + lines["requests"]
        if line.get("intent") in _ASKING
        and not line["author"].startswith("own-")
        and line["author"] not in SHORT_MESSAGES
    }
    return list(found.values())


def company(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return what a company's people state, cut as it is read, with the category of the fact that it tells."""
    parts = []
    for line in lines["dialogues"]:
        for number, message in enumerate(line["messages"]):
            if message["by"] == "person":
                facts = [fact for fact in line["facts"] if fact["message"] == number]
                parts += [
                    {**line, "message": text, "text": told, "category": category}
                    for text, told, category in _stated(message["text"], facts)
                ]
    return _of_parts("company", parts, vectors, projection)


def _stated(text: str, facts: Sequence[Line]) -> Iterator[tuple[str, str, str]]:
    """Yield each statement of a message with the category of a fact that it shares half of its words or of the fact's with."""
    for one in find_statements(text):
        category = NONE
        for fact in facts:
            start = text.find(fact["quote"])
            common = min(one.end, start + len(fact["quote"])) - max(one.start, start)
            if common > 0.5 * min(one.end - one.start, len(fact["quote"])):
                category = fact["category"]
        yield one.prose, one.text, category


def pairs(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return pairs of statements with what the later one does to the earlier; those that share a later one stand beside one another."""
    rows = [
        {
            **row,
            "relation": row["label"],
            "language": _language(row["earlier_language"], row["later_language"]),
        }
        for row in labelled_pairs(lines, vectors)
    ]
    told = [(row["earlier"], row["later"]) for row in rows]
    found = vectors.of([text for pair in told for text in pair]).reshape(len(told), 2, -1)
    views = pair_views(projection, told, found, [row["side"] == "company" for row in rows])
    runs = pair_letters(told, projection.rarity)
    return _examples("pair", rows, views, told, runs=runs, groups=np.zeros(len(rows), int))


def labelled_pairs(lines: dict[str, list[Line]], vectors: Vectors) -> list[Line]:
    """Return pairs of every kind: told at length, as a memory keeps them, as they are typed, and as they follow one another in lives."""
    of_lives = [pair for life in lines["changes"] for pair in pairs_of_life(life, vectors)]
    return lines["pairs"] + lines["plain_pairs"] + lines["typed_pairs"] + of_lives


#: A statement of a life is compared with so many before it, as where it is remembered: most of them hold, however near they are.
NEIGHBOURS = 3


def pairs_of_life(life: Line, vectors: Vectors) -> list[Line]:
    """Return each statement of a life with what it ends, and with the nearest of those before it that hold on beside it."""
    told = [one["text"] for one in life["known"]]
    ends = {(change["earlier"], change["later"]) for change in life["changes"]}
    found = vectors.of(told)
    near = vectors.embedder.calibration.similarity(found @ found.T)
    rows = []
    for later in range(len(told)):
        ended = {earlier for earlier, by in ends if by <= later}
        holding = [
            int(place)
            for place in np.argsort(-near[later], kind="stable")
            if place < later and place not in ended
        ]
        compared = [place for place in holding[:NEIGHBOURS] if near[later, place] >= READING.acts]
        rows += [(earlier, later, "replaces") for earlier, by in sorted(ends) if by == later]
        rows += [(earlier, later, "both_true") for earlier in compared]
    return [
        {
            "earlier": told[earlier],
            "later": told[later],
            "earlier_language": life["language"],
            "later_language": life["language"],
            "label": label,
            "side": life["side"],
            "author": life["author"],
        }
        for earlier, later, label in rows
    ]


def _language(one: str, other: str) -> str:
    return one if one == other else "across"


#: A memory is judged among so many: those labelled, most of which are near misses, and others that the author told of somebody
#: else. Taken at random: with the nearest others instead, a head learns that what is near does not help.
BESIDE = 20
#: And once more among so few, as in a memory of the first days.
FEW = 3


def relevance_lines(lines: Sequence[Line]) -> list[Line]:
    """Return labelled messages with as many memories as stand beside one another where they are read, and then with few."""
    told: dict[tuple[str, str], dict[str, Line]] = {}
    for line in lines:
        own = told.setdefault((line["author"], line["side"]), {})
        own.update((memory["text"], memory) for memory in line["memories"])
    filled, few = [], []
    for number, line in enumerate(lines):
        random, there = np.random.default_rng(number), {memory["text"] for memory in line["memories"]}
        others = [one for text, one in told[line["author"], line["side"]].items() if text not in there]
        chosen = random.permutation(len(others))[: max(BESIDE - len(there), 0)]
        more = [{**others[place], "relevance": "no", "is_beside": True} for place in chosen]
        filled.append({**line, "memories": [*line["memories"], *more]})
        all_there = filled[-1]["memories"]
        mixed = [{**all_there[place], "is_beside": True} for place in random.permutation(len(all_there))]
        helpful = [one for one in mixed if one["relevance"] != "no"][: number % 2 + 1]
        few.append({**line, "memories": [*helpful, *(one for one in mixed if one not in helpful)][:FEW]})
    return [*filled, *few]


def relevance(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return memories beside messages: those labelled, and the others that they are judged among (group 1)."""
    told = relevance_lines(lines["relevance"])
    rows = [
        {
            **memory,
            "author": line["author"],
            "language": _language(line["message_language"], memory["language"]),
        }
        for line in told
        for memory in line["memories"]
    ]
    asked = [
        (line["message"], [memory["text"] for memory in line["memories"]], line["side"] == "company")
        for line in told
    ]
    texts = [(message, memory) for message, memories, _ in asked for memory in memories]
    groups = [int("is_beside" in row) for row in rows]
    views = _views_beside(asked, vectors, projection)
    return _examples("relevance", rows, views, texts, runs=None, groups=groups)


def _views_beside(
    asked: Sequence[tuple[str, Sequence[str], bool]], vectors: Vectors, projection: Projection
) -> dict[str, Floats]:
    """Return the views of (message, what it is compared with, whether that is a company's)."""
    views = []
    for message, others, is_company in asked:
        found = vectors.of([message, *others])
        views.append(relevance_views(projection, message, others, found[0], found[1:], is_company=is_company))
    return _stacked(views)


def progress(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return sentences beside each goal of whoever says them, with what they tell of it (group: the number of the line, -1 for what only trains)."""
    told = goal_lines(lines)
    views = _views_beside([(line["text"], line["goals"], False) for _, line in told], vectors, projection)
    rows = [
        {
            **line,
            "goal_text": goal,
            "number": number,
            "progress": line["what"] if place == line["goal"] else NONE,
        }
        for number, line in told
        for place, goal in enumerate(line["goals"])
    ]
    texts = [(row["text"], row["goal_text"]) for row in rows]
    runs, groups = letters([text for text, _ in texts], projection.rarity), [row["number"] for row in rows]
    return _examples("progress", rows, views, texts, runs=runs, groups=groups)


def goal_lines(lines: dict[str, list[Line]]) -> list[tuple[int, Line]]:
    """Return the lines on goals, each with its number, and once more (-1) as said by somebody who pursues one goal alone."""
    alone = []
    for number, line in enumerate(lines["goals"]):
        is_told = line["goal"] is not None
        place = line["goal"] if is_told else number % len(line["goals"])
        alone.append((-1, {**line, "goals": [line["goals"][place]], "goal": 0 if is_told else None}))
    return [*enumerate(lines["goals"]), *alone]


def entities(lines: dict[str, list[Line]], vectors: Vectors, projection: Projection) -> Examples:
    """Return words that may name something, with what they name (group: the number of their line)."""
    found = entity_rows(lines)
    words, whole = [text[one.start : one.end] for text, one, *_ in found], [text for text, *_ in found]
    vectors.of(words + whole)
    plain = [one.plain for _, one, *_ in found]
    views = candidate_views(projection, vectors.of(words), vectors.of(whole), plain)
    rows = [
        {"entity": kind, "role": role, "author": author, "language": language}
        for _, _, (kind, role), author, language, _ in found
    ]
    return _examples(
        "entity",
        rows,
        views,
        list(zip(whole, words, strict=True)),
        runs=letters([one.in_context(text) for text, one, *_ in found], projection.rarity),
        groups=[number for *_, number in found],
    )


def entity_rows(
    lines: dict[str, list[Line]],
) -> list[tuple[str, Candidate, tuple[str | None, str | None], str, str, int]]:
    """Return (text, candidate, label, author, language, number of the line) of everything that may name something."""
    naming, whole = naming_words(lines), {line["author"] for line in lines["entities"]}
    rows = []
    for number, (text, mentions, author, language) in enumerate(named_lines(lines)):
        known = {mention["name"].casefold() for mention in mentions if mention["name"]}
        for place, one in enumerate(find_candidates(text, naming=naming, known=known if number % 2 else ())):
            label = _label_of(
                text, one, mentions, by_name=author not in whole, whole=(number + place) % 3 == 0
            )
            # Of messages, whose lines say less surely what they do not name, one in three.
            if label[0] != NONE or author in whole or (number + place) % 3 == 0:
                rows.append((text, one, label, author, language, number))
    return rows


#: what a fact of this kind is about, where it is about somebody: "my dad", "min hund"
_ALIVE = {"family": "person", "friend": "person", "pet": "animal"}


def named_lines(lines: dict[str, list[Line]]) -> list[tuple[str, list[Line], str, str]]:
    """Return (text, mentions, author, language) of every line that says who and what it names."""
    found = [(line["text"], line["mentions"], line["author"], line["language"]) for line in lines["entities"]]
    for line in lines["messages"]:
        for unit in line["units"]:
            if "entities" in unit:
                mentions = [
                    {"phrase": entity["name"], "name": entity["name"], "type": entity["type"], "role": None}
                    for entity in unit["entities"]
                    if entity["name"].casefold() in unit["quote"].casefold() and entity["type"] != "event"
                ]
                who, kind = unit.get("about") or "", _ALIVE.get(unit.get("kind", ""))
                if kind and " " in who and who.casefold() in unit["quote"].casefold():
                    mentions.insert(0, {"phrase": who, "name": None, "type": kind, "role": None})
                found.append((unit["quote"], mentions, line["author"], line["language"]))
    return found


def naming_words(lines: dict[str, list[Line]]) -> frozenset[str]:
    """Return the words in small letters by which lines name somebody or something: "mamma", "maths", "hamster"."""
    found: set[str] = set()
    for _, mentions, *_ in named_lines(lines):
        for mention in mentions:
            is_named = mention["type"] in {"person", "animal"}
            words = (mention.get("relation") or (not is_named and mention["name"]) or "").split()
            if words and not mention["phrase"].split()[-1][:1].isupper():
                found.add(words[-1].casefold())
    return frozenset(word for word in found if len(word) > 2 and word.isalpha())


def _label_of(
    text: str, one: Candidate, mentions: Sequence[Line], *, by_name: bool, whole: bool
) -> tuple[str | None, str | None]:
    """Return what the words name, and how it stands; None of a part of what names something: nobody has judged that.

    Args:
        by_name: the line says only who is named by a proper name.
        whole: words that hold more than what names something ("my dogs sleep") name nothing; else nobody has judged them.
    """
    words = text[one.start : one.end].casefold()
    for mention in mentions:
        phrase, name = mention["phrase"].casefold(), (mention["name"] or mention["phrase"]).casefold()
        if words == phrase or (
            mention["role"] is None and one.owner == "own" and words.endswith(" " + phrase)
        ):
            return mention["type"], mention["role"]
        relation = (mention.get("relation") or "").casefold()
        if mention["name"] and phrase.startswith(words) and relation and words.endswith(relation):
            return mention["type"], mention["role"]  # "my teacher" of "my teacher is called Anders"
        if whole and phrase in words and not by_name:
            continue
        if name in words and (words in phrase or phrase in words):
            return None, None
    return (None if by_name and one.name_at is None else NONE), None


Build = Callable[[dict[str, list[Line]], Vectors, Projection], Examples]
EXAMPLES: dict[str, Build] = {
    "utterance": utterances,
    "intent": intents,
    "unit": units,
    "fact": facts,
    "wish": wishes,
    "entity": entities,
    "company": company,
    "note": notes,
    "pair": pairs,
    "relevance": relevance,
    "progress": progress,
}


def make_examples(
    name: str, lines: dict[str, list[Line]], vectors: Vectors, projection: Projection
) -> Examples:
    """Return one machine's labelled inputs."""
    return EXAMPLES[name](lines, vectors, projection.narrow(MACHINES[name].directions))


def without(
    machine: Machine, *, letters: bool = False, plain: bool = False, likeness_to: str = ""
) -> Machine:
    """Return a machine without runs of letters, plain facts, or one view: what each is worth is counted so."""
    form = machine.form
    terms = tuple(
        term
        for term in form.terms
        if not (plain and PLAIN in term[0]) and not (likeness_to and likeness_to in term[0])
    )
    return replace(
        machine,
        form=replace(
            form,
            terms=terms,
            letters=0.0 if letters else form.letters,
            plain=0.0 if plain else form.plain,
        ),
    )
