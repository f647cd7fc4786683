"""People who chat, and one of them logged in at a site that is being served."""

from collections.abc import Iterator

import pytest
from django.test import Client

from chat.access import ChatAccess
from companion_site.llm.gateway import get_gateway
from tests.factories import make_access, make_business_user, make_company_access
from tests.live import Served, logged_in, new_conversation, serving
from tests.llm.wire_server import Act, WireServer


@pytest.fixture(scope="session")
def served(django_db_setup, django_db_blocker) -> Iterator[Served]:
    with django_db_blocker.unblock(), serving() as served:
        yield served


@pytest.fixture
def site(served, committed) -> str:
    """The address of the site."""
    return served.address


@pytest.fixture
def ada(committed) -> ChatAccess:
    """A student."""
    return make_access("ada")


@pytest.fixture
def bo(committed) -> ChatAccess:
    """Somebody of a company."""
    return make_company_access(make_business_user())


@pytest.fixture(params=["student", "business user"])
def access(request) -> ChatAccess:
    """Either of the two."""
    return make_access("ada") if request.param == "student" else make_company_access(make_business_user())


@pytest.fixture
def page(access) -> Client:
    """Their browser, logged in."""
    return logged_in(access.person.username)


@pytest.fixture
def listening(model, committed) -> WireServer:
    """A model that always says the same."""
    model.always(Act(text="All right."))
    return model


@pytest.fixture
def browser(ada) -> Client:
    return logged_in("ada")


@pytest.fixture
def conversation(browser):
    return new_conversation(browser)


class SlowModel:
    """A model on this machine that tells a story of numbered words, one at a time."""

    text = " ".join(f"word{number}" for number in range(30))

    def __init__(self, server: WireServer) -> None:
        self._server = server
        self.pause_s = 0.1

    @property
    def pause_s(self) -> float:
        return self._pause_s

    @pause_s.setter
    def pause_s(self, seconds: float) -> None:
        self._pause_s = seconds
        self._server.always(Act(text=self.text, delay_s=seconds))


@pytest.fixture
def slow_model(model, served) -> Iterator[SlowModel]:
    yield SlowModel(model)
    served.run(get_gateway().aclose())
