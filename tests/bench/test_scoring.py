"""How rankings are scored."""

from datetime import UTC, datetime

import pytest

from bench.scoring import (
    Outcome,
    collect_results,
    compare,
    compare_categories,
    format_table,
    score,
    summarise,
)
from chat.demo.recordings import Conversation, Question, Session, Turn

SESSIONS = [
    Session(
        f"D{session}",
        datetime(2026, 3, session, tzinfo=UTC),
        [Turn(f"D{session}:{n}", "", "") for n in range(1, 21)],
    )
    for session in range(1, 9)
]
TURNS = [turn.id for session in SESSIONS for turn in session.turns]


def measure(evidence, ranked):
    """The measures of a ranking of single turns, or of memories with several sources."""
    sources = [[entry] if isinstance(entry, str) else entry for entry in ranked]
    question = Question(id="q", text="When?", category="single-hop", evidence=evidence)
    outcome = score(Conversation(sessions=SESSIONS), question, sources)
    return outcome and outcome.measures


def make_outcome(number, value, *, category="single-hop", conversation="c"):
    """An outcome with one value for every measure that tables show."""
    names = ("any@1", "any@5", "any@10", "all@10", "session any@5", "reciprocal rank")
    return Outcome(conversation, f"q{number}", category, dict.fromkeys(names, float(value)))


def test_any_asks_for_some_evidence_and_all_for_all_of_it():
    """Evidence at ranks 2 and 6: any from 3 on, all from 10 on. What is never found counts; where there is none, nothing does."""
    found = measure(("D1:2", "D3:1"), ["D1:1", "D1:2", "D1:3", "D1:4", "D1:5", "D3:1"])
    assert [found[f"any@{k}"] for k in (1, 3, 5, 10)] == [0, 1, 1, 1]
    assert [found[f"all@{k}"] for k in (1, 3, 5, 10)] == [0, 0, 0, 1]
    assert found["reciprocal rank"] == 0.5
    assert set(measure(("D1:1",), []).values()) == {0.0}
    assert measure(("D1:1", "D1:2"), ["D1:1"])["all@10"] == 0
    assert measure((), [["D1:1"]]) is None


def test_a_memory_of_n_turns_fills_n_ranks():
    """One that names everything finds nothing, one of three turns reaches rank 3, one of no turn takes its place all the same."""
    assert measure(("D1:1",), [TURNS])["any@10"] == 0
    found = measure(("D1:1",), [["D1:1", "D1:2", "D1:3"]])
    assert (found["any@1"], found["any@3"]) == (0, 1)
    assert measure(("D1:4",), [["D1:1", "D1:2", "D1:3"], "D1:4"])["any@3"] == 0
    assert measure(("D1:1",), [[], "D1:1"])["any@1"] == 0


def test_sessions_are_ranked_by_their_first_hit():
    """Five turns of one session are one session; a memory of many sessions fills as many ranks."""
    found = measure(("D2:9",), [*(f"D1:{turn}" for turn in range(1, 10)), "D3:1", "D2:1"])
    assert (found["session any@1"], found["session any@3"], found["any@10"]) == (0, 1, 0)
    assert measure(("D2:9",), [[f"D{session}:1" for session in range(1, 7)]])["session any@5"] == 0


def test_adversarial_questions_are_apart():
    """They neither help nor hurt a total or a conversation's figure; a category that one way has no question of is a dash."""
    ours = [
        make_outcome(1, 1),
        make_outcome(2, 0, category="odd"),
        make_outcome(3, 0, category="adversarial"),
    ]
    means = summarise(ours)
    assert (means["any@10"], means["questions"], means["adversarial"]["any@10"]) == (0.5, 2, 0)
    assert set(means["categories"]) == {"single-hop", "odd"}
    table = format_table({"ours": ours, "bm25": [make_outcome(1, 0)]})
    assert "ours" in table and "single-hop" in table
    assert "- 0.000" in " ".join(table.splitlines()[-1].split())
    by_conversation = format_table({"ours": ours}, by="conversation")
    assert by_conversation.splitlines()[-1].split() == ["ours", "0.500"]
    results = collect_results({"transcript": ours[:1], "bm25": [make_outcome(1, 0)]})
    assert (results["transcript"]["any@10"], results["bm25"]["any@10"]) == (1.0, 0.0)


def test_the_bootstrap_tells_a_difference_from_chance():
    """Better on nearly all of 100 questions is shown; on 6 of 10 against 5 it is not. Order does not matter; strangers have no pairs."""
    ours, theirs = [make_outcome(n, 1) for n in range(100)], [make_outcome(n, n % 5 == 0) for n in range(100)]
    clear = compare(ours, theirs, measure="any@10")
    assert (clear.verdict, clear.questions) == ("better", 100)
    assert clear.difference == pytest.approx(0.8) and clear.low < 0.8 < clear.high
    assert compare(ours, theirs[::-1], measure="any@10") == clear
    assert compare(theirs, ours, measure="any@10").verdict == "worse"
    few, other = [make_outcome(n, n < 6) for n in range(10)], [make_outcome(n, 1 < n < 7) for n in range(10)]
    assert compare(few, other, measure="any@10").verdict == "no difference shown"
    with pytest.raises(ValueError, match="no question in common"):
        compare(ours, [make_outcome(1, 1, conversation="other")], measure="any@10")


def test_categories_are_compared_one_by_one():
    """A gain in one category cannot hide a loss in another."""
    ours = [make_outcome(n, n < 20, category="a" if n < 20 else "b") for n in range(40)]
    theirs = [make_outcome(n, n >= 20, category="a" if n < 20 else "b") for n in range(40)]
    verdicts = {
        name: found.verdict for name, found in compare_categories(ours, theirs, measure="any@10").items()
    }
    assert verdicts == {"a": "better", "b": "worse"}
