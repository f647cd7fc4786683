"""A site with and without a language model, as staff see it."""

import pytest

from companion_site.accounts.models import Person
from companion_site.llm import local_servers
from companion_site.llm.local_servers import LocalServer
from tests.factories import make_student
from tests.live import logged_in
from tests.llm.wire_server import WireServer

KEY = "sk-nobody-may-read-this"
NOT_A_MODEL = "text-embedding-small"


@pytest.fixture
def server():
    with WireServer(models=("tiny:1b", "my model", NOT_A_MODEL)) as server:
        yield server


@pytest.fixture
def unconnected(committed, settings, monkeypatch):
    """Staff of a site without a model, on a machine where nothing is looked for."""
    settings.LLM_CHAIN = ["anthropic", "openai", "offline"]
    settings.ANTHROPIC_API_KEY = settings.ANTHROPIC_BASE_URL = ""
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = settings.OPENAI_CHAT_MODEL = ""
    settings.OPENAI_FAST_MODEL = ""
    monkeypatch.setattr(local_servers, "KNOWN", ())
    make_student("root", role=Person.Role.STAFF)
    return logged_in("root")


@pytest.fixture
def connected(unconnected, settings, server):
    settings.OPENAI_BASE_URL = f"{server.url}/v1"
    settings.OPENAI_CHAT_MODEL, settings.OPENAI_FAST_MODEL, settings.OPENAI_API_KEY = "big", "small", KEY
    return server


@pytest.fixture
def runs_here(unconnected, server, monkeypatch):
    """The server at the one port that is looked at."""
    known = (LocalServer(slug="ollama", title="Ollama", port=server.port),)
    monkeypatch.setattr(local_servers, "KNOWN", known)
    return server
