"""Re-confirmation: what is said again, or used because it bears on what was said, is believed more surely and longer."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.company.confidence import boosted_confidence, present_confidence, renewed_expiry
from memory.company.store import note_event
from memory.models import CompanyEvent, CompanyFact

#: Use confirms a fact once in this time: twenty questions about one thing in a row make it no surer than one does.
BETWEEN_USES = timedelta(days=1)


def confirm(space: UUID, fact_ids: Iterable[UUID], *, now: datetime) -> list[UUID]:
    """Confirm the facts that were put into a reply and bear on what the person said; return those that were.

    What is not believed at `now` is left alone, and so is what was confirmed less than a day ago.
    """
    wanted = list(fact_ids)
    with space_scope(space):
        if not _used(space, wanted, now=now):
            return []
        lock_space(space)
        used = _used(space, wanted, now=now)
        for fact in used:
            confirm_row(fact, now=now)
        if used:
            bump_version(space)
    return [fact.pk for fact in used]


def confirm_row(
    fact: CompanyFact, *, now: datetime, said_at: datetime | None = None, message: UUID | None = None
) -> bool:
    """Confirm one fact under the space's lock; return whether that changed anything.

    Args:
        fact: as it is now; one that has expired, or was confirmed by the same message before, stays as it is.
        said_at: when the fact was said again, from which it lives on; None: it was used now.
    """
    if fact.superseded_by_id is not None or (fact.expires_at is not None and fact.expires_at <= now):
        return False
    if message is not None and fact.events.filter(source_message_id=message).exists():
        return False
    moment = max(fact.confirmed_at, said_at or now)
    present = present_confidence(fact.confidence, fact.confirmed_at, moment, fact.category)
    fact.confidence, fact.confirmed_at = boosted_confidence(present), moment
    fact.confirmations += 1
    fact.expires_at = renewed_expiry(fact.expires_at, fact.category, since=said_at or now)
    fact.save(update_fields=["confidence", "confirmed_at", "confirmations", "expires_at"])
    note_event(
        fact,
        CompanyEvent.Kind.CONFIRMED,
        at=now,
        confidence=fact.confidence,
        expires_at=fact.expires_at,
        source_message_id=message,
    )
    return True


def _used(space: UUID, fact_ids: Sequence[UUID], *, now: datetime) -> list[CompanyFact]:
    """Return the facts that using them now confirms."""
    facts = CompanyFact.objects.for_space(space).active(now).filter(pk__in=fact_ids)
    return list(facts.filter(Q(confirmations=0) | Q(confirmed_at__lte=now - BETWEEN_USES)).order_by("id"))
