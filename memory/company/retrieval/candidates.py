"""The facts that may go before a message, as they are read for it: of a summary its parts, each with who said it and its vector."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import numpy as np
from django.db.models import Value
from django.db.models.functions import Coalesce
from numpy.typing import NDArray
from pgvector.django import CosineDistance

from memory.company.reconcile.selectors import INTO_SUMMARY, SUMMARIES
from memory.company.store import read_vectors
from memory.models import CompanyFact, CompanyFactVector

#: Facts looked at for one message. Compression keeps some thirty; an unusual store costs a bounded time.
MOST_READ = 1_000
#: Of those so many, the nearest, are judged.
MOST_JUDGED = 40
#: Of what was so before so many are read, the last replaced.
MOST_FORMER = 40

Floats = NDArray[np.float32]
_NAME = Coalesce("said_by__display_name", Value(""))


class ReadFact(NamedTuple):
    """The columns of a fact that a request asks for; whole rows take twice the time.

    `stands` is the row by which it is believed: its own, or that of the summary that it is a part of; `doubted_by` what was
    said later, at `doubted_since`, and probably takes its place; `name` of who said it, "" where that is not known.
    """

    pk: UUID
    category: str
    content: str
    language: str
    confidence: float
    confirmed_at: datetime
    said_at: datetime
    doubted_since: datetime | None
    doubted_by: UUID | None
    said_by: UUID | None
    name: str
    stands: UUID


class FormerFact(NamedTuple):
    """A fact that another took the place of, and when; `name` of who said it, "" where that is not known."""

    id: UUID
    content: str
    said_at: datetime
    said_by: UUID | None
    name: str
    until: datetime


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """The facts nearest to a message, n of them.

    Attributes:
        cosines: (n,) with the message; nan where a fact has no vector yet, or the message none.
        vectors: (n, d); zeros where a fact has none yet.
    """

    facts: Sequence[ReadFact]
    cosines: NDArray[np.float64]
    vectors: Floats

    @property
    def known(self) -> dict[str, Floats]:
        """The vectors that facts have, by what these say."""
        return {
            fact.content: vector
            for fact, vector in zip(self.facts, self.vectors, strict=True)
            if vector.any()
        }


def find_candidates(space: UUID, vector: Floats, *, model: str, now: datetime) -> Candidates:
    """Return the facts nearest to a message, those without a vector among them; inside the space's scope.

    Args:
        vector: (d,) the message's, unit length; zeros where it could not be made.
    """
    facts = read_believed(space, now=now)
    cosines = np.full(len(facts), np.nan)
    if vector.any():
        kept = CompanyFactVector.objects.for_space(space)
        kept = kept.filter(model=model, fact_id__in=[fact.pk for fact in facts])
        far = dict(kept.values_list("fact_id", CosineDistance("embedding", vector.tolist())))
        cosines = 1.0 - np.array([far.get(fact.pk, np.nan) for fact in facts], np.float64)
    nearest = np.argsort(-np.nan_to_num(cosines, nan=1.0), kind="stable")[:MOST_JUDGED]
    chosen = [facts[row] for row in nearest]
    known, none = read_vectors(space, [fact.pk for fact in chosen], model=model), np.zeros(len(vector))
    vectors = np.array([known.get(fact.pk, none) for fact in chosen], np.float32)
    return Candidates(
        facts=chosen, cosines=cosines[nearest], vectors=vectors.reshape(len(chosen), len(vector))
    )


def read_believed(space: UUID, *, now: datetime) -> list[ReadFact]:
    """Return what is believed, newest first within each category, of summaries their parts; inside the space's scope."""
    columns = (*ReadFact._fields[:-4], "doubted_by_id", "said_by_id", _NAME)
    rows = CompanyFact.objects.for_space(space)
    standing = rows.active(now).in_reading_order().values_list("origin", *columns)[:MOST_READ]
    found, level = [], {}
    for origin, *values in standing:
        if origin in SUMMARIES:
            level[values[0]] = values[0]
        else:
            found.append(ReadFact._make((*values, values[0])))
    # A summary may stand for summaries.
    while level and len(found) < MOST_READ:
        parts = rows.filter(superseded_by__in=level, superseded_reason__in=INTO_SUMMARY).in_reading_order()
        below = {}
        for origin, whole, *values in parts.values_list("origin", "superseded_by_id", *columns):
            if origin in SUMMARIES:
                below[values[0]] = level[whole]
            else:
                found.append(ReadFact._make((*values, level[whole])))
        level = below
    return found[:MOST_READ]


def read_former(space: UUID) -> list[FormerFact]:
    """Return what was so before, the last replaced first; inside the space's scope.

    Not what was only said again, taken into a summary or undone.
    """
    changed = (CompanyFact.Reason.CONTRADICTED, CompanyFact.Reason.OUTDATED, CompanyFact.Reason.RESOLVED)
    rows = CompanyFact.objects.for_space(space).filter(superseded_reason__in=changed)
    columns = ("pk", "content", "said_at", "said_by_id", _NAME, "superseded_at")
    found = rows.order_by("-superseded_at", "-id").values_list(*columns)
    return [FormerFact._make(row) for row in found[:MOST_FORMER]]
