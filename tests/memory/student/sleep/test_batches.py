"""How many memories go into a batch: ten to twenty, whole sessions where they fit."""

import pytest

from memory.student.sleep.selectors import cut_batch

pytestmark = pytest.mark.spec("I2")


def cut(sizes: list[int]) -> int:
    sessions = [session for session, size in enumerate(sizes) for _ in range(size)][:30]
    return cut_batch(sessions, least=10, most=20)


def test_a_batch_ends_between_sessions_where_that_fits(subtests):
    """As many as fit; else as many as are allowed, and at least ten stay for the next where more than twenty wait."""
    for sizes, taken in [
        ([], 0),
        ([3], 3),
        ([20], 20),
        ([6, 6], 12),
        ([8, 9, 8], 15),
        ([12, 12], 12),
        ([7, 7, 7, 7, 7], 14),
        ([40], 20),
        ([21], 11),
        ([5, 16], 11),
    ]:
        with subtests.test(sizes=sizes, taken=taken):
            assert cut(sizes) == taken
