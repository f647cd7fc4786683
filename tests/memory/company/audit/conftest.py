"""A company with a history, its auditor's browser, and those of everybody who must see nothing."""

import pytest
from django.test import Client

from tests.live import logged_in
from tests.memory.company.audit.rows import Lived, live


@pytest.fixture
def lived(db) -> Lived:
    return live()


@pytest.fixture
def browser(lived) -> Client:
    """The browser of the company's auditor, logged in."""
    return logged_in("ulla")
