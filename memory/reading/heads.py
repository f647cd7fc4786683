"""The heads at work: weights of one file, features of one text, calibrated probabilities. numpy alone.

    heads = load_heads(model=embedder.model)
    told = heads.read_texts("utterance", [text], embedder.embed([text]))
    told["danger"].of("suicide"), told["emotion"].likeliest()

A probability is what share of labelled lines by somebody unseen were so; thresholds on it are costs (`params.py`).
"""

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.algorithms.isotropy import unit_rows
from memory.reading import features
from memory.reading.kernels import PLAIN, Floats, likeness, prepare
from memory.reading.machines import MACHINES, Machine
from memory.reading.views import (
    Projection,
    candidate_views,
    pair_letters,
    pair_views,
    part_views,
    relevance_views,
)

WEIGHTS = Path(__file__).parent / "weights.npz"
FORMAT = 2


class UnusableWeights(Exception):
    """The file of weights cannot be used; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Told:
    """One head's answer on n inputs.

    Attributes:
        classes: what it tells apart.
        probabilities: (n, classes) float32, each row's sum is 1.
    """

    classes: tuple[str, ...]
    probabilities: Floats

    def of(self, name: str, row: int = 0) -> float:
        """Return the probability of one class for one input."""
        return float(self.probabilities[row, self.classes.index(name)])

    def likeliest(self, row: int = 0) -> str:
        """Return the likeliest class of one input."""
        return self.classes[int(self.probabilities[row].argmax())]


class Heads:
    """All heads of one file of weights; safe in any thread, since nothing in it changes."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], *, model: str) -> None:
        self.model = model
        self.projection = Projection(
            *(arrays[name].astype(np.float32) for name in ("centre", "basis", "rarity"))
        )
        #: words by which labelled lines name something without a capital letter, casefolded
        self.naming = frozenset(str(arrays["naming"]).split())
        #: kept by `HeadsOnce` alone
        self._runs: features.Runs | None = None
        self._read = {name: Reader(name, machine, arrays) for name, machine in MACHINES.items()}
        self._views = {name: self.projection.narrow(machine.directions) for name, machine in MACHINES.items()}

    def read_texts(
        self, machine: str, texts: Sequence[str], vectors: NDArray[np.floating]
    ) -> dict[str, Told]:
        """Return what the heads on whole texts tell: `utterance`, `intent`, `fact`, `wish` or `note`.

        Args:
            vectors: (n, d) of the texts, by the embedder that the weights were trained on.
        """
        views = {"text": self._views[machine].reduce(vectors)}
        return self._read[machine].tell(views, self._letters(machine, texts))

    def read_parts(
        self,
        machine: str,
        message: str,
        spans: Sequence[tuple[int, int]],
        vectors: NDArray[np.floating],
        message_vector: NDArray[np.floating],
    ) -> dict[str, Told]:
        """Return what the heads on parts of a message tell: `unit` of a person's, `company` of a company's.

        Args:
            spans: first and last character of each part, as of `splitter.split`.
            vectors: (n, d) of the parts.
            message_vector: (d,) of the whole message.
        """
        views = part_views(self._views[machine], message, spans, vectors, message_vector)
        # The message is the same for all of them: compared once.
        views["message"] = views["message"][:1]
        return self._read[machine].tell(
            views, self._letters(machine, [message[start:end] for start, end in spans])
        )

    def read_pairs(
        self,
        pairs: Sequence[tuple[str, str]],
        vectors: NDArray[np.floating],
        *,
        is_company: bool = False,
    ) -> Told:
        """Return what each later statement does to the earlier one: replaces, same, both_true, narrows.

        Args:
            pairs: (earlier, later) texts.
            vectors: (n, 2, d) of each pair's statements.
        """
        views = pair_views(self._views["pair"], pairs, vectors, [is_company] * len(pairs))
        return self._read["pair"].tell(views, pair_letters(pairs, self.projection.rarity, known=self._runs))[
            "relation"
        ]

    def read_candidates(
        self,
        contexts: Sequence[str],
        vectors: NDArray[np.floating],
        around: NDArray[np.floating],
        plain: Sequence[Sequence[float]],
    ) -> dict[str, Told]:
        """Return whether words name something, of what kind, and how it stands in the statement.

        Args:
            contexts: the words with those beside them (`entities.Candidate.in_context`).
            vectors: (n, d) of the words; around: (n, d) of the statements they stand in.
            plain: what is plain about each.
        """
        views = candidate_views(self._views["entity"], vectors, around, plain)
        return self._read["entity"].tell(views, self._letters("entity", contexts))

    def read_relevance(
        self,
        message: str,
        memories: Sequence[str],
        message_vector: NDArray[np.floating],
        vectors: NDArray[np.floating],
        *,
        is_company: bool = False,
    ) -> Told:
        """Return whether each memory, judged among the others given, answers a message, helps with it, or neither."""
        views = relevance_views(
            self._views["relevance"], message, memories, message_vector, vectors, is_company=is_company
        )
        return self._tell_beside("relevance", message, views)

    def read_progress(
        self,
        sentence: str,
        goals: Sequence[str],
        sentence_vector: NDArray[np.floating],
        vectors: NDArray[np.floating],
    ) -> Told:
        """Return what a sentence tells of each goal, judged among the others given: nothing, how it goes, that it is reached or given up."""
        views = relevance_views(
            self._views["progress"], sentence, goals, sentence_vector, vectors, is_company=False
        )
        return self._tell_beside("progress", sentence, views)

    def _tell_beside(self, machine: str, message: str, views: dict[str, Floats]) -> Told:
        # The message is the same for all of them: compared once.
        views["message"] = views["message"][:1]
        return self._read[machine].tell(views, self._letters(machine, [message]))[machine]

    def _letters(self, machine: str, texts: Sequence[str]) -> Floats | None:
        if not MACHINES[machine].form.letters:
            return None
        return features.letters(texts, self.projection.rarity, known=self._runs)


