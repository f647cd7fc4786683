"""A person's word on a fact in doubt: it holds, or it is out of date and gives way to what was said later."""

from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.errors import NotFound
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.company.errors import NotInDoubt
from memory.company.store import end_doubt, supersede, vouch
from memory.models import CompanyEvent, CompanyFact

_CLEARED = CompanyEvent.Cleared


def settle_doubt(
    space: UUID, fact_id: UUID, *, actor: models.Model, holds: bool, now: datetime
) -> CompanyFact:
    """Decide about a fact in doubt; return it as it is now.

    What is said to hold is vouched for: what was said before that puts it in doubt no more. What is said to be out of date gives
    way to what put it in doubt; undoing that lets both stand.

    Raises:
        NotFound: the space has no such fact.
        NotInDoubt: it is not in doubt any more, or something has replaced it.
    """
    with space_scope(space):
        lock_space(space)
        fact = CompanyFact.objects.for_space(space).select_related("doubted_by").filter(pk=fact_id).first()
        if fact is None:
            raise NotFound()
        if fact.doubted_by is None or fact.superseded_by_id is not None:
            raise NotInDoubt()
        if holds:
            vouch(fact, at=now)
            end_doubt(fact, why=_CLEARED.HOLDS, at=now, actor=actor)
        else:
            supersede(fact, by=fact.doubted_by, reason=CompanyFact.Reason.OUTDATED, at=now, actor=actor)
        bump_version(space)
    return fact


def take_back_doubts(doubting: CompanyFact, *, at: datetime, actor: models.Model) -> None:
    """Let nothing be in doubt because of a fact that was taken back. The caller holds the space's lock."""
    for fact in doubting.doubts.order_by("id"):
        end_doubt(fact, why=_CLEARED.TAKEN_BACK, at=at, actor=actor)
