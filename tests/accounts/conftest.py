"""Somebody with a companion."""

import pytest

from companion_site.accounts.models import Person
from tests.factories import make_student


@pytest.fixture
def ada(db) -> Person:
    return make_student("ada").person
