"""A student's unlocked space, and what formation and recall are given."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope, write_scope
from memory.models import MemorySource
from memory.student.ingest.formation import Said, draft_memories
from memory.student.ingest.store import store_memories
from memory.student.recall.ranking import Recalled, recall
from memory.student.workingset import WorkingSet, WorkingSets
from tests.factories import NOW


@pytest.fixture
def unsealed(ada) -> Iterator[UUID]:
    """Ada's space, unlocked in this test."""
    with unlocked(ada.space, ada.key):
        yield ada.space


@pytest.fixture
def sets() -> WorkingSets:
    """Working sets of this test's own."""
    return WorkingSets(budget_bytes=2**30, idle_s=3600)


class Counting:
    """The site's embedder, with what it was asked for."""

    def __init__(self) -> None:
        self._embedder, self.texts = get_embedder(), []

    def __getattr__(self, name: str):
        return getattr(self._embedder, name)

    def embed(self, texts):
        self.texts += texts
        return self._embedder.embed(texts)


class Memory:
    """One space's memory, as a worker and a web process use it."""

    def __init__(self, space: UUID, sets: WorkingSets) -> None:
        self.space, self.sets, self.embedder = space, sets, get_embedder()

    def working_set(self) -> WorkingSet:
        return self.sets.get(self.space, model=self.embedder.model, dimension=self.embedder.dimension)

    def hear(self, text: str, *, language: str = "en", at: datetime = NOW, **given) -> list[UUID]:
        """Form the memories of something said; return the new ones."""
        fields = {"source_kind": MemorySource.Kind.MESSAGE, "source_id": new_id(), **given}
        said = Said(text=text, language=language, said_at=at, **fields)
        draft = draft_memories(said, working_set=self.working_set(), embedder=self.embedder)
        with write_scope(self.space):
            return store_memories(self.space, draft, now=at)

    def recall(self, question: str, *, at: datetime = NOW + timedelta(days=1)) -> list[Recalled]:
        (vector,) = self.embedder.embed([question])
        return recall(self.working_set(), question, vector=vector, embedder=self.embedder, now=at)


@pytest.fixture
def memory(unsealed, sets) -> Memory:
    return Memory(unsealed, sets)


@pytest.fixture
def scoped(unsealed) -> Callable:
    """Run something inside the space's scope."""

    def run(work: Callable):
        with space_scope(unsealed):
            return work()

    return run
