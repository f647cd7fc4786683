"""Which memories belong together, and which of their statements can stand for all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.algorithms.consolidating import CONSOLIDATING, Message, drop_covered, group_together

pytestmark = [pytest.mark.spec("I2")]


def message(row: int, *, key="ada", position=0, told=10.0, at=0.0) -> Message:
    vector = np.array([np.cos(at), np.sin(at)], dtype=np.float32)
    return Message(rows=[row], key=key, position=position, told=told, vector=vector)


def groups(*messages: Message) -> list[list[int]]:
    return group_together(messages, similarity=lambda cosine: max(cosine, 0.0))


def test_near_messages_of_one_matter_that_tell_little_go_together():
    """Two of them; a third stays by itself, and so does what is unlike."""
    assert groups(*(message(row, position=2 * row) for row in range(3))) == [[0, 1], [2]]
    assert groups(message(0), message(1, position=2, at=1.2)) == [[0], [1]]


@pytest.mark.parametrize(
    "other",
    [
        message(1, key="mia", position=1),
        message(1, key=None, position=1),
        message(1, position=CONSOLIDATING.most_turns + 1),
        message(1, position=1, told=CONSOLIDATING.little),
        message(1, position=1, told=float("inf")),
    ],
)
def test_what_is_another_s_far_away_or_tells_much_stays_apart(other):
    """Another speaker or conversation, none, too many turns between, much or something specific told."""
    assert groups(message(0), other) == [[0], [1]]


@given(st.lists(st.tuples(st.sampled_from("xy"), st.floats(0, 6), st.floats(0, 600)), max_size=12))
def test_every_row_is_in_one_group_of_one_key(told):
    """Groups part the rows, and hold one person's only."""
    messages = [message(row, key=key, at=at, told=bits) for row, (key, at, bits) in enumerate(told)]
    found = groups(*messages)
    assert sorted(row for group in found for row in group) == list(range(len(told)))
    assert all(len({messages[row].key for row in group}) == 1 for group in found)


def test_what_tells_least_for_its_length_goes_first():
    """It stops as soon as what is left is short enough."""
    kept = drop_covered([50, 50, 50], [90.0, 10.0, 60.0], most=100, is_covered=lambda rows: True)
    assert kept == [0, 2]


def test_what_nothing_covers_stays():
    """A statement goes only while the rest covers what goes, and one always stays."""
    assert drop_covered([50, 50], [1.0, 9.0], most=0, is_covered=lambda rows: 0 in rows) == [0]
    assert drop_covered([50, 50], [1.0, 9.0], most=0, is_covered=lambda rows: False) == [0, 1]
    assert len(drop_covered([50, 50], [1.0, 9.0], most=0, is_covered=lambda rows: True)) == 1


def test_the_order_that_leaves_the_shortest_is_taken():
    """Where the first to go by information bars the others, another order is taken, unless information outweighs it."""
    sizes = [20, 200, 20, 20]

    def is_covered(rows):
        return {1, 2} <= set(rows) or set(rows) >= {0, 2, 3} or set(rows) == {0, 2}

    assert drop_covered(sizes, [1.0, 30.0, 30.0, 30.0], most=0, is_covered=is_covered) == [0, 2]
    assert drop_covered(sizes, [1.0, 900.0, 30.0, 30.0], most=0, is_covered=is_covered) == [1, 2]
