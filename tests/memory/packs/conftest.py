"""What a process remembers of packs, forgotten between tests."""

import pytest

from memory.packs import mounts


@pytest.fixture(autouse=True)
def nothing_remembered():
    """Begin with no ready pack known: one whose id is made of its content has the same in every test."""
    mounts._read_ready.cache_clear()
