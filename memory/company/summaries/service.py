"""One compression of a company's memory, from beginning to end: read, think, write.

Reading and writing are short transactions; a model is asked in neither. All summaries are written together with the
record of the compression, or nothing is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
import structlog

from companion_site.audit.services import record_event
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.company.params import COMPANY, CompanyParams
from memory.company.summaries.due import find_trigger, last_compression
from memory.company.summaries.plan import plan
from memory.company.summaries.selectors import read_snapshot
from memory.company.summaries.store import find_unchanged, store_summary
from memory.company.summaries.text import Written, name_providers, write_summaries
from memory.models import CompanyCompression, CompanyFact

logger = structlog.get_logger(__name__)

#: How often it is thought out anew where the memory changed meanwhile.
MOST_TRIES = 3


def compress(
    space: UUID,
    *,
    now: datetime,
    embedder: Embedder | None = None,
    params: CompanyParams = COMPANY,
    trigger: CompanyCompression.Trigger | None = None,
) -> CompanyCompression | None:
    """Compress a company's memory if that is due; return its record, None where it is not due.

    Synchronous and slow: called from a worker, never inside a transaction.

    Args:
        trigger: compresses for this reason, whether that is due or not.
    """
    work = _Work(space, now, embedder or get_embedder(), params, trigger)
    for _ in range(MOST_TRIES):
        if not work.is_due():
            return None
        done = work.attempt(insist=False)
        if done is not None:
            return done
    # Where others write all the time, what still holds of the last plan is better than nothing.
    return work.attempt(insist=True)


@dataclass
class _Work:
    """One worker's compression of one space."""

    space: UUID
    now: datetime
    embedder: Embedder
    params: CompanyParams
    trigger: CompanyCompression.Trigger | None

    def is_due(self) -> bool:
        with space_scope(self.space):
            return self._why() is not None

    def attempt(self, *, insist: bool) -> CompanyCompression | None:
        """Compress once; None, and nothing is written, where the memory changed meanwhile or it is due no more.

        Args:
            insist: writes those of the summaries whose members still stand.
        """
        snapshot = read_snapshot(self.space, embedder=self.embedder, now=self.now)
        planned = plan(snapshot, calibration=self.embedder.calibration, params=self.params)
        written = write_summaries(planned)
        vectors = self.embedder.embed([one.text for one in written])
        with space_scope(self.space):
            lock_space(self.space)
            trigger = self._why()
            read = [whole.fact for whole in snapshot.wholes]
            unchanged = find_unchanged(self.space, read, now=self.now)
            before = self._count_active()
            if trigger is None or (not insist and not len(unchanged) == len(read) == before):
                return None
            return self._write(written, vectors, unchanged, trigger=trigger, before=before)

    def _write(
        self,
        written: Sequence[Written],
        vectors: np.ndarray,
        unchanged: Mapping[UUID, CompanyFact],
        *,
        trigger: CompanyCompression.Trigger,
        before: int,
    ) -> CompanyCompression:
        """Write the summaries whose members are all unchanged, and the record."""
        pruned, model = self._count_pruned(), self.embedder.model
        stored: list[Written] = []
        for one, vector in zip(written, vectors, strict=True):
            members = [unchanged[fact.pk] for fact in one.planned.facts if fact.pk in unchanged]
            whole = len(members) == len(one.planned.facts)
            if whole and store_summary(self.space, one, members, vector=vector, model=model, now=self.now):
                stored.append(one)
        if stored:
            bump_version(self.space)
        return self._record(stored, trigger=trigger, before=before, pruned=pruned)

    def _record(
        self, stored: Sequence[Written], *, trigger: CompanyCompression.Trigger, before: int, pruned: int
    ) -> CompanyCompression:
        """Write down the compression, also one that found nothing to do: by it the next is due."""
        row = CompanyCompression.objects.create(
            space_id=self.space,
            trigger=trigger,
            at=self.now,
            before=before,
            after=self._count_active(),
            summaries=len(stored),
            provider=name_providers()[:32] if any(one.by_model for one in stored) else "",
        )
        record_event(
            "company.memory_compressed",
            chain=self.space,
            subject=row,
            data={
                "trigger": str(trigger),
                "before": before,
                "after": row.after,
                "summaries": len(stored),
                "annual": sum(one.planned.year is not None for one in stored),
                "pruned": pruned,
            },
            now=self.now,
        )
        if row.after > self.params.most_after:
            logger.warning("company.still_many_facts", space=str(self.space), after=row.after)
        return row

    def _why(self) -> CompanyCompression.Trigger | None:
        return self.trigger or find_trigger(self.space, now=self.now, params=self.params)

    def _count_active(self) -> int:
        return CompanyFact.objects.for_space(self.space).active(self.now).count()

    def _count_pruned(self) -> int:
        """Return how many facts have expired since the last compression, with nothing in their place."""
        rows = CompanyFact.objects.for_space(self.space).filter(
            superseded_by__isnull=True, expires_at__lte=self.now
        )
        last = last_compression(self.space)
        return (rows.filter(expires_at__gt=last.at) if last is not None else rows).count()
