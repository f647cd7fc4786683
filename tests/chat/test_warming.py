"""What the first message would wait for is loaded at the start."""

import gc

import pytest

from chat.warming import load_for_good

pytestmark = [
    pytest.mark.usefixtures("committed"),
    # What is collected on the way are other tests' leavings.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_collecting_garbage_passes_over_what_was_loaded():
    """What is there once all is loaded is not gone over again in anybody's turn; what comes later is."""
    before = [[]]
    load_for_good()
    after = [[]]
    gone_over = {id(one) for one in gc.get_objects()}
    assert id(after) in gone_over
    assert id(before) not in gone_over
