"""What a fact took the place of. What is believed at a moment, every reader asks of `FactQuerySet`."""

from collections.abc import Iterable
from uuid import UUID

from memory.company.store import OUTDATED
from memory.models import CompanyFact
from memory.querysets import FactQuerySet


def gave_way_to(space: UUID, successors: Iterable[UUID]) -> FactQuerySet:
    """Return what these facts replaced, without what came in late and never stood; the latest change first.

    Inside the space's scope.
    """
    replaced = CompanyFact.objects.for_space(space).filter(superseded_by__in=successors)
    return replaced.exclude(metadata__has_key=OUTDATED).order_by("-superseded_at", "id")
