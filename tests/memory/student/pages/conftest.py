"""A student with memories, and the browsers of the student and of others."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import pytest
from django.test import Client

from chat.access import ChatAccess
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope, write_scope
from memory.models import LifeFact, MemoryEdge, MemoryNode
from memory.reading.entities import find_mentions
from memory.student.ingest.store import store_memories
from tests.factories import NOW, make_access
from tests.live import logged_in
from tests.memory.student.drafts import make_draft, make_statement
from tests.memory.student.sleep.sleeper import Sleeper

#: the page of the picture
PICTURE = "/memory/?view=picture"


def remember(
    access: ChatAccess,
    *texts: str,
    at: datetime = NOW,
    modality: str = "semantic",
    edge: str = MemoryEdge.Type.RELATES_TO,
    **fields,
) -> list[UUID]:
    """Store memories as they are given, each hanging together with the next; return their ids."""
    said = {name: fields.pop(name) for name in ("source_kind", "source_id", "trust") if name in fields}
    said["conversation_id"] = fields.pop("conversation_id", None) or new_id()
    statements = [
        make_statement(text, start=row, modality=modality, **fields) for row, text in enumerate(texts)
    ]
    embedder = get_embedder()
    vectors = embedder.embed(list(texts))
    draft = make_draft(
        statements,
        vectors=vectors,
        mentions=find_mentions(texts, vectors, embedder=embedder),
        edges=[(row, row + 1, str(edge), 0.6) for row in range(len(texts) - 1)],
        at=at,
        **said,
    )
    with unlocked(access.space, access.key), write_scope(access.space):
        return store_memories(access.space, draft, now=at)


def tell_fact(access: ChatAccess, text: str, kind: str, **detail) -> LifeFact:
    """Remember something that tells a fact of a life; return that."""
    (node,) = remember(access, text)
    with unlocked(access.space, access.key), space_scope(access.space):
        return LifeFact.objects.create(
            space_id=access.space, node_id=node, kind=kind, detail=detail, noted_at=NOW
        )


def see(browser: Client, **given):
    """Return the page of the picture that was filtered so."""
    return browser.get("/memory/", {"view": "picture", **given})


def text_of(browser: Client, address: str, **given) -> str:
    """Return a page with every kind of space as one plain space."""
    return " ".join(browser.get(address, given).content.decode().split())


def node(access: ChatAccess, node_id: UUID) -> MemoryNode:
    """Return a memory's row; its words open inside `unlocked` only."""
    with space_scope(access.space):
        return MemoryNode.objects.for_space(access.space).get(pk=node_id)


@pytest.fixture
def access(committed) -> ChatAccess:
    """Ada, for a browser that asks a site."""
    return make_access("ada")


@pytest.fixture
def sleeper(ada) -> Sleeper:
    return Sleeper(ada)


@pytest.fixture
def browser(ada) -> Client:
    """Ada's browser, logged in."""
    return logged_in("ada")


@pytest.fixture
def stranger(ada) -> Client:
    """Another student's browser."""
    make_access("eve")
    return logged_in("eve")


@pytest.fixture
def scoped(ada) -> Callable:
    """Run something inside Ada's unlocked space."""

    def run(work: Callable):
        with unlocked(ada.space, ada.key), space_scope(ada.space):
            return work()

    return run


@pytest.fixture
def ids(ada) -> dict[str, UUID]:
    """One of everything of Ada's."""
    from tests.memory.student.pages.lived import live  # which makes its memories with what stands above

    return live(ada, now=NOW)
