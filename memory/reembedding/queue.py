"""Which spaces have yet to cross over, and the jobs that take them there."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from companion_site.embeddings.service import present_model
from companion_site.jobs import enqueue
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import queue_or_await
from memory.reembedding.tables import TABLES, awaits_reembedding

TASK = "memory.reembedding.tasks.reembed_space"


def find_spaces(model: str) -> Iterator[Space]:
    """Yield the spaces that hold vectors of other models than `model`: all that were not yet taken over to it."""
    found: set[UUID] = set()
    for table in TABLES:
        foreign = table.everywhere().exclude(model=model).order_by()
        found |= set(foreign.values_list("space_id", flat=True).distinct())
    yield from Space.objects.filter(pk__in=found).order_by("pk").iterator()


def queue_all(*, now: datetime) -> tuple[int, int]:
    """Queue the open spaces, and have the sealed ones wait for their key; return how many there are of each."""
    opened = sealed = 0
    for space in find_spaces(present_model()):
        queue_space(space, now=now)
        sealed += space.sealed
        opened += not space.sealed
    return opened, sealed


def queue_space(space: Space, *, now: datetime) -> None:
    """Queue one space's change of model: at once, or with the next key where it is sealed."""
    with space_scope(space.pk):
        if not awaits_reembedding(space.pk):
            return
        if space.sealed:
            queue_or_await(space.pk, now=now)
        else:
            enqueue(TASK, space.pk)
