"""The two gates, measured on a life of each side."""

from pathlib import Path

import pytest

from bench.gates import BARS, recall_lines, store_lines
from bench.scenarios import load_scenarios
from companion_site.embeddings.service import EmbedOnce, get_embedder

SCENARIOS = Path(__file__).parents[2] / "bench" / "data" / "scenarios"


@pytest.fixture(scope="module")
def lives():
    return [
        (life, EmbedOnce(get_embedder()))
        for life in load_scenarios([SCENARIOS / "own-01.json", SCENARIOS / "own-04.json"])
    ]


def test_a_higher_bar_lets_less_through(lives):
    """Of junk as of what is needed, and at the lowest most needs pass."""
    _, *rows = store_lines(lives)
    shares = [[float(cell) for cell in row.strip("| ").split(" | ")] for row in rows]
    assert [bar for bar, *_ in shares] == list(BARS)
    for column in (1, 2):
        assert sorted((row[column] for row in shares), reverse=True) == [row[column] for row in shares]
    assert shares[0][2] > 0.9 > shares[0][1]


def test_the_more_bland_messages_may_call_the_fewer_questions_are_lost(lives):
    """For each side by all that is weighed, each time of all its questions."""
    rows = [row.strip("| ").split(" | ") for row in list(recall_lines(lives))[1:]]
    assert [row[0] for row in rows] == ["student"] * 3 + ["company"] * 3
    for _side, _name, asked, *lost in rows:
        assert int(asked) == 12 and sorted(map(int, lost), reverse=True) == list(map(int, lost))
