"""What later statements do to earlier ones: how much is asked of the embedder, whatever somebody sends."""

from memory.reading.params import READING
from memory.reconcile import Effect, read_changes
from tests.memory.conftest import Counting


def test_of_hundreds_of_pairs_the_nearest_are_judged():
    """A message of many statements costs no more embeddings than one of some, and its nearest pair is read wherever it stands."""
    said = [f"I have {number} marbles in jar {number}." for number in range(40)]
    pairs = [(one, other) for one in said for other in said if one != other]
    room = ("My rent is 4,000 kronor a month.", "My rent is 4,500 kronor a month.")
    counting = Counting()
    changes = read_changes([*pairs, room], [*[0.6] * len(pairs), 0.9], embedder=counting)
    assert len(counting.texts) <= 2 * READING.most_compared
    assert changes[-1].effect is Effect.REPLACES and len(changes) == len(pairs) + 1
