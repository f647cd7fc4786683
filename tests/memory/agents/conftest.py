"""An agent of a student's, and what it is taught."""

from collections.abc import Callable
from itertools import product

import pytest
from django.test import Client

from companion_site.accounts.access import Access
from companion_site.accounts.models import ApiToken, Person
from companion_site.accounts.tokens import issue_token
from companion_site.embeddings.service import get_embedder
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import space_scope
from memory.agents.agents import OpenAgent, create_agent
from memory.agents.client import Task
from memory.agents.client.orchestrator import episode
from memory.agents.nodes import Upserted, upsert_memory
from memory.agents.search import nodes_of
from memory.agents.workingset import AgentWorkingSet, agent_working_sets, working_set_of
from memory.nodes import clean_node, text_of
from memory.packs.manifest import describe
from memory.packs.mounts import mount
from tests.factories import NOW, make_student, open_space
from tests.live import logged_in
from tests.memory.packs.making import pack_file, take_in

PROFILE = {
    "identity": "You are Kari, a coding agent with a shell.",
    "persona": "",
    "domain_tags": ["python"],
    "constraints": "Python 3.11. No new dependencies.",
}


@pytest.fixture(autouse=True)
def nothing_held():
    """Begin with no agent's memory in this process: rows of another test may have had the same version."""
    yield
    for space in list(agent_working_sets._kept):
        agent_working_sets.forget(space)


@pytest.fixture
def owner_key(db) -> SpaceKey:
    """The key of a student's own space."""
    return open_space(make_student("ada").person)


@pytest.fixture
def opened(owner_key) -> OpenAgent:
    return make_agent(owner_key)


@pytest.fixture
def client(owner_key) -> Client:
    """The browser of that student, logged in."""
    return logged_in("ada")


@pytest.fixture
def agent(opened) -> Access:
    return opened


@pytest.fixture
def teach(agent) -> Callable[..., Upserted]:
    """Have the agent keep nodes."""

    def keep(*nodes: dict, merge: bool = True, now=NOW, embedder=None) -> Upserted:
        return upsert_memory(agent, list(nodes), merge=merge, now=now, embedder=embedder)

    return keep


def make_agent(key: SpaceKey, *, name: str = "Kari", **profile) -> OpenAgent:
    owner = Person.objects.get(space_id=key.space)
    return create_agent(key, owner=owner, name=name, profile={**PROFILE, **profile}, now=NOW)


def token_of(agent: OpenAgent, *scopes: str, now=NOW, **more) -> tuple[ApiToken, str]:
    """Let a program in; return the token's row and its text."""
    return issue_token(
        agent.key, name="Laptop", scopes=scopes or ["agent"], actor=agent.person, now=now, **more
    )


def rows_of(access: Access, model: type[SpaceModel]) -> list:
    """Return all rows of an agent, the oldest first, with everything that is sealed in them opened."""
    with access.open() as space, space_scope(space):
        found = list(model.objects.for_space(space).order_by("pk"))
        for row, field in product(found, model._meta.concrete_fields):
            setattr(row, field.attname, getattr(row, field.attname))
    return found


def held_by(access: Access) -> AgentWorkingSet:
    """Return an agent's memory as this process holds it."""
    with access.open() as space:
        return working_set_of(space)


def get_node(access: Access, path: str) -> dict:
    """Return a node that the agent remembers, in wire form."""
    (found,) = nodes_of(access, [path])
    return found.node


def node(path: str, kind: str = "concept", *, says: str = "", **fields) -> dict:
    """Return a node of the wire; what it says is its definition."""
    payload = {"payload": {"definition": says}} if says else {}
    return {"id": path, "type": kind, **payload, **fields}


def nested(levels: int) -> object:
    """Return lists in lists."""
    value: object = "the marmalade is under the third stair"
    for _ in range(levels):
        value = [value]
    return value


def observe(access: Access, *, task_id: str, text: str, now, session: str = "", embedder=None, **told) -> str:
    """Have an agent remember what it did, as a program of its notes it; return the path."""
    noted = episode(Task(id=task_id), text, now=now, **{"about": (), "outcome": "", **told})
    noted["meta"] |= {"session": session} if session else {}
    upsert_memory(access, [noted], now=now, embedder=embedder)
    return noted["id"]


def lend_pack(access: Access, *nodes: dict, key: str = "python-core", tags: tuple[str, ...] = ("python",)):
    """Import a pack of these nodes for the agent's person and mount it; return its space."""
    embedder = get_embedder()
    about = describe(
        now=NOW, id=key, name=key, version="1", domain_tags=list(tags), language="en", licence="CC0-1.0",
        author="Ada", embedding_model=embedder.model, dimension=embedder.dimension,
    )  # fmt: skip
    vectors = embedder.embed([text_of(clean_node(node).content) for node in nodes])
    embedded = [
        {**node, "embeddings": {"model": embedder.model, "vector": vector.tolist()}}
        for node, vector in zip(nodes, vectors, strict=True)
    ]
    pack = take_in(pack_file(embedded, about=about), owner=access.person, embedder=embedder).space_id
    mount(access.key, pack, person=access.person, now=NOW)
    return pack
