"""Neighbours and sessions of rows in any order."""

import numpy as np

from memory.algorithms.surroundings import NO_NEIGHBOUR, find_surroundings


def make(conversation, session, position, alive=None):
    """Surroundings from lists."""
    count = len(conversation)
    return find_surroundings(
        conversation=np.array(conversation, np.int64),
        session=np.array(session, np.int64),
        position=np.array(position, np.int64),
        alive=np.ones(count, bool) if alive is None else np.array(alive),
    )


def pairs(around, row):
    """The neighbours of a row with their gaps, in turns."""
    found = zip(around.neighbours[:, row], around.gaps[:, row], strict=True)
    return {(int(other), int(gap)) for other, gap in found if gap != NO_NEIGHBOUR}


def test_neighbours_follow_position_and_not_rows():
    """Rows may lie in any order; what was said before has a gap above 0."""
    around = make([0, 0, 0], [0, 0, 0], [5, 3, 4])
    assert pairs(around, 2) == {(1, 1), (0, -1)}
    assert pairs(around, 0) == {(2, 1), (1, 2)}


def test_neighbours_stay_within_conversation_and_session():
    """The last turn of one sitting is no neighbour of the first of the next."""
    around = make([0, 0, 0, 1], [0, 0, 1, 2], [0, 1, 2, 3])
    assert pairs(around, 1) == {(0, 1)}
    assert pairs(around, 2) == set()
    assert pairs(around, 3) == set()


def test_dead_rows_are_nobodys_neighbours():
    """The gap stays what it was in turns."""
    around = make([0, 0, 0], [0, 0, 0], [0, 1, 2], alive=[True, False, True])
    assert pairs(around, 0) == {(2, -2)}
    assert pairs(around, 1) == set()


def test_memories_of_one_message_are_closest():
    """They share a position, so their gap is 0."""
    assert pairs(make([0, 0], [0, 0], [4, 4]), 0) == {(1, 0)}


def test_the_highest_of_a_session_goes_to_all_its_rows():
    """Rows without a session keep their own value."""
    around = make([0, 0, 0, -1], [2, 1, 2, -1], [0, 1, 2, 0])
    values = np.array([[1.0, 5.0, 3.0, 9.0], [4.0, 0.0, 2.0, 1.0]], np.float32)
    assert around.highest_in_session(values).tolist() == [[3.0, 5.0, 3.0, 9.0], [4.0, 0.0, 4.0, 1.0]]


def test_places_in_a_session_count_the_better_ones():
    """Ties go to the lower row; without a session the place is 0."""
    around = make([0] * 4 + [-1], [1, 1, 1, 2, -1], [0, 1, 2, 3, 0])
    scores = np.array([1.0, 3.0, 1.0, -5.0, 0.0], np.float32)
    assert around.place_in_session(scores).tolist() == [1, 0, 2, 0, 0]
