"""A space whose memory is made statement by statement, and looked at row by row."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np

from companion_site.vault import unlocked
from companion_site.vault.fields import Box
from companion_site.vault.scope import space_scope, write_scope
from ledger.models import LedgerEntry
from memory.models import (
    CompressionRun,
    Contradiction,
    MemoryChange,
    MemoryEdge,
    MemoryNode,
    MemorySource,
    MemoryVector,
)
from memory.student.compression.run import begin_run, compress, integrity_hash
from memory.student.ingest.store import store_memories
from memory.student.params import COMPRESSION
from memory.student.store import refresh_strength
from memory.student.undo import undo_change
from tests.factories import NOW
from tests.memory.student.drafts import make_draft, make_statement

LATER = NOW + timedelta(days=30)
MORNING = ["My kitten is called Moses", "He sleeps on the radiator", "He climbs the curtains at night"]
EVENING = ["I play handball on Tuesdays", "Our coach is strict", "We lost the last match"]


class Kept:
    """A space whose memory is made statement by statement, and looked at row by row."""

    def __init__(self, access) -> None:
        self.space: UUID = access.space
        self.key = access.key

    def say(
        self,
        texts: Sequence[str],
        *,
        edges: Sequence[tuple[int, int, str, float]] = (),
        at: datetime = NOW,
        salience: float = 0.5,
        vectors: np.ndarray | None = None,
        **said,
    ) -> list[UUID]:
        """Store what one message said; return its memories."""
        statements = [
            make_statement(text, start=100 * number, salience=salience) for number, text in enumerate(texts)
        ]
        draft = make_draft(statements, edges=edges, vectors=vectors, at=at, **said)
        with write_scope(self.space), unlocked(self.space, self.key):
            return store_memories(self.space, draft, now=at)

    def join(self, source: UUID, target: UUID, weight: float, kind: str = "RELATES_TO") -> None:
        with space_scope(self.space):
            MemoryEdge.objects.create(
                space_id=self.space, source_id=source, target_id=target, type=kind, weight=weight,
                formed_at=NOW, version=1,
            )  # fmt: skip

    def set(self, nodes: Sequence[UUID], **values) -> None:
        with space_scope(self.space):
            MemoryNode.objects.for_space(self.space).filter(pk__in=nodes).update(**values)

    def spoil(self, node: UUID) -> None:
        """Leave a memory in words that nothing opens."""
        self.set([node], content=Box(b"\x01" + bytes(40)))

    def keep_in_ledger(self, node: UUID, **given) -> None:
        """Leave an entry of the ledger that came from a memory."""
        with space_scope(self.space), unlocked(self.space, self.key):
            LedgerEntry.objects.create(
                space_id=self.space, category="fact", content="x", summary="x", triggers=[], trigger_entities=[],
                content_hash=node.bytes * 2, importance=0.5, node_id=node, recorded_at=NOW, **given,
            )  # fmt: skip

    def compress(self, *, now: datetime = LATER, max_nodes: int = COMPRESSION.max_nodes) -> CompressionRun:
        run = begin_run(self.space, trigger="requested", now=now)
        params = replace(COMPRESSION, max_nodes=max_nodes)
        return compress(self.space, run.pk, key=self.key, now=now, params=params)

    def changes(self, kind: str) -> list[MemoryChange]:
        with space_scope(self.space):
            return list(MemoryChange.objects.for_space(self.space).filter(kind=kind).order_by("id"))

    def restore(self, change: MemoryChange, *, now: datetime = LATER) -> MemoryChange:
        with unlocked(self.space, self.key):
            return undo_change(self.space, change.pk, now=now)

    def active(self) -> dict[UUID, str]:
        with space_scope(self.space), unlocked(self.space, self.key):
            rows = MemoryNode.objects.for_space(self.space).active().order_by("id")
            return {row.pk: row.content for row in rows}

    def nodes(self, **wanted) -> dict[UUID, MemoryNode]:
        """Return rows of memories."""
        with space_scope(self.space):
            rows = MemoryNode.objects.for_space(self.space).filter(**wanted).order_by("id")
            return {row.pk: row for row in rows}

    def look(self, *, versions: bool = False) -> dict[str, list]:
        """Return everything that is stored of the graph, content opened, so that two moments can be compared."""
        left_out = {"content", "version"} if not versions else {"content"}
        with space_scope(self.space), unlocked(self.space, self.key):
            nodes = MemoryNode.objects.for_space(self.space).order_by("id")
            fields = [f.attname for f in MemoryNode._meta.concrete_fields if f.attname not in left_out]
            return {
                "nodes": [[row.content, *(getattr(row, name) for name in fields)] for row in nodes],
                "edges": [
                    (e.source_id, e.target_id, e.type, e.weight, e.formed_at)
                    for e in MemoryEdge.objects.for_space(self.space).order_by(
                        "source_id", "target_id", "type"
                    )
                ],
                "vectors": [
                    (v.node_id, v.vector.tolist())
                    for v in MemoryVector.objects.for_space(self.space).order_by("id")
                ],
                "sources": [
                    (s.node_id, s.source_id, s.start, s.end, s.speaker)
                    for s in MemorySource.objects.for_space(self.space).order_by("id")
                ],
            }

    def hash(self) -> str:
        with space_scope(self.space):
            return integrity_hash(self.space)


def doubt(space: UUID, earlier: UUID, later: UUID, **given) -> Contradiction:
    """Leave an open contradiction between two memories."""
    found = {"found_by": "values", "strategy": "manual", "found_at": NOW, **given}
    with space_scope(space):
        return Contradiction.objects.create(space_id=space, earlier_id=earlier, later_id=later, **found)


def dense(count: int, weight: float = 0.9) -> list[tuple[int, int, str, float]]:
    """Return edges between all statements of a message."""
    return [(row, other, "RELATES_TO", weight) for row in range(count) for other in range(row + 1, count)]


def slept(ada: Kept, nodes: Sequence[UUID]) -> None:
    ada.set(nodes, slept_over_at=NOW + timedelta(hours=10))


def busy_memory(ada: Kept) -> dict[str, list]:
    """Say things that are pruned and merged, with edges to and fro; return how all of it was stored."""
    first = ada.say(MORNING, edges=dense(3))
    second = ada.say(EVENING, edges=dense(3, 0.7))
    (faint,) = ada.say(["I saw a heron by the lake"])
    ada.join(first[0], second[1], 0.45)
    ada.join(first[2], second[1], 0.4)
    ada.join(faint, first[1], 0.8, "EVOKES")
    ada.join(second[0], faint, 0.3)
    slept(ada, [faint])
    with space_scope(ada.space):
        refresh_strength(ada.space, [*first, *second, faint])
    return ada.look()
