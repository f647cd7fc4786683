"""Contradictions that wait for the person's word, as far as both memories still hold."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from companion_site.vault.scope import space_scope
from memory.models import Contradiction

MOST = 100


def list_open(space: UUID) -> list[Contradiction]:
    """Return what waits, the oldest first; needs no key."""
    with space_scope(space):
        return list(_open(space).order_by("id")[:MOST])


def count_open(space: UUID) -> int:
    """Return how many wait; needs no key."""
    with space_scope(space):
        return _open(space).count()


def find_doubted(space: UUID, nodes: Collection[UUID]) -> dict[UUID, UUID]:
    """Return those of the memories that a later one may have replaced, each with that one; needs no key."""
    if not nodes:
        return {}
    with space_scope(space):
        rows = _open(space).filter(earlier_id__in=nodes).order_by("id")
        return dict(rows.values_list("earlier_id", "later_id"))


def _open(space: UUID) -> QuerySet[Contradiction]:
    held = {
        f"{end}__{ended}__isnull": True
        for end in ("earlier", "later")
        for ended in ("superseded_at", "removed_at")
    }
    return Contradiction.objects.for_space(space).filter(state=Contradiction.State.OPEN, **held)
