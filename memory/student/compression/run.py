"""A compression from beginning to end: read, think, write.

Reading and writing are two short transactions; thinking is in neither. What was thought out is written only if the
memory is still as it was read. Killed anywhere, a compression has written everything or nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from uuid import UUID

import structlog

from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import space_version
from memory.models import CompressionRun, MemoryEdge, MemoryNode
from memory.student.compression.params import COMPRESSION, SpaceCompressionParams
from memory.student.compression.plan import Plan, think_out
from memory.student.compression.requests import claim
from memory.student.compression.selectors import Snapshot, read_snapshot
from memory.student.compression.store import write_plan
from memory.student.sleep.timing import has_memory_on

FORM = "companion/memory-graph/1"
logger = structlog.get_logger(__name__)

#: Share of a run that has passed when the memory has been read, and when all has been thought out.
READ, THOUGHT = 0.1, 0.8
#: Progress is told in steps of so much.
STEP = 0.05


def integrity_hash(space: UUID) -> str:
    """Return the SHA-256, in hex, of a space's nodes and edges as they are stored. Runs inside the space's scope."""
    digest = sha256(f"{FORM}\n{space.hex}\n".encode())
    nodes = MemoryNode.objects.for_space(space).order_by("id")
    for pk, content, superseded, removed, merged in nodes.values_list(
        "pk", "content_hash", "superseded_at", "removed_at", "merged_into_id"
    ):
        state = "removed" if removed else "superseded" if superseded else "active"
        into = merged.hex if merged else "-"
        digest.update(f"node {pk.hex} {bytes(content).hex()} {state} {into}\n".encode())
    edges = MemoryEdge.objects.for_space(space).order_by("source_id", "target_id", "type")
    for source, target, kind, weight in edges.values_list("source_id", "target_id", "type", "weight"):
        digest.update(f"edge {source.hex} {target.hex} {kind} {float(weight).hex()}\n".encode())
    return digest.hexdigest()


def compress(
    space: UUID,
    run: UUID,
    *,
    key: SpaceKey,
    now: datetime,
    params: SpaceCompressionParams = COMPRESSION,
) -> CompressionRun:
    """Carry out one compression that was asked for, once; return its record.

    A run that somebody else works on, or that has ended, is left alone.

    Raises:
        NotFound: the space has no such run.
    """
    row = claim(space, run, now=now)
    if row is None:
        with space_scope(space):
            return CompressionRun.objects.for_space(space).get(pk=run)
    work = _Work(space, row, now, params)
    try:
        with unlocked(space, key):
            done = any(work.attempt() for _ in range(params.most_tries))
    except Exception:  # raised again; the page is told that it came to nothing
        work.fail()
        raise
    if not done:
        logger.warning("memory.compression_gave_up", run=str(run))
        work.fail()
    return work.run


@dataclass
class _Work:
    """One worker's claim on a run; another that took the run over ends it."""

    space: UUID
    run: CompressionRun
    now: datetime
    params: SpaceCompressionParams

    @cached_property
    def embedder(self) -> Embedder:
        return get_embedder()

    def attempt(self) -> bool:
        """Read, think and write once; return whether it is done, which it is not where the memory changed meanwhile."""
        with space_scope(self.space):
            snapshot = read_snapshot(self.space, model=self.embedder.model, now=self.now)
        self._tell(READ)
        plan = think_out(
            self.space,
            snapshot,
            embedder=self.embedder,
            tell=lambda share: self._tell(READ + (THOUGHT - READ) * share),
            max_nodes=self.params.max_nodes,
        )
        with space_scope(self.space):
            lock_space(self.space)
            if not self._is_mine():
                return True
            if not self._may_write():
                self.fail()
                return True
            if space_version(self.space) != snapshot.version:
                return False
            self._write(snapshot, plan)
        return True

    def fail(self) -> None:
        """Say on the record that it came to nothing."""
        self._end(CompressionRun.State.FAILED)

    def _write(self, snapshot: Snapshot, plan: Plan) -> None:
        write_plan(self.space, self.run, snapshot, plan, now=self.now)
        run = self.run
        run.cycles, run.before, run.after, run.loss = plan.cycles, plan.before, plan.after, plan.loss
        run.integrity_hash = integrity_hash(self.space)
        run.progress = 1.0
        self._end(CompressionRun.State.DONE)
        record_event(
            "memory.compressed",
            chain=self.space,
            subject=run,
            data={
                "trigger": run.trigger,
                "pruned": len(plan.pruned),
                "merged": sum(len(merge.rows) for merge in plan.merges),
                "into": len(plan.merges),
                "before": plan.before,
                "after": plan.after,
                "integrity_hash": run.integrity_hash,
            },
            now=self.now,
        )

    def _end(self, state: CompressionRun.State) -> None:
        with space_scope(self.space):
            if self._is_mine():
                self.run.state, self.run.finished_at = state, self.now
                self.run.save()

    def _may_write(self) -> bool:
        """Tell whether the person wants it: with memory off nothing is compressed but what they ask for by hand."""
        return self.run.trigger == CompressionRun.Trigger.REQUESTED or has_memory_on(self.space)

    def _is_mine(self) -> bool:
        rows = CompressionRun.objects.for_space(self.space).filter(pk=self.run.pk)
        mine = rows.filter(state=CompressionRun.State.RUNNING, started_at=self.run.started_at)
        return mine.exists()

    def _tell(self, share: float) -> None:
        if share < self.run.progress + STEP:
            return
        self.run.progress = share
        with space_scope(self.space):
            CompressionRun.objects.for_space(self.space).filter(
                pk=self.run.pk, started_at=self.run.started_at
            ).update(progress=share)
