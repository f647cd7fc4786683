"""Contradictions that wait for the person's word, as far as both memories still hold."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from companion_site.vault.scope import space_scope
from memory.models import Contradiction

MOST = 100


def list_open(space: UUID) -> list[Contradiction]:
    """Return what is asked about, the oldest first; needs no key."""
    with space_scope(space):
        return list(_asked(space).order_by("id")[:MOST])


def count_open(space: UUID) -> int:
    """Return how much is asked about; needs no key."""
    with space_scope(space):
        return _asked(space).count()


def find_doubted(space: UUID, nodes: Collection[UUID]) -> dict[UUID, UUID]:
    """Return those of the memories that a later one may have replaced, each with that one; needs no key."""
    if not nodes:
        return {}
    with space_scope(space):
        rows = _open(space).filter(earlier_id__in=nodes).order_by("id")
        return dict(rows.values_list("earlier_id", "later_id"))


def _asked(space: UUID) -> QuerySet[Contradiction]:
    """Return what the person is asked about: of the reader's guesses what a memory replaces, the nearest, where values tell of nothing.

    A memory replaces one thing at most, and "we have moved" sounds as if it replaced whatever stands near it. In a request all are doubted.
    """
    rows, guess = _open(space), Contradiction.FoundBy.READER
    surer = rows.filter(later_id=OuterRef("later_id")).filter(~Q(found_by=guess) | Q(id__lt=OuterRef("id")))
    return rows.exclude(Q(found_by=guess) & Q(Exists(surer)))


def _open(space: UUID) -> QuerySet[Contradiction]:
    held = {
        f"{end}__{ended}__isnull": True
        for end in ("earlier", "later")
        for ended in ("superseded_at", "removed_at")
    }
    return Contradiction.objects.for_space(space).filter(state=Contradiction.State.OPEN, **held)
