"""Which superseded facts have an undo button: those whose change `memory.company.reconcile.undo` takes back.

It says so fact by fact, under the lock; here the same is asked for a whole page at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from companion_site.vault.scope import space_scope
from memory.company.reconcile.restoration import restorable
from memory.company.reconcile.selectors import is_summary
from memory.company.reconcile.undo import SAID_AGAIN, STANDS_BESIDE
from memory.models import CompanyFact
from memory.querysets import FactQuerySet

_REASON = CompanyFact.Reason


def can_be_undone(space: UUID, facts: Sequence[UUID]) -> set[UUID]:
    """Return which of these facts can be brought back: what took their place stands, and nothing else says the same."""
    with space_scope(space):
        rows = CompanyFact.objects.for_space(space)
        ended = list(
            rows.filter(pk__in=facts, superseded_by__isnull=False).exclude(superseded_reason=_REASON.UNDONE)
        )
        words = _words_brought_back(rows, ended)
        stands_as = _standing(rows, {fact.superseded_by_id for fact in ended})
        standing = rows.filter(superseded_by__isnull=True, fingerprint__in=words.values())
        held = dict(standing.values_list("fingerprint", "pk"))
    return {
        fact.pk
        for fact in ended
        if fact.pk in words and _is_free(held.get(words[fact.pk]), fact, stands_as[fact.superseded_by_id])
    }


def _words_brought_back(rows: FactQuerySet, ended: Sequence[CompanyFact]) -> Mapping[UUID, str]:
    """Return the fingerprint of what would come back first of each fact; nothing of what came back already."""
    restored = set(rows.filter(restores__in=[fact.pk for fact in ended]).values_list("restores", flat=True))
    words = {fact.pk: fact.fingerprint for fact in ended if not is_summary(fact) and fact.pk not in restored}
    for summary in filter(is_summary, ended):
        first = next(iter(restorable([summary])), None)
        if first is not None:
            words[summary.pk] = first.fingerprint
    return words


def _is_free(holder: UUID | None, fact: CompanyFact, gives_way: UUID | None) -> bool:
    """Tell whether a fact's words can be believed again: nobody has them, or only what gives way to them does."""
    if fact.superseded_reason in STANDS_BESIDE:
        return holder is None
    return gives_way is not None and holder in (None, gives_way)


def _standing(rows: FactQuerySet, facts: Iterable[UUID]) -> Mapping[UUID, UUID | None]:
    """Return the row as which each fact stands now: itself, said again, or brought back; None where it does not."""
    leads_to: dict[UUID, UUID | None] = {}
    level = set(facts)
    while level:
        brought_back = dict(rows.filter(restores__in=level).order_by("id").values_list("restores", "pk"))
        found = rows.filter(pk__in=level).values_list("pk", "superseded_by", "superseded_reason")
        for fact, successor, reason in found:
            again = successor if reason in SAID_AGAIN else None
            leads_to[fact] = fact if successor is None else brought_back.get(fact, again)
        level = {fact for fact in leads_to.values() if fact is not None} - leads_to.keys()
    return {fact: _end(leads_to, fact) for fact in leads_to}


def _end(leads_to: Mapping[UUID, UUID | None], fact: UUID) -> UUID | None:
    following = leads_to[fact]
    while following is not None and following != fact:
        fact, following = following, leads_to[following]
    return following
