"""A student's memory, made statement by statement or told with what it contradicts settled."""

import pytest

from chat.access import ChatAccess
from tests.memory.student.kept import Kept
from tests.memory.student.settled import Teller


@pytest.fixture
def kept(ada: ChatAccess) -> Kept:
    return Kept(ada)


@pytest.fixture
def teller(memory) -> Teller:
    return Teller(memory)
