"""Reads of a company's facts. All but `chain_of` give querysets: read them inside `space_scope(space)`."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.models import CompanyFact
from memory.querysets import FactQuerySet


@dataclass(frozen=True)
class Lineage:
    """A fact with its history, oldest first on both sides.

    Attributes:
        earlier: what gave way to it, directly or through others, and what it brings back.
        later: what took its place, directly or through others, and what brought it back.
    """

    fact: CompanyFact
    earlier: tuple[CompanyFact, ...]
    later: tuple[CompanyFact, ...]


def active_facts(space: UUID, *, now: datetime) -> FactQuerySet:
    """Return what is believed at `now`, the present: nothing superseded, nothing expired."""
    return CompanyFact.objects.for_space(space).active(now)


def facts_at(space: UUID, at: datetime) -> FactQuerySet:
    """Return what was believed at a moment of the past, told from the rows; `events.replay` tells it from the events."""
    return CompanyFact.objects.for_space(space).believed_at(at)


def facts_to_review(space: UUID, *, now: datetime) -> FactQuerySet:
    """Return what is believed and took the place of something it contradicts, until somebody reviews it."""
    return active_facts(space, now=now).filter(flagged_at__isnull=False).order_by("flagged_at", "id")


def chain_of(space: UUID, fact_id: UUID) -> Lineage:
    """Return a fact with everything that led to it and everything that came of it.

    Raises:
        NotFound: the space has no such fact.
    """
    with space_scope(space):
        rows = CompanyFact.objects.for_space(space)
        fact = rows.filter(pk=fact_id).first()
        if fact is None:
            raise NotFound()
        return Lineage(fact, _walk(rows, fact, _before), _walk(rows, fact, _after))


def _before(level: Iterable[CompanyFact]) -> Q:
    return Q(superseded_by__in=[fact.pk for fact in level]) | Q(
        pk__in=[fact.restores_id for fact in level if fact.restores_id]
    )


def _after(level: Iterable[CompanyFact]) -> Q:
    return Q(restores__in=[fact.pk for fact in level]) | Q(
        pk__in=[fact.superseded_by_id for fact in level if fact.superseded_by_id]
    )


def _walk(rows: FactQuerySet, start: CompanyFact, step) -> tuple[CompanyFact, ...]:
    """Collect level by level; what was met before is not walked again, so undone changes end as well."""
    met, level = {start.pk: start}, [start]
    while level:
        level = [fact for fact in rows.filter(step(level)) if fact.pk not in met]
        met |= {fact.pk: fact for fact in level}
    del met[start.pk]
    return tuple(sorted(met.values(), key=lambda fact: (fact.created_at, fact.pk)))