class HeadsOnce(Heads):
    """The same heads for as long as one message is read: what they told of a text they tell again, and do not read it again.

    Nor do they take a word apart again.
    """

    def __init__(self, heads: Heads) -> None:
        vars(self).update(vars(heads))
        self._runs = {} if heads._runs is None else heads._runs
        self._told: dict[tuple[str, str, bytes], dict[str, Floats]] = {}

    def read_texts(
        self, machine: str, texts: Sequence[str], vectors: NDArray[np.floating]
    ) -> dict[str, Told]:
        keys = [(machine, text, vector.tobytes()) for text, vector in zip(texts, vectors, strict=True)]
        new = {key: row for row, key in enumerate(keys) if key not in self._told}
        if new:
            rows = list(new.values())
            told = super().read_texts(machine, [texts[row] for row in rows], vectors[rows])
            for place, key in enumerate(new):
                self._told[key] = {task: one.probabilities[place] for task, one in told.items()}
        return {
            task: Told(
                classes,
                np.array([self._told[key][task] for key in keys], np.float32).reshape(-1, len(classes)),
            )
            for task, classes in MACHINES[machine].tasks.items()
        }


class Reader:
    """One machine's weights, unpacked."""

    def __init__(self, name: str, machine: Machine, arrays: Mapping[str, NDArray[Any]]) -> None:
        def own(part: str) -> Floats:
            return arrays[f"{name}.{part}"].astype(np.float32)

        self._machine = machine
        lines = {view: own(view) for view in machine.form.views}
        self._lines = prepare(
            machine.form,
            {view: rows if view == PLAIN else unit_rows(rows) for view, rows in lines.items()},
        )
        # Few classes by many lines: as rows they are multiplied in half the time.
        self._weights, self._bias = np.ascontiguousarray(own("weights").T), own("bias")
        self._plain: Floats | None = own("plain_weights") if machine.form.plain else None
        self._letters: Floats | None = own("letters") * own("letters_scale") if machine.form.letters else None
        self._ranges = (own("middle"), own("spread")) if machine.form.reads_plain else None
        self._scales = {task: own(f"{task}.scale") for task in machine.tasks}
        self._shifts = {task: own(f"{task}.shift") for task in machine.tasks}

    def tell(self, views: dict[str, Floats], letters: Floats | None) -> dict[str, Told]:
        if self._ranges is not None:
            views = {**views, PLAIN: standardise(views[PLAIN], *self._ranges)}
        scores = (self._weights @ likeness(self._machine.form, views, self._lines).T).T + self._bias
        if self._plain is not None:
            scores = scores + views[PLAIN] @ self._plain
        if self._letters is not None and letters is not None:
            scores = scores + letters @ self._letters
        told, first = {}, 0
        for task, classes in self._machine.tasks.items():
            part = scores[:, first : first + len(classes)]
            first += len(classes)
            told[task] = Told(classes, softmax(part * self._scales[task] + self._shifts[task]))
        return told


def standardise(plain: Floats, middle: Floats, spread: Floats) -> Floats:
    """Return plain facts about a mean of 0 with a spread of 1, none further out than 5."""
    return np.asarray(np.clip((plain - middle) / spread, -5, 5), np.float32)


def softmax(scores: Floats) -> Floats:
    """Return probabilities along the last axis."""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), np.float32)


@cache
def load_heads(*, model: str, path: Path = WEIGHTS) -> Heads:
    """Return the heads of a file of weights, read once a process.

    Args:
        model: the embedder's name, as the vectors that the heads will see carry it.

    Raises:
        UnusableWeights: the file is missing, damaged, of another format, or was trained on another embedder.
    """
    again = f"Train them: python -m bench.train --output {path}"
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays.pop("about").tobytes())
        if about["format"] != FORMAT or about["tasks"] != tasks():
            raise UnusableWeights(f"The reader's weights are of another version of this software. {again}")
        if about["model"] != model:
            raise UnusableWeights(
                f"The reader's weights were trained on the embedder {about['model']!r} and this site uses {model!r}; "
                f"vectors of two embedders cannot be compared. {again}"
            )
        heads = Heads(arrays, model=model)
    except FileNotFoundError:
        raise UnusableWeights(f"The reader's weights are missing: {path}. {again}") from None
    except (
        OSError,
        EOFError,
        ValueError,
        KeyError,
        TypeError,
        zipfile.BadZipFile,
        zipfile.LargeZipFile,
    ) as error:
        raise UnusableWeights(
            f"The reader's weights are damaged ({type(error).__name__}): {path}. {again}"
        ) from None
    return heads


def tasks() -> dict[str, dict[str, list[str]]]:
    """Return machine → task → classes, as they stand in the file of weights."""
    return {
        name: {task: list(classes) for task, classes in machine.tasks.items()}
        for name, machine in MACHINES.items()
    }
