"""A person's word on a fact that took the place of what it contradicts: it stays, or what it replaced comes back."""

from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.errors import NotFound
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.company.errors import NothingToReview
from memory.company.reconcile.undo import SAID_AGAIN, mark_reviewed, undo_change
from memory.company.selectors import gave_way_to
from memory.models import CompanyFact

_REASON = CompanyFact.Reason


def review(
    space: UUID, fact_id: UUID, *, actor: models.Model, keep: bool, now: datetime
) -> list[CompanyFact]:
    """Decide about a flagged fact; return what is believed for it: itself, or the rows that were brought back.

    Raises:
        NotFound: the space has no such fact.
        NothingToReview: it is not flagged, or something has replaced it.
        CompanionError: as undoing raises, where it is not kept.
    """
    with space_scope(space):
        lock_space(space)
        fact = CompanyFact.objects.for_space(space).filter(pk=fact_id).first()
        if fact is None:
            raise NotFound()
        if fact.flagged_at is None or fact.superseded_by_id is not None:
            raise NothingToReview()
        if not keep:
            return undo_change(_contradicted_by(fact), actor=actor, now=now)
        mark_reviewed(fact, actor=actor, now=now, kept=True)
        bump_version(space)
        return [fact]


def _contradicted_by(fact: CompanyFact) -> CompanyFact:
    """Return the fact whose place was taken, by this row or by an earlier one that said the same.

    Raises:
        NothingToReview: there is none.
    """
    said, found = [fact.pk], None
    rows = CompanyFact.objects.for_space(fact.space_id)
    while said and found is None:
        replaced = gave_way_to(fact.space_id, said)
        found = replaced.filter(superseded_reason=_REASON.CONTRADICTED).first()
        brought_back = rows.filter(restored_as__in=said)
        said = [
            *replaced.filter(superseded_reason__in=SAID_AGAIN).values_list("pk", flat=True),
            *brought_back.values_list("pk", flat=True),
        ]
    if found is None:
        raise NothingToReview()
    return found
