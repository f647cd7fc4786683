"""Training and judging the reader."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bench.commands import BadInput
from bench.labelled import Vectors, load_all, load_lines
from bench.reading import measure, recall_at, recall_at_precision
from bench.train import to_bytes
from bench.trainer import Examples, fit, left_out, pairs_of_life, train
from bench.unseen import KEPT_BACK, judge
from companion_site.embeddings.bundled import load_bundled
from memory.algorithms.isotropy import unit_rows
from memory.reading.heads import Heads, load_heads
from memory.reading.machines import MACHINES
from tests.memory.packs.making import NumbersEmbedder

#: Of each author; of other kinds twelve.
MOST = {"messages": 6, "changes": 1, "requests": 3, "relevance": 3, "dialogues": 4, "notebook": 1, "goals": 6}
MOST |= {"utterances": 24, "dangers": 24, "intents": 24, "ledger": 20}


def _few_of_each() -> dict[str, list]:
    """Return a few lines of every author, so that each machine has authors to leave out."""
    few: dict[str, list] = {}
    for kind, lines in load_all().items():
        taken = Counter[str]()
        few[kind] = []
        for line in lines:
            taken[line["author"]] += 1
            if taken[line["author"]] <= MOST.get(kind, 12):
                few[kind].append(line)
    return few


def test_the_same_lines_give_the_same_bytes(tmp_path: Path):
    """Trained twice on the same lines, the files of weights are equal byte for byte, and the heads load from them.

    Whatever the vectors mean.
    """
    lines, embedder = _few_of_each(), NumbersEmbedder("tests/384", 384)
    first = to_bytes(train(lines, Vectors(embedder, tmp_path / "vectors.npz")))
    again = to_bytes(train(lines, Vectors(embedder, tmp_path / "vectors.npz")))
    assert first == again
    file = tmp_path / "weights.npz"
    file.write_bytes(first)
    with np.load(file) as arrays:
        Heads({name: arrays[name] for name in arrays.files}, model=embedder.model)


def test_figures_leave_the_author_out(tmp_path: Path):
    """An author whose labels contradict everybody's cannot help themselves: their own lines are not in their training."""
    lines = _few_of_each()
    vectors = Vectors(load_bundled(), tmp_path / "vectors.npz")
    own = {"g": ("greeting", "thanks"), "h": ("goodbye", "tell")}
    lines["requests"], lines["notebook"] = [], []
    lines["intents"] = [line for line in lines["intents"] if line["author"] in own]
    for number, line in enumerate(lines["intents"]):
        line["intent"] = own[line["author"]][number % 2]
    rows = measure(lines, vectors, heads=["intent"], beside=False)
    figures = {row.left_out: row.figures["right"] for row in rows if row.head == "intent"}
    assert (figures["g"], figures["h"], figures["mean"]) == (0.0, 0.0, 0.0)


def test_one_inversion_leaves_out_as_a_fit_without_the_author_does():
    """Line by line, where every author has as many of each class: what is counted over all is then the same without them."""
    machine = MACHINES["wish"]
    random = np.random.default_rng(3)
    labels = np.tile([0, 1], 30)
    vectors = random.normal(size=(60, 24)) + labels[:, None] * 0.4
    authors = np.repeat(["a", "b", "c"], 20)
    examples = Examples(
        {"text": unit_rows(vectors)}, None, {"wish": labels}, authors, np.full(60, "en"), np.zeros(60, int)
    )
    scores = left_out(machine, examples)["wish"]
    for author in "abc":
        out = authors == author
        without = fit(machine, examples.take(np.flatnonzero(~out)))
        plain = without.scores(examples.take(np.flatnonzero(out)))["wish"]
        assert np.allclose(scores[out], plain, atol=0.02)
    assert np.ptp(scores) > 0.2


def test_a_statement_of_a_life_stands_beside_what_it_ends_and_what_holds_on():
    """What was ended before stands beside nothing that comes later, and what is far away only where it is ended."""
    told = ["I live in Lund.", "My cat is called Misse.", "We have moved to Malmö.", "I live in Ystad now."]
    life = {
        "known": [{"text": text} for text in told],
        "changes": [{"earlier": 0, "later": 2}, {"earlier": 2, "later": 3}, {"earlier": 1, "later": 3}],
        **{"side": "student", "language": "en", "author": "x"},
    }
    rows = pairs_of_life(life, Vectors(load_bundled(), None))
    ends = [(row["earlier"], row["later"]) for row in rows if row["label"] == "replaces"]
    assert ends == [(told[0], told[2]), (told[1], told[3]), (told[2], told[3])]
    assert (told[0], told[3]) not in [(row["earlier"], row["later"]) for row in rows]
    near = [{**life, "changes": []}, {**life, "known": [{"text": told[0]}, {"text": told[3]}], "changes": []}]
    held = [pairs_of_life(one, Vectors(load_bundled(), None)) for one in near]
    assert {row["label"] for one in held for row in one} == {"both_true"}
    assert all((told[0], told[3]) in [(row["earlier"], row["later"]) for row in one] for one in held)


def test_lives_kept_back_are_judged_by_the_weights_of_the_site():
    """Nobody who wrote them has written a line that trains; what their later statements end is told from what stands beside it."""
    kept_back = {life["author"] for life in load_lines("changes", folder=KEPT_BACK)}
    assert kept_back.isdisjoint(line["author"] for line in load_lines("changes"))
    told = [
        "I live in Lund.",
        "My cat is called Misse.",
        "We have moved to Malmö.",
        "My dog is called Bosse.",
    ]
    life = {
        "known": [{"text": text} for text in told],
        "changes": [{"earlier": 0, "later": 2}],
        **{"side": "student", "language": "en", "author": "x"},
    }
    embedder = load_bundled()
    figures = judge([life], Vectors(embedder, None), load_heads(model=embedder.model))
    assert figures["changes doubted"] == 1 and figures["others doubted"] == 0 < figures["pairs"]


def test_bars_are_counted_as_they_are_named():
    """Recall at a share of false alarms, and at a precision, on four lines that can be counted by hand."""
    wanted = np.array([True, False, True, False])
    scores = np.array([0.9, 0.8, 0.7, 0.1])
    assert recall_at(wanted, scores, 0.0) == 0.5
    assert recall_at(wanted, scores, 0.5) == 1.0
    assert recall_at_precision(wanted, scores, 0.66) == 1.0
    assert recall_at_precision(wanted, scores, 0.9) == 0.5


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path):
    """File and line number are said; a folder without lines is empty and no error."""
    (tmp_path / "pairs").mkdir()
    for wrong in ("{no json", json.dumps(["a list"]), json.dumps({"text": "no id"})):
        (tmp_path / "pairs" / "x.jsonl").write_text(f'{{"id": "x-1"}}\n{wrong}\n', encoding="utf-8")
        with pytest.raises(BadInput, match=r"x\.jsonl, line 2"):
            load_lines("pairs", folder=tmp_path, languages=tmp_path)
    assert load_lines("intents", folder=tmp_path, languages=tmp_path) == []
