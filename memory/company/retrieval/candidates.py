"""The facts that may go before a message, as they are read for it: of a summary its parts, each with who said it and its vector."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from pgvector.django import CosineDistance

from companion_site.accounts.models import Person
from memory.company.reconcile.selectors import told_by
from memory.company.store import read_vectors
from memory.models import CompanyFact, CompanyFactVector

#: Facts looked at for one message. Compression keeps some thirty; an unusual store costs a bounded time.
MOST_READ = 1_000
#: Of those so many, the nearest, are judged.
MOST_JUDGED = 40
#: Of what was so before so many are read, the last replaced.
MOST_FORMER = 40

#: What a request asks for of a fact; whole rows take twice the time.
_COLUMNS = (
    "category", "origin", "content", "language", "confidence", "confirmed_at", "said_at", "doubted_since", "doubted_by_id",
    "said_by_id", "superseded_by_id",
)  # fmt: skip

Floats = NDArray[np.float32]


class FormerFact(NamedTuple):
    """A fact that another took the place of, and when."""

    id: UUID
    content: str
    said_at: datetime
    until: datetime


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """The facts nearest to a message, n of them.

    Attributes:
        stands: the row by which each is believed: its own, or that of the summary that it is a part of.
        names: who said each, "" where that is not known.
        cosines: (n,) with the message; nan where a fact has no vector yet, or the message none.
        vectors: (n, d); zeros where a fact has none yet.
    """

    facts: Sequence[CompanyFact]
    stands: Sequence[UUID]
    names: Sequence[str]
    cosines: NDArray[np.float64]
    vectors: Floats


def find_candidates(space: UUID, vector: Floats, *, model: str, now: datetime) -> Candidates:
    """Return the facts nearest to a message, those without a vector among them; inside the space's scope.

    Args:
        vector: (d,) the message's, unit length; zeros where it could not be made.
    """
    believed = read_facts(space, now=now)
    cosines = _read_cosines(space, [fact for fact, _ in believed], vector, model)
    nearest = np.argsort(-np.nan_to_num(cosines, nan=1.0), kind="stable")[:MOST_JUDGED]
    chosen = [believed[row][0] for row in nearest]
    return Candidates(
        facts=chosen,
        stands=[believed[row][1] for row in nearest],
        names=_read_names(chosen),
        cosines=cosines[nearest],
        vectors=_read_vectors(space, chosen, vector, model),
    )


def read_facts(space: UUID, *, now: datetime) -> list[tuple[CompanyFact, UUID]]:
    """Return what is believed, newest first within each category, then the parts of summaries; inside the space's scope.

    Each with the row by which it is believed: its own, or that of the summary that it is a part of.
    """
    standing = CompanyFact.objects.for_space(space).active(now).in_reading_order()
    told = told_by(space, standing.only(*_COLUMNS)[:MOST_READ], only=_COLUMNS)
    found = [(fact, row) for row, said in told.items() for fact in said]
    return sorted(found, key=lambda one: one[0].pk != one[1])[:MOST_READ]


def read_former(space: UUID) -> list[FormerFact]:
    """Return what was so before, the last replaced first; inside the space's scope.

    Not what was only said again, taken into a summary or undone.
    """
    changed = (CompanyFact.Reason.CONTRADICTED, CompanyFact.Reason.OUTDATED, CompanyFact.Reason.RESOLVED)
    rows = CompanyFact.objects.for_space(space).filter(superseded_reason__in=changed)
    found = rows.order_by("-superseded_at", "-id").values_list("pk", "content", "said_at", "superseded_at")
    return [FormerFact._make(row) for row in found[:MOST_FORMER]]


def _read_cosines(
    space: UUID, facts: Sequence[CompanyFact], vector: Floats, model: str
) -> NDArray[np.float64]:
    if not vector.any():
        return np.full(len(facts), np.nan)
    kept = CompanyFactVector.objects.for_space(space).filter(
        model=model, fact_id__in=[fact.pk for fact in facts]
    )
    distances = dict(kept.values_list("fact_id", CosineDistance("embedding", vector.tolist())))
    return 1.0 - np.array([distances.get(fact.pk, np.nan) for fact in facts], dtype=np.float64)


def _read_vectors(space: UUID, facts: Sequence[CompanyFact], like: Floats, model: str) -> Floats:
    found = read_vectors(space, [fact.pk for fact in facts], model=model)
    none = np.zeros(len(like), np.float32)
    return np.array([found.get(fact.pk, none) for fact in facts], np.float32).reshape(len(facts), len(like))


def _read_names(facts: Sequence[CompanyFact]) -> list[str]:
    people = {fact.said_by_id for fact in facts if fact.said_by_id is not None}
    names = dict(Person.objects.filter(pk__in=people).values_list("pk", "display_name"))
    return [names.get(fact.said_by_id, "") if fact.said_by_id else "" for fact in facts]
