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
from companion_site.vault.scope import lock_space, space_scope
from memory.algorithms.edges import Edge
from memory.models import MemoryEdge, MemoryNode, MemorySource
from memory.reading.entities import find_mentions
from memory.reading.statements import Statement
from memory.student.ingest.formation import Draft, Said
from memory.student.ingest.store import store_memories
from tests.factories import NOW, make_access
from tests.live import logged_in

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
    embedder = get_embedder()
    said = Said(
        text=". ".join(texts),
        language="en",
        said_at=at,
        source_kind=fields.pop("source_kind", MemorySource.Kind.MESSAGE),
        source_id=fields.pop("source_id", None) or new_id(),
        conversation_id=fields.pop("conversation_id", None) or new_id(),
        trust=fields.pop("trust", MemoryNode.Trust.PERSON),
    )
    numbers = {"valence": 0.0, "confidence": 0.9, "salience": 0.5, **fields}
    statements = [
        Statement(text=text, start=row, end=row + len(text), modality=modality, **numbers)
        for row, text in enumerate(texts)
    ]
    vectors = embedder.embed(list(texts))
    draft = Draft(
        said=said,
        snr=100.0,
        statements=statements,
        vectors=vectors,
        mentions=find_mentions(texts, vectors, embedder=embedder),
        model=embedder.model,
        edges=[Edge(row, row + 1, str(edge), 0.6) for row in range(len(texts) - 1)],
    )
    with unlocked(access.space, access.key), space_scope(access.space):
        lock_space(access.space)
        return store_memories(access.space, draft, now=at)


def see(browser: Client, **given):
    """Return the page of the picture that was filtered so."""
    return browser.get("/memory/", {"view": "picture", **given})


def node(access: ChatAccess, node_id: UUID) -> MemoryNode:
    """Return a memory's row; its words open inside `unlocked` only."""
    with space_scope(access.space):
        return MemoryNode.objects.for_space(access.space).get(pk=node_id)


@pytest.fixture
def ada(db) -> ChatAccess:
    return make_access("ada")


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
