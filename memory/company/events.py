"""What happened to a company's facts, one row each, written beside every change; and the memory told from these alone.

The rows are the auditor's second source: `replay` looks at nothing else, and `FactQuerySet.believed_at` looks at
everything else. Both give the same answer for every moment.
"""

from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.vault.scope import space_scope
from memory.company.confidence import later_expiry
from memory.models import CompanyEvent, CompanyFact

_KIND = CompanyEvent.Kind


def note_believed(fact: CompanyFact, *, actor: models.Model | None = None) -> CompanyEvent:
    return _note(
        fact,
        _KIND.BELIEVED,
        at=fact.created_at,
        actor=actor,
        other_id=fact.restores_id,
        confidence=fact.confidence,
        expires_at=fact.expires_at,
        source_message_id=fact.source_message_id,
    )


def note_confirmed(fact: CompanyFact, *, at: datetime, message: UUID | None = None) -> CompanyEvent:
    return _note(
        fact,
        _KIND.CONFIRMED,
        at=at,
        confidence=fact.confidence,
        expires_at=fact.expires_at,
        source_message_id=message,
    )


def note_superseded(fact: CompanyFact, *, actor: models.Model | None = None) -> CompanyEvent:
    return _note(
        fact,
        _KIND.SUPERSEDED,
        at=fact.superseded_at,
        actor=actor,
        reason=fact.superseded_reason,
        other_id=fact.superseded_by_id,
    )


def note_flagged(fact: CompanyFact, *, at: datetime, against: UUID) -> CompanyEvent:
    return _note(fact, _KIND.FLAGGED, at=at, other_id=against)


def note_reviewed(fact: CompanyFact, *, at: datetime, actor: models.Model, kept: bool) -> CompanyEvent:
    return _note(fact, _KIND.REVIEWED, at=at, actor=actor, reason="kept" if kept else "undone")


def note_doubted(fact: CompanyFact, *, at: datetime) -> CompanyEvent:
    return _note(fact, _KIND.DOUBTED, at=at, other_id=fact.doubted_by_id, since=fact.doubted_since)


def note_cleared(
    fact: CompanyFact, *, at: datetime, why: CompanyEvent.Cleared, actor: models.Model | None = None
) -> CompanyEvent:
    return _note(fact, _KIND.CLEARED, at=at, actor=actor, reason=str(why))


def replay(space: UUID, at: datetime) -> set[UUID]:
    """Return the ids of the facts that were believed at `at`, told from the events up to then and from nothing else.

    The order in which events lie does not matter: a clock that was set back cannot change the answer.
    """
    ends: dict[UUID, datetime | None] = {}
    begun, over = set(), set()
    with space_scope(space):
        events = CompanyEvent.objects.for_space(space).filter(at__lte=at)
        for fact, kind, expires_at in events.values_list("fact_id", "kind", "expires_at"):
            if kind == _KIND.BELIEVED:
                begun.add(fact)
            elif kind == _KIND.SUPERSEDED:
                over.add(fact)
            if kind in (_KIND.BELIEVED, _KIND.CONFIRMED):
                ends[fact] = later_expiry(ends[fact], expires_at) if fact in ends else expires_at
    return {fact for fact in begun - over if not _has_expired(ends[fact], at)}


def _has_expired(expires_at: datetime | None, at: datetime) -> bool:
    return expires_at is not None and expires_at <= at


def _note(fact: CompanyFact, kind: str, *, actor: models.Model | None = None, **values) -> CompanyEvent:
    actor_id = actor.pk if actor is not None else None
    return CompanyEvent.objects.create(
        space_id=fact.space_id, fact_id=fact.pk, kind=kind, actor_id=actor_id, **values
    )
