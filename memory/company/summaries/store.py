"""Writing summaries: each a new row that its members give way to, if all of them still stand as they were read."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

import numpy as np

from memory.company.confidence import later_expiry, present_confidence
from memory.company.facts import fingerprint
from memory.company.reconcile.restoration import says_again
from memory.company.store import insert_fact
from memory.company.summaries.text import Written
from memory.models import CompanyFact

_ORIGIN = CompanyFact.Origin
_REASON = CompanyFact.Reason


def find_unchanged(space: UUID, read: Iterable[CompanyFact], *, now: datetime) -> dict[UUID, CompanyFact]:
    """Return the facts that still stand exactly as they were read, as they are now."""
    before = {fact.pk: _state(fact) for fact in read}
    rows = CompanyFact.objects.for_space(space).active(now).filter(pk__in=before)
    return {row.pk: row for row in rows if _state(row) == before[row.pk]}


def store_summary(
    space: UUID,
    written: Written,
    members: Sequence[CompanyFact],
    *,
    vector: np.ndarray,
    model: str,
    now: datetime,
) -> CompanyFact | None:
    """Write one summary, and let its members give way to it; None where another fact has the same words already.

    Runs inside the space's scope, with its lock held.

    Args:
        members: unchanged since they were read.
    """
    annual = written.planned.year is not None
    standing = sorted(members, key=lambda row: (row.said_at, row.pk))
    row = _make_row(space, written, standing, now=now)
    if says_again(row) not in (None, *standing):
        return None
    return insert_fact(
        row,
        vectors={model: vector},
        at=now,
        replaces=[(row, _REASON.ANNUAL if annual else _REASON.SUMMARISED) for row in standing],
    )


def _state(fact: CompanyFact) -> tuple[object, ...]:
    """Return what confirming, flagging, reviewing and doubting change of a fact that stands."""
    reviewed = fact.flagged_at, fact.reviewed_at, fact.doubted_by_id, fact.doubted_since
    return fact.confirmed_at, fact.confidence, fact.expires_at, *reviewed


def _make_row(space: UUID, written: Written, members: Sequence[CompanyFact], *, now: datetime) -> CompanyFact:
    """Return the row, as sure as its least sure member and in place for as long as the last of them."""
    least_sure = min(members, key=lambda row: (_present(row, now), row.confirmed_at))
    expires_at = members[0].expires_at
    for member in members:
        expires_at = later_expiry(expires_at, member.expires_at)
    newest = members[-1]
    return CompanyFact(
        space_id=space,
        category=newest.category,
        origin=_ORIGIN.ANNUAL if written.planned.year is not None else _ORIGIN.SUMMARY,
        content=written.text,
        fingerprint=fingerprint(written.text),
        language=_most_common(part.language for part in written.planned.parts),
        confidence=least_sure.confidence,
        confirmed_at=least_sure.confirmed_at,
        confirmations=least_sure.confirmations,
        expires_at=expires_at,
        said_by_id=_shared(member.said_by_id for member in members),
        said_at=newest.said_at,
        source_conversation_id=_shared(member.source_conversation_id for member in members),
        metadata=_metadata(written, members),
    )


def _present(fact: CompanyFact, now: datetime) -> float:
    return present_confidence(fact.confidence, fact.confirmed_at, now, fact.category)


def _metadata(written: Written, members: Sequence[CompanyFact]) -> dict:
    found = {"members": [str(member.pk) for member in members], "by_model": written.by_model}
    return found if written.planned.year is None else {**found, "year": written.planned.year}


def _most_common(languages: Iterable[str]) -> str:
    found = list(languages)
    return max(sorted(set(found)), key=found.count)


def _shared(values: Iterable[UUID | None]) -> UUID | None:
    """Return what is the same of all members; None where they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None
