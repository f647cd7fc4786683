"""The bench of retrieval, on small conversations of our own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.asking import Way, measure_one, remember_vectors
from bench.living import form, store_transcript
from bench.retrieval import main, render_json, render_report
from bench.scoring import summarise
from chat.demo.recordings import load_conversation
from companion_site.embeddings.bundled import BundledEmbedder
from companion_site.embeddings.service import get_embedder
from memory.student.recall.ranking import rank_memories

PROJECT = Path(__file__).parents[2]
ENGLISH = PROJECT / "tests" / "data" / "conversation-en.json"
SWEDISH = PROJECT / "tests" / "data" / "conversation-sv.json"
METRICS = {f"{kind}@{k}" for kind in ("any", "all", "session any") for k in (1, 3, 5, 10)}


@pytest.fixture
def ways(db) -> dict[str, Way]:
    return measure_one(load_conversation(ENGLISH), get_embedder())


def hits(way: Way, measure: str) -> dict[str, float]:
    return {outcome.question: outcome.measures[measure] for outcome in way.outcomes}


def test_every_way_answers_the_questions_that_name_evidence(ways):
    """q6 names none and is not scored; q5 is adversarial and in no total: four are left."""
    for way in ways.values():
        assert sorted(hits(way, "any@1")) == ["q1", "q2", "q3", "q4", "q5"]
        assert summarise(way.outcomes)["questions"] == 4
        assert len(way.times_ms) == 6


def test_each_turn_with_words_is_one_memory(ways):
    """Six of the seven turns say something; word for word they hold all evidence within ten."""
    assert ways["transcript"].memories == 6
    assert set(hits(ways["transcript"], "all@10").values()) == {1.0}
    assert hits(ways["transcript"], "any@1")["q1"] == 1.0
    assert hits(ways["transcript"], "any@1")["q4"] == 1.0


def test_plain_words_find_what_shares_words(ways):
    """By hand: q1 shares "kitten", q2 "building", q4 "chemistry" and "exam" with one turn each, and with no other."""
    first = hits(ways["bm25"], "any@1")
    assert (first["q1"], first["q2"], first["q4"]) == (1.0, 1.0, 1.0)


def test_evidence_is_weighed_against_the_tokens_it_costs(ways):
    """By hand: of all six turns every question sees every one, so five pieces in four times all tokens."""
    way = ways["transcript"]
    assert way.evidence == 5
    assert way.tokens % 4 == 0
    assert way.numbers()["evidence per 1000 tokens"] == round(5000 / way.tokens, 3)


def test_a_memory_counts_for_the_turns_that_it_names(db):
    """Lived through formation, each memory leads to the turn whose words it holds."""
    conversation = load_conversation(ENGLISH)
    lived = form(conversation)
    texts = {turn.id: turn.text for _, turn in conversation.turns()}
    for node in lived.working_set().nodes:
        (turn,) = lived.sources[node.id]
        assert node.text in texts[turn]


def test_turns_of_the_same_words_are_one_memory_that_fills_their_ranks(db):
    """What is said twice is remembered once and stands for both."""
    conversation = load_conversation(ENGLISH)
    session = conversation.sessions[0]
    again = replace(session.turns[0], id="again", position=4)
    twice = replace(
        conversation, sessions=(replace(session, turns=(*session.turns, again)), *conversation.sessions[1:])
    )
    lived = store_transcript(twice, get_embedder().embed([turn.text for _, turn in twice.turns()]))
    assert ["S1:1", "again"] in list(lived.sources.values())
    assert len(lived.working_set()) == 6


def test_a_name_in_the_question_leads_to_that_persons_words(db):
    """The student's own name counts like anybody's, though their words carry none."""
    conversation = load_conversation(ENGLISH)
    lived = store_transcript(
        conversation, get_embedder().embed([turn.text for _, turn in conversation.turns()])
    )
    working_set = lived.working_set()
    vector = get_embedder().embed(["What does Ines do?"])[0]

    def said_by_ines(**name: str) -> list[bool]:
        order = rank_memories(
            working_set, "What does Ines do?", vector=vector, now=conversation.now, **name
        ).order
        return [
            node.source is not None and node.source.speaker is None
            for node in (working_set.nodes[i] for i in order)
        ]

    assert all(said_by_ines(own_name="Ines")[:3])
    assert not all(said_by_ines()[:3])


def test_remembered_vectors_are_the_same_vectors():
    """Embedding each text once changes nothing but the time."""
    embedder = BundledEmbedder()
    texts = ["one", "two", "one"]
    plain = embedder.embed(texts)
    with remember_vectors(embedder):
        assert np.array_equal(embedder.embed(texts), plain)
        assert embedder.embed([]).shape == (0, embedder.dimension)
    assert "embed" not in vars(embedder)


def check_shape(measured: Mapping[str, Mapping]) -> None:
    """Five ways, each with every metric over all files, and per category and conversation beside."""
    assert list(measured) == ["transcript", "formed", "compressed", "bm25", "dense"]
    for way in measured.values():
        assert way.keys() >= METRICS
        assert all(0 <= way[metric] <= 1 for metric in METRICS)
        assert way["ms_p50"] <= way["ms_p95"]
        assert set(way["categories"]) == {"single-hop", "multi-hop", "temporal"}
        assert set(way["conversations"]) == {"small-en", "small-sv"}
        assert way["adversarial"].keys() >= METRICS
        assert way["questions"] == 6


def test_the_command_runs_by_itself_and_prints_one_object():
    """With nothing set in the environment: standard output is JSON over all files, and only that."""
    kept = {
        name: os.environ[name]
        for name in ("PATH", "HOME", "VAR_DIR", "OMP_NUM_THREADS")
        if name in os.environ
    }
    command = [sys.executable, "-m", "bench.retrieval", str(ENGLISH), str(SWEDISH), "--json"]
    done = subprocess.run(command, cwd=PROJECT, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    check_shape(json.loads(done.stdout))


def test_the_report_compares_every_category_with_bm25(ways):
    """Each of our ways, category by category, with the interval, and what compression costs."""
    report = render_report(ways)
    assert "all@10 compressed - formed: " in report
    for name in ("transcript", "formed", "compressed"):
        for category in ("single-hop", "multi-hop", "temporal", "adversarial"):
            assert any(line.startswith(f"any@10 {category:14} {name} - bm25") for line in report.splitlines())
    assert set(json.loads(render_json(ways))) == set(ways)


def write(tmp_path: Path, **overrides) -> Path:
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({**json.loads(ENGLISH.read_text()), **overrides}))
    return path


def test_what_cannot_be_measured_is_one_line_and_exit_2(tmp_path, capsys):
    """A missing file, broken JSON, no questions, and evidence of which nothing is in the file."""
    question = {"id": "q", "text": "Who?", "category": "single-hop", "evidence": ["nowhere"]}
    (tmp_path / "cut.json").write_text("{")
    for path in (
        tmp_path / "missing.json",
        tmp_path / "cut.json",
        write(tmp_path, questions=[]),
        write(tmp_path, questions=[question]),
    ):
        assert main([str(path)]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.count("\n") == 1
        path.unlink(missing_ok=True)
