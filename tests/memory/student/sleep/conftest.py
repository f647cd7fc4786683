"""A space that sleeps."""

import pytest

from tests.factories import make_access
from tests.memory.student.sleep.sleeper import Sleeper


@pytest.fixture
def access(db):
    return make_access("ada")


@pytest.fixture
def ada(access) -> Sleeper:
    return Sleeper(access)
