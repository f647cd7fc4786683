"""Forming memories with their contradictions settled, as a worker does it."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import space_scope, write_scope
from memory.models import Contradiction, MemoryChange, MemoryNode
from memory.reading.statements import Statement
from memory.student.contradictions import Found, find_contradictions, settle
from memory.student.ingest.store import store_memories
from tests.factories import NOW
from tests.memory.student.drafts import make_draft, make_statement


class Teller:
    """Says things to one memory, one statement at a time, and settles what they contradict."""

    def __init__(self, memory) -> None:
        self.memory, self.space = memory, memory.space

    def think(self, *texts: str, language: str = "en", speaker: str | None = None, valence: float = 0.0):
        """Return the statements, their vectors and what they contradict."""
        statements = [
            make_statement(text, valence=valence, start=i * 1000, salience=0.6)
            for i, text in enumerate(texts)
        ]
        vectors = self.memory.embedder.embed(list(texts))
        found = find_contradictions(
            statements,
            vectors,
            working_set=self.memory.working_set(),
            embedder=self.memory.embedder,
            language=language,
            speaker=speaker,
        )
        return statements, vectors, found

    def write(
        self,
        statements: Sequence[Statement],
        vectors,
        found: Sequence[Found],
        *,
        at: datetime = NOW,
        now: datetime | None = None,
        language: str = "en",
        trust: str = MemoryNode.Trust.PERSON,
        speaker: str | None = None,
    ) -> list[UUID]:
        """Write what was thought in one transaction; return the memory of each statement."""
        said = {"language": language, "trust": trust, "speaker": speaker}
        draft = make_draft(statements, vectors=vectors, at=at, **said)
        with write_scope(self.space):
            store_memories(self.space, draft, now=now or at)
            nodes = [self._held(statement.text) for statement in statements]
            settle(self.space, found, nodes, now=now or at)
        return nodes

    def tell(self, *texts: str, valence: float = 0.0, **given) -> list[UUID]:
        """Think and write."""
        thinking = {name: given[name] for name in ("language", "speaker") if name in given}
        return self.write(*self.think(*texts, valence=valence, **thinking), **given)

    def held(self) -> set[str]:
        """Return the words of everything believed now."""
        with space_scope(self.space):
            return {node.content for node in MemoryNode.objects.for_space(self.space).active()}

    def contradictions(self) -> list[Contradiction]:
        with space_scope(self.space):
            return list(Contradiction.objects.for_space(self.space).order_by("id"))

    def changes(self) -> list[MemoryChange]:
        with space_scope(self.space):
            return list(MemoryChange.objects.for_space(self.space).order_by("id"))

    def node(self, node: UUID) -> MemoryNode:
        with space_scope(self.space):
            return MemoryNode.objects.for_space(self.space).get(pk=node)

    def _held(self, text: str) -> UUID:
        digest = hash_words(self.space, text)
        return MemoryNode.objects.for_space(self.space).active().get(content_hash=digest).pk
