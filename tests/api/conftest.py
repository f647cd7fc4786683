"""A student, a token of theirs, and a program that holds it."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from chat.access import ChatAccess
from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Scope, issue_token
from tests.factories import NOW, access_of, make_access

V1 = "/api/v1/"


@dataclass
class Program:
    """A program that asks with a token, and the person whose it is."""

    access: ChatAccess
    text: str
    #: kept, since making one looks at every static file of the site
    client: Client = field(default_factory=Client, repr=False)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send one request to an address below the API's."""
        given = {"HTTP_AUTHORIZATION": f"Bearer {self.text}"}
        given |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
        if body is None:
            return self.client.generic(method, V1 + path, **given)
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.generic(method, V1 + path, raw, content_type="application/json", **given)

    def get(self, path: str, **headers: str) -> Any:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.ask("POST", path, {} if body is None else body, **headers)

    def begin(self) -> str:
        """Begin a conversation; return its id."""
        return self.post("conversations").json()["id"]


def make_program(access: ChatAccess, *scopes: str, key=None, **options) -> Program:
    """Return a program with a token for these scopes, or for every one."""
    _row, text = issue_token(
        key or access.key, name="Mine", scopes=scopes or Scope.values, actor=access.person, now=NOW, **options
    )
    return Program(access, text)


def program_of(person: Person) -> Program:
    """Return a program with a token of somebody's own space, for every scope."""
    return make_program(access_of(person))


@pytest.fixture
def asking(db) -> Program:
    """A student's program, inside the test's own transaction."""
    return make_program(make_access("ada"))


@pytest.fixture
def program(committed) -> Program:
    return make_program(make_access("ada"))
