"""A school with a world of its own, and a student of it."""

from collections.abc import Iterator

import pytest

from chat.access import ChatAccess
from companion_site.accounts.models import ClassMembership, School, SchoolClass
from companion_site.vault import unlocked
from overlay.worlds import World, worlds
from tests.factories import make_access
from tests.overlay.building import make_school


@pytest.fixture
def school(db) -> School:
    return make_school()


@pytest.fixture
def school_class(school) -> SchoolClass:
    return SchoolClass.objects.create(school=school, name="7B")


@pytest.fixture
def ada(school, school_class) -> ChatAccess:
    """A student of the class."""
    access = make_access("ada", school=school)
    ClassMembership.objects.create(school_class=school_class, person=access.person)
    return access


@pytest.fixture
def unsealed(ada) -> Iterator[ChatAccess]:
    """Ada, with her space unlocked in this test."""
    with unlocked(ada.space, ada.key):
        yield ada


@pytest.fixture
def world(school) -> World:
    return worlds.get(school.world_space_id)
