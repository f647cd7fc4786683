"""Students of a bench, with memories that are made by the services that make all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from django.utils import timezone

from bench.sentences import make_sentences
from bench.vectors import embed_all, mix_vectors
from chat.access import ChatAccess, chat_access
from companion_site.accounts.models import Company, Person
from companion_site.accounts.services import create_person, unlock_at_log_in
from companion_site.embeddings.service import get_embedder
from companion_site.ids import new_id
from companion_site.language import as_language
from companion_site.vault import unlocked
from companion_site.vault.scope import write_scope
from companion_site.vault.services import grant_lease
from memory.algorithms.edges import Edge
from memory.models import MemoryEdge, MemoryNode, MemorySource
from memory.reading.statements import Statement
from memory.student.ingest.formation import Draft, Said
from memory.student.ingest.store import store_memories
from memory.student.workingset import WorkingSet, WorkingSets

NOW = datetime(2026, 3, 2, 14, 5, tzinfo=UTC)
PASSWORD = "measured here only"  # noqa: S105 (a person of a database that is dropped)
#: Big enough that no space of a bench is ever dropped.
BUDGET_BYTES = 2**31
STATEMENTS_PER_MESSAGE = 4
#: Messages of a conversation, of a space that is large and of a student who has short-term memories only.
MANY, FEW = 20, 4
#: As many of the sentences are embedded; a larger space gets mixtures of their vectors, since a load reads them only.
MOST_EMBEDDED = 1_000

Told = tuple[Sequence[tuple[str, str]], np.ndarray]
"""Sentences with their languages, and (n, d) their vectors."""


def enter_person(
    username: str,
    *,
    now: datetime,
    display_name: str = "Student",
    language: str = "en",
    company: Company | None = None,
) -> ChatAccess:
    """Make a student, or somebody of a company, and log them in."""
    person = create_person(
        username,
        password=PASSWORD,
        now=now,
        display_name=display_name[:100],
        role=Person.Role.BUSINESS if company else Person.Role.STUDENT,
        company=company,
        language=as_language(language),
    ).person
    return chat_access(person, unlock_at_log_in(person, password=PASSWORD, now=now))


def load_memory(access: ChatAccess, sets: WorkingSets | None = None) -> WorkingSet:
    """Return a memory as arrays: as `sets` have it, or from the database, as the first question after log-in finds it."""
    embedder, sets = get_embedder(), sets or make_sets()
    with unlocked(access.space, access.key):
        return sets.get(access.space, model=embedder.model, dimension=embedder.dimension)


def make_sets() -> WorkingSets:
    """Return working sets of which none is dropped."""
    return WorkingSets(budget_bytes=BUDGET_BYTES, idle_s=3600)


@dataclass(frozen=True)
class Space:
    """A student with so many memories."""

    access: ChatAccess
    nodes: int

    def load(self, sets: WorkingSets | None = None) -> WorkingSet:
        """Return the memory as arrays."""
        return load_memory(self.access, sets)


def make_space(nodes: int, *, username: str) -> Space:
    """Make a student whose memory holds `nodes` sentences in conversations, with edges within each message."""
    access = enter_person(username, now=NOW)
    sentences = make_sentences(nodes, seed=nodes)
    vectors = mix_vectors(embed_all(get_embedder(), [text for text, _ in sentences[:MOST_EMBEDDED]]), nodes)
    _store(access, (sentences, vectors), together=MANY)
    return Space(access, nodes)


def make_lives(students: int, *, memories: int) -> list[Told]:
    """Return different sentences for each of so many students, embedded."""
    sentences = make_sentences(students * memories, seed=5)
    vectors = embed_all(get_embedder(), [text for text, _ in sentences])
    parts = [slice(start, start + memories) for start in range(0, len(sentences), memories)]
    return [(sentences[part], vectors[part]) for part in parts]


def make_students(lives: Sequence[Told]) -> list[ChatAccess]:
    """Make a student of each life: short-term memories in sessions, no sleep planned, and a worker may open their spaces."""
    made = []
    for told in lives:
        access = enter_person(f"student-{new_id().hex}", now=NOW)
        _store(access, told, together=FEW)
        grant_lease(access.key, now=timezone.now())
        made.append(access)
    return made


def _store(access: ChatAccess, told: Told, *, together: int) -> None:
    """Store the memories of messages, so many of them in a conversation."""
    sentences, vectors = told
    for number, start in enumerate(range(0, len(sentences), STATEMENTS_PER_MESSAGE)):
        if number % together == 0:
            thread = new_id()
        part = slice(start, start + STATEMENTS_PER_MESSAGE)
        store_message(access, sentences[part], vectors[part], thread=thread, position=number)


def store_message(
    access: ChatAccess, sentences: Sequence[tuple[str, str]], vectors: np.ndarray, *, thread, position: int
) -> None:
    """Store the memories of one message."""
    said = Said(
        text=". ".join(text for text, _ in sentences),
        language=sentences[0][1],
        said_at=NOW - timedelta(days=60) + timedelta(minutes=position),
        source_kind=MemorySource.Kind.MESSAGE,
        source_id=new_id(),
        conversation_id=thread,
        position=position,
    )
    statements = [
        Statement(
            text=text, start=0, end=len(text), modality=MemoryNode.Modality.EPISODIC.value,
            valence=0.0, confidence=0.9, salience=0.5,
        )
        for text, _ in sentences
    ]  # fmt: skip
    edges = [Edge(row, row + 1, MemoryEdge.Type.PRECEDES.value, 0.6) for row in range(len(statements) - 1)]
    draft = Draft(
        said=said, snr=200.0, statements=statements, vectors=vectors, model=get_embedder().model, edges=edges
    )
    with write_scope(access.space), unlocked(access.space, access.key):
        store_memories(access.space, draft, now=NOW)
