"""Which memories belong together, and which of their statements can stand for all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.consolidating import CONSOLIDATING, Placed, drop_covered, group_together

pytestmark = [pytest.mark.spec("I2")]


def placed(origin, *, key="ada", thread="talk", position=0, at=0.0) -> Placed:
    vector = np.array([np.cos(at), np.sin(at)], dtype=np.float32)
    return Placed(origin=origin, key=key, thread=thread, position=position, vector=vector)


def groups(*rows: Placed) -> list[list[int]]:
    return group_together(rows, similarity=lambda cosine: max(cosine, 0.0))


def test_one_message_is_one_group_and_others_are_others():
    """What was said in one message goes together, however unlike; a message far away does not."""
    rows = [placed("a"), placed("a", at=1.5), placed("b", position=50)]
    assert groups(*rows) == [[0, 1], [2]]


def test_near_messages_of_one_matter_go_together():
    """Two messages, not too far apart and alike; a third stays by itself, and so does what is unlike."""
    alike = [placed(name, position=2 * at) for at, name in enumerate("abc")]
    assert groups(*alike) == [[0, 1], [2]]
    assert groups(placed("a"), placed("b", position=2, at=1.2)) == [[0], [1]]


@pytest.mark.parametrize(
    "other",
    [
        placed("b", key="mia", position=1),
        placed("b", thread="another", position=1),
        placed("b", thread=None, position=1),
        placed("b", position=CONSOLIDATING.most_turns + 1),
    ],
)
def test_what_is_another_s_or_far_away_stays_apart(other):
    """Another speaker, another conversation, none, or too many turns between."""
    assert groups(placed("a"), other) == [[0], [1]]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy"), st.floats(0, 6)), max_size=12))
def test_every_row_is_in_one_group_of_one_key(rows):
    """Groups part the rows, and hold one person's only."""
    given_rows = [placed(origin, key=key, at=at) for origin, key, at in rows]
    found = groups(*given_rows)
    assert sorted(row for group in found for row in group) == list(range(len(rows)))
    assert all(len({given_rows[row].key for row in group}) == 1 for group in found)


def test_what_tells_least_for_its_length_goes_first():
    """It stops as soon as what is left is short enough."""
    kept = drop_covered([50, 50, 50], [90.0, 10.0, 60.0], most=100, is_covered=lambda rows: True)
    assert kept == [0, 2]


def test_what_nothing_covers_stays():
    """A statement goes only while the rest covers what goes, and one always stays."""
    assert drop_covered([50, 50], [1.0, 9.0], most=0, is_covered=lambda rows: 0 in rows) == [0]
    assert drop_covered([50, 50], [1.0, 9.0], most=0, is_covered=lambda rows: False) == [0, 1]
    assert len(drop_covered([50, 50], [1.0, 9.0], most=0, is_covered=lambda rows: True)) == 1
