"""A pack that comes into an agent's own memory: all of it or, whatever happens meanwhile, nothing."""

from base64 import b64encode
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep

import pytest
from django.db import DatabaseError, connection, connections

from companion_site.embeddings.errors import EmbeddingError
from companion_site.vault.scope import space_scope
from memory.agents.mcp.toolset import Caller, import_encrypted
from memory.agents.nodes import upsert_memory
from memory.agents.search import search_memory
from memory.models import AgentNode, AgentVector
from memory.nodes import NODES_A_CALL
from tests.embeddings.failing import embedding_server as embedding_server
from tests.factories import NOW
from tests.memory.agents.conftest import node, rows_of
from tests.memory.agents.mcp.conftest import Kept, make_agent_with_token
from tests.memory.packs import making
from tests.memory.packs.making import PASSPHRASE, pack_file

pytestmark = pytest.mark.spec("K7")

#: More than a call of upsert_memory may hold.
MANY = NODES_A_CALL + 10


def notes(count: int = MANY) -> list[dict]:
    return [node(f"concept.n{row:04}", label=f"Note {row}") for row in range(count)]


def take_in(kept: Kept, nodes: Iterable[dict]) -> dict:
    """Import a pack of these nodes as a client asks for it."""
    packed = [making.node(one.pop("id"), **one) for one in map(dict, nodes)]
    raw = pack_file(packed).getvalue()
    asked = {"pack": b64encode(raw).decode(), "passphrase": PASSPHRASE, "mount": False}
    return import_encrypted(Caller(kept.access, frozenset({"agent"})), asked, NOW)


def count(kept: Kept) -> int:
    """Return how many nodes an agent remembers, each with its vector."""
    nodes, vectors = (len(rows_of(kept.access, model)) for model in (AgentNode, AgentVector))
    assert nodes == vectors
    return nodes


@pytest.fixture
def agent(db) -> Kept:
    return make_agent_with_token()


def test_more_nodes_than_a_call_may_hold_come_in_at_once(agent):
    """They stand there with their vectors, are found, and taken in again change nothing."""
    done = take_in(agent, notes())
    assert (done["created"], done["changed"], done["unchanged"]) == (MANY, 0, 0)
    assert count(agent) == MANY
    found = search_memory(agent.access, "Note 207")
    assert found[0].node["id"] == "concept.n0207"
    again = take_in(agent, notes())
    assert (again["created"], again["changed"], again["unchanged"]) == (0, 0, MANY)


@pytest.mark.django_db
def test_an_embedder_that_fails_in_the_middle_leaves_nothing(embedding_server):
    """Everything is embedded before the first row is written."""
    agent = make_agent_with_token()
    embedding_server.refuses = f"Note {MANY - 1}"
    with pytest.raises(EmbeddingError):
        take_in(agent, notes())
    assert count(agent) == 0


def test_an_import_that_is_killed_in_the_middle_leaves_nothing(committed):
    """Its connection is cut while it waits for the row of its last node: of all the others none is there."""
    agent = make_agent_with_token()
    last = notes()[-1]
    upsert_memory(agent.access, [{**last, "label": "Something else"}], now=NOW)

    def import_all() -> Exception | None:
        try:
            take_in(agent, notes())
        except DatabaseError as error:
            return error
        finally:
            connections.close_all()
        return None

    with ThreadPoolExecutor(1) as threads, space_scope(agent.space):
        assert AgentNode.objects.for_space(agent.space).select_for_update().get()
        running = threads.submit(import_all)
        _kill_whoever_waits()
        assert running.result(timeout=60) is not None
    assert count(agent) == 1
    assert take_in(agent, notes())["created"] == MANY - 1


def _kill_whoever_waits() -> None:
    """Cut the connection that waits for a row which this one has locked."""
    deadline = monotonic() + 60
    with connection.cursor() as cursor:
        while monotonic() < deadline:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks "
                "WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchall():
                return
            sleep(0.05)
    raise AssertionError("nobody waits")
