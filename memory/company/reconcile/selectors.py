"""What a company's memory holds, read for comparing something new with it.

A summary is compared by the facts that it was made of: a sentence that says five things is neither the same as one of
them nor contradicted by one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np
from django.db.models import Q

from companion_site.embeddings.protocol import Embedder
from companion_site.vault.scope import space_scope
from memory.company.facts import HeldFact, NewFact
from memory.company.store import VOUCHED, embed_missing, read_vectors
from memory.models import CompanyEvent, CompanyFact

_REASON = CompanyFact.Reason
#: How a fact that stands for others came about.
SUMMARIES = (CompanyFact.Origin.SUMMARY, CompanyFact.Origin.ANNUAL)
#: Why a fact became part of a summary.
INTO_SUMMARY = (_REASON.SUMMARISED, _REASON.ANNUAL)


@dataclass(frozen=True, kw_only=True)
class Past:
    """A fact that is not believed any more.

    Attributes:
        successor: what took its place.
        why: what that makes of something that says the same and comes in late.
        replaced_at: when the successor was vouched for.
    """

    fact: HeldFact
    successor: UUID
    why: CompanyFact.Reason
    replaced_at: datetime


@dataclass(frozen=True, kw_only=True)
class Holding:
    """A space's facts at one moment, as plain data.

    Attributes:
        active: believed; the parts of a summary instead of it.
        expired: not replaced, and expired.
        past: replaced by something that was said later than the earliest of the new ones.
        rows: the ids of all rows that nothing replaced.
        row_of: of each part of a summary, the summary.
        by_words: of each fingerprint that stands, the fact that has it; of a summary's own, one of its parts.
        vectors: of facts that have none under this model yet.
    """

    active: Sequence[HeldFact]
    expired: Sequence[HeldFact]
    past: Sequence[Past]
    rows: Sequence[UUID]
    row_of: dict[UUID, UUID]
    by_words: dict[str, UUID]
    vectors: dict[UUID, np.ndarray] = field(default_factory=dict)


def unheard(space: UUID, facts: Sequence[NewFact]) -> list[NewFact]:
    """Return the facts of messages from which none was taken in before: of each all facts are written, or none.

    So reading one twice adds nothing, however it is worded then.
    """
    messages = {fact.message for fact in facts if fact.message is not None}
    with space_scope(space):
        events = CompanyEvent.objects.for_space(space).filter(source_message_id__in=messages)
        heard = set(events.values_list("source_message_id", flat=True))
    return [fact for fact in facts if fact.message not in heard]


def read_holding(space: UUID, *, since: datetime, embedder: Embedder, now: datetime) -> Holding:
    """Read what something said at `since` or later has to be compared with; embeds what has no vector yet.

    Of what was replaced only what gave way to something that somebody vouched for after `since`: mostly nothing.
    """
    undone = Q(superseded_reason=_REASON.UNDONE, superseded_at__gt=since)
    with space_scope(space):
        rows = CompanyFact.objects.for_space(space).order_by("id")
        standing = list(rows.filter(superseded_by__isnull=True))
        told = told_by(space, standing)
        replaced = rows.filter(Q(superseded_by__said_at__gt=since) | undone).select_related("superseded_by")
        past = list(replaced)
        parts = [part for said in told.values() for part in said]
        everything = list({fact.pk: fact for fact in (*standing, *parts, *past)}.values())
        vectors = read_vectors(space, [fact.pk for fact in everything], model=embedder.model)
    new = embed_missing(everything, vectors, embedder)
    vectors |= new
    row_of = {part.pk: row for row, said in told.items() for part in said if part.pk != row}
    by_words = {part.fingerprint: part.pk for part in parts}
    active: list[HeldFact] = []
    expired: list[HeldFact] = []
    for fact in standing:
        said = told[fact.pk] or [fact]
        believed = fact.expires_at is None or fact.expires_at > now
        (active if believed else expired).extend(_held(one, vectors) for one in said)
        by_words[fact.fingerprint] = said[0].pk
    return Holding(
        active=active,
        expired=expired,
        past=[
            Past(
                fact=_held(fact, vectors),
                successor=fact.superseded_by.pk,
                why=_REASON.RESOLVED if fact.superseded_reason == _REASON.RESOLVED else _REASON.CONTRADICTED,
                replaced_at=standing_since(fact.superseded_by),
            )
            for fact in past
            if fact.pk not in row_of and fact.superseded_by is not None
        ],
        rows=[fact.pk for fact in standing],
        row_of=row_of,
        by_words=by_words,
        vectors=new,
    )


def told_by(space: UUID, rows: Iterable[CompanyFact]) -> dict[UUID, list[CompanyFact]]:
    """Return the facts that each row says: of a summary its parts, through summaries of summaries, else the row itself.

    Inside the space's scope.
    """
    told: dict[UUID, list[CompanyFact]] = {}
    whole: dict[UUID, UUID] = {}
    for row in rows:
        told[row.pk] = [] if is_summary(row) else [row]
        if is_summary(row):
            whole[row.pk] = row.pk
    level = list(whole)
    while level:
        into = CompanyFact.objects.for_space(space).filter(superseded_reason__in=INTO_SUMMARY)
        found = into.filter(superseded_by__in=level).order_by("id")
        level = []
        for fact in found:
            whole[fact.pk] = whole[fact.superseded_by_id]
            if is_summary(fact):
                level.append(fact.pk)
            else:
                told[whole[fact.pk]].append(fact)
    return told


def is_summary(fact: CompanyFact) -> bool:
    return fact.origin in SUMMARIES


def standing_since(fact: CompanyFact) -> datetime:
    """Return when a fact was last vouched for by somebody: said, said again, or brought back or kept by hand."""
    vouched = fact.metadata.get(VOUCHED)
    moments = [fact.said_at, fact.reviewed_at, datetime.fromisoformat(vouched) if vouched else None]
    return max(moment for moment in moments if moment is not None)


def _held(fact: CompanyFact, vectors: dict[UUID, np.ndarray]) -> HeldFact:
    return HeldFact(
        id=fact.pk,
        category=fact.category,
        content=fact.content,
        said_at=standing_since(fact),
        vector=vectors[fact.pk],
    )
