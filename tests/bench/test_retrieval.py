"""The bench of retrieval, on small conversations of our own."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bench.asking import Way, measure_one
from bench.living import form, store_transcript
from bench.retrieval import main, render_json, render_report
from bench.scoring import summarise
from chat.demo.recordings import load_conversation
from companion_site.embeddings.service import get_embedder
from companion_site.running import PROJECT
from tests.bench.conftest import run

ENGLISH = PROJECT / "tests" / "data" / "conversation-en.json"
SWEDISH = PROJECT / "tests" / "data" / "conversation-sv.json"
METRICS = {f"{kind}@{k}" for kind in ("any", "all", "session any") for k in (1, 3, 5, 10)}


@pytest.fixture
def ways(db) -> dict[str, Way]:
    return measure_one(load_conversation(ENGLISH), get_embedder())


def hits(way: Way, measure: str) -> dict[str, float]:
    return {outcome.question: outcome.measures[measure] for outcome in way.outcomes}


def test_every_way_is_measured_by_the_questions_that_name_evidence(ways):
    """q6 names none and is not scored; q5 is adversarial and in no total: four are left.

    Six of the seven turns say something, and word for word they hold all evidence within ten. By hand: q1 shares "kitten", q2
    "building", q4 "chemistry" and "exam" with one turn each, and with no other; of all six turns every question sees every one, so
    five pieces in four times all tokens. Each of our ways is compared with BM25 category by category, with what compression costs.
    """
    for way in ways.values():
        assert sorted(hits(way, "any@1")) == ["q1", "q2", "q3", "q4", "q5"]
        assert summarise(way.outcomes)["questions"] == 4
        assert len(way.times_ms) == 6
    transcript = ways["transcript"]
    assert transcript.memories == 6 and set(hits(transcript, "all@10").values()) == {1.0}
    first = hits(transcript, "any@1")
    assert (first["q1"], first["q4"]) == (1.0, 1.0)
    first = hits(ways["bm25"], "any@1")
    assert (first["q1"], first["q2"], first["q4"]) == (1.0, 1.0, 1.0)
    assert transcript.evidence == 5 and transcript.tokens % 4 == 0
    assert transcript.numbers()["evidence per 1000 tokens"] == round(5000 / transcript.tokens, 3)
    report = render_report(ways)
    assert "all@10 compressed - formed: " in report
    for name in ("transcript", "formed", "compressed"):
        for category in ("single-hop", "multi-hop", "temporal", "adversarial"):
            assert f"any@10 {category:14} {name} - bm25" in report
    assert set(json.loads(render_json(ways))) == set(ways)


def test_a_memory_counts_for_the_turns_that_it_names(db):
    """Lived through formation, each memory leads to the turn whose words it holds."""
    conversation = load_conversation(ENGLISH)
    lived = form(conversation)
    texts = {turn.id: turn.text for _, turn in conversation.turns()}
    for node in lived.held.nodes:
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
    assert len(lived.held) == 6


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
    done = run("retrieval", ENGLISH, SWEDISH, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    check_shape(json.loads(done.stdout))


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
