"""One space to another embedding model: read a batch, embed it, write it, and drop the old vectors at the end.

Reading and writing are short transactions, embedding is in neither, and between two batches the machine is others'.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np
import structlog
from django.db import connection

from companion_site.audit.services import record_event
from companion_site.embeddings.errors import EmbeddingsRejected
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.reembedding.tables import VectorTable, table_of

logger = structlog.get_logger(__name__)

#: A kill loses one batch; half a second of the bundled model.
BATCH = 32
#: A job works so long at most and queues the next one, behind what others wait for.
SECONDS = 45.0
#: After each batch a pause of so many times what it took, so that a turn's own embedding finds room.
PAUSE_SHARE = 0.5
PAUSE_MOST_S = 2.0
#: A service that takes none of the first so many texts is not asked for the others.
MOST_REFUSED = 2 * BATCH


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How hard a run works.

    Attributes:
        seconds: after which it stops at the end of a batch; None: when it is done.
        tell: called after each batch with how many items were embedded in it.
    """

    seconds: float | None = SECONDS
    batch: int = BATCH
    sleep: Callable[[float], None] = time.sleep
    tell: Callable[[int], None] = field(default=lambda count: None)


PACE = Pace()


def reembed(space: UUID, *, key: SpaceKey, now: datetime, pace: Pace | None = None) -> bool:
    """Bring a space closer to this site's embedding model; return whether there is nothing left to do now.

    Safe to run twice and by several at once: the second leaves the space to the first. What the embedding service refuses
    to take stays with its words and keeps the old vectors where they are; the next run tries again.

    Raises:
        EmbeddingError: there are no vectors to be had; what was embedded before stays.
    """
    embedder = get_embedder()
    with unlocked(space, key), _alone(space) as alone:
        if not alone:
            return True
        return _Run(space, embedder, now, pace or PACE).carry_out()


@dataclass
class _Run:
    space: UUID
    embedder: Embedder
    now: datetime
    pace: Pace
    refused: set[UUID] = field(default_factory=set)
    taken: int = 0

    def carry_out(self) -> bool:
        end = None if self.pace.seconds is None else time.monotonic() + self.pace.seconds
        while True:
            began = time.monotonic()
            batch = self._read()
            if batch is None:
                self._cross_over()
                return True
            table, texts = batch
            vectors = self._embed(texts)
            self.taken += len(vectors)
            self.pace.tell(self._write(table, texts, vectors))
            took = time.monotonic() - began
            is_over = end is not None and time.monotonic() >= end
            if not self.taken and (is_over or len(self.refused) >= MOST_REFUSED):
                # The next job would begin with the same texts, and so without end.
                logger.warning("memory.reembedding_refused_all", space=str(self.space))
                return True
            if is_over:
                return False
            self.pace.sleep(min(took * PAUSE_SHARE, PAUSE_MOST_S))

    def _read(self) -> tuple[VectorTable, dict[UUID, str]] | None:
        """Return the next items and their texts; None where nothing is left that the embedder takes."""
        with space_scope(self.space, reading=True):
            table = table_of(self.space)
            if table is None:
                return None
            rows = table.lacking(self.space, self.embedder.model).exclude(pk__in=self.refused)
            texts = {row.pk: table.text(row) or "" for row in rows.order_by(*table.order)[: self.pace.batch]}
        return (table, texts) if texts else None

    def _embed(self, texts: dict[UUID, str]) -> dict[UUID, np.ndarray]:
        """Return the vector of each; what the service will not take is left out and noted."""
        try:
            return dict(zip(texts, self.embedder.embed(list(texts.values())), strict=True))
        except EmbeddingsRejected as error:
            if not error.is_about_texts:
                raise
            if len(texts) == 1:
                self.refused |= texts.keys()
                logger.warning("memory.reembedding_refused", space=str(self.space), items=[*map(str, texts)])
                return {}
        ids = list(texts)
        halves = ids[: len(ids) // 2], ids[len(ids) // 2 :]
        first, second = (self._embed({item: texts[item] for item in half}) for half in halves)
        return first | second

    def _write(self, table: VectorTable, texts: dict[UUID, str], vectors: dict[UUID, np.ndarray]) -> int:
        """Keep the vectors of what still says what was embedded; return how many there are."""
        with write_scope(self.space):
            rows = table.lacking(self.space, self.embedder.model).filter(pk__in=vectors)
            same = [row.pk for row in rows if (table.text(row) or "") == texts[row.pk]]
            made = [table.row(self.space, item, self.embedder.model, vectors[item]) for item in same]
            table.vectors(self.space).bulk_create(made)
            if same and table.versioned:
                # Copies in memory read these items again.
                table.items(self.space).filter(pk__in=same).update(version=bump_version(self.space))
        return len(same)

    def _cross_over(self) -> None:
        """Drop the other models' vectors, once everything of the space has one of this model."""
        model = self.embedder.model
        with write_scope(self.space):
            table = table_of(self.space)
            if table is None or table.lacking(self.space, model).exists():
                return
            dropped, _ = table.foreign(self.space, model).delete()
            if not dropped:
                return
            record_event(
                "memory.reembedded", chain=self.space, data={"vectors_dropped": dropped}, now=self.now
            )
        logger.info("memory.reembedded", space=str(self.space), dropped=dropped)


@contextmanager
def _alone(space: UUID) -> Iterator[bool]:
    """Say whether nobody else embeds this space anew; a killed worker's claim goes with its connection."""
    name = f"reembedding:{space}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [name])
        alone = bool(cursor.fetchone()[0])
    try:
        yield alone
    finally:
        if alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [name])
