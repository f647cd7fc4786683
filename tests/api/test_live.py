"""The REST API on the running site: replies polled and stopped, packs taken in and given out, bodies that are too large."""

import time

import pytest
import requests

from companion_site.accounts.tokens import Scope
from companion_site.embeddings.service import get_embedder
from companion_site.llm.gateway import get_gateway
from tests.api.conftest import V1, make_program
from tests.factories import make_access
from tests.live import serving
from tests.llm.wire_server import Act

pytestmark = pytest.mark.spec("K10")


@pytest.fixture
def asking(committed, model):
    """A program, and the site on a port of its own."""
    program = make_program(make_access("ada"), *Scope.values)
    get_embedder().embed(["Loaded before the first reply."])
    with serving() as site, requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {program.text}"

        def ask(method: str, path: str, body=None):
            answer = session.request(method, f"http://{site.address}{V1}{path}", json=body, timeout=30)
            assert answer.ok, answer.text
            return answer.json()

        yield ask
        site.run(get_gateway().aclose())


def test_a_reply_in_the_making_is_polled_until_it_is_there(asking, model):
    """The answer to what is said does not wait for the reply; asking with patience gets the whole of it."""
    model.script(Act(text="Rowing is a fine sport.", delay_s=0.2))
    conversation = asking("POST", "conversations", {})["id"]
    exchange = asking("POST", f"conversations/{conversation}/messages", {"text": "I like rowing."})
    assert exchange["reply"]["state"] == "streaming"
    path = f"conversations/{conversation}/messages/{exchange['reply']['id']}"
    reply = asking("GET", f"{path}?wait_s=30")
    assert reply["state"] == "complete" and reply["text"] == "Rowing is a fine sport."


def test_a_reply_is_stopped_where_it_is(asking, model):
    """What had been written stays."""
    model.script(Act(text="Once " + "upon a time " * 200, delay_s=0.05))
    conversation = asking("POST", "conversations", {})["id"]
    exchange = asking("POST", f"conversations/{conversation}/messages", {"text": "Tell me a story."})
    path = f"conversations/{conversation}/messages/{exchange['reply']['id']}"
    deadline = time.monotonic() + 20
    while not asking("GET", path)["text"]:
        assert time.monotonic() < deadline
    asking("POST", f"{path}/stop", {})
    reply = asking("GET", f"{path}?wait_s=30")
    assert reply["state"] == "stopped" and reply["text"].startswith("Once")
