"""What compression reads: the facts that are believed, each with what it is made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np

from companion_site.embeddings.protocol import Embedder
from companion_site.vault.scope import space_scope
from memory.company.reconcile.selectors import INTO_SUMMARY, told_by
from memory.company.store import read_vectors
from memory.models import CompanyFact


@dataclass(frozen=True, kw_only=True)
class Whole:
    """A fact that is believed, and its parts in the order they were said; a plain fact is its own only part.

    Attributes:
        is_taken_out: that somebody took it out of a summary by hand.
    """

    fact: CompanyFact
    parts: tuple[CompanyFact, ...]
    is_taken_out: bool = False


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """What a company's memory believes at one moment.

    Attributes:
        vectors: id of a part → (d,) float32 of unit length.
    """

    now: datetime
    wholes: Sequence[Whole]
    vectors: Mapping[UUID, np.ndarray]


def read_snapshot(space: UUID, *, embedder: Embedder, now: datetime) -> Snapshot:
    """Read what is believed at `now`; parts that have no vector of this model are embedded, outside the transaction."""
    with space_scope(space):
        rows = CompanyFact.objects.for_space(space).active(now).order_by("said_at", "id")
        wholes = [read_whole(space, row) for row in rows]
        parts = [part for whole in wholes for part in whole.parts]
        vectors = read_vectors(space, [part.pk for part in parts], model=embedder.model)
    missing = [part for part in parts if part.pk not in vectors]
    found = embedder.embed([part.content for part in missing])
    vectors.update((part.pk, vector) for part, vector in zip(missing, found, strict=True))
    return Snapshot(now=now, wholes=wholes, vectors=vectors)


def read_whole(space: UUID, row: CompanyFact) -> Whole:
    """Return a fact with its parts. Inside the space's scope."""
    return Whole(fact=row, parts=in_order(told_by(space, [row])[row.pk]), is_taken_out=_was_taken_out(row))


def in_order(parts: Iterable[CompanyFact]) -> tuple[CompanyFact, ...]:
    """Return parts in the order they were said."""
    return tuple(sorted(parts, key=lambda part: (part.said_at, part.pk)))


def _was_taken_out(fact: CompanyFact) -> bool:
    """Tell whether somebody took a fact out of a summary by undoing that. Inside the space's scope.

    What stands by itself again because another part of its summary was contradicted is none of these.
    """
    if fact.origin != CompanyFact.Origin.RESTORED:
        return False
    row = fact.restores
    while row is not None and row.superseded_reason in INTO_SUMMARY:
        row = row.superseded_by
        if row is not None and row.superseded_reason == CompanyFact.Reason.UNDONE:
            return True
    return False
