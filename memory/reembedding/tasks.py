"""Background jobs of a change of embedding model: ids in, one service called, safe to run twice."""

from uuid import UUID

from django.utils import timezone

from companion_site.embeddings.service import present_model
from companion_site.jobs import enqueue, job
from companion_site.vault.leases import leased
from companion_site.vault.scope import space_scope
from memory.reembedding import space as crossing
from memory.reembedding.tables import TASK, awaits_reembedding, find_spaces, queue_space

PURPOSE = "memory.reembedding"


@job
def reembed_space(space_id: str) -> None:
    """Embed some of a space anew, if that is due; queue the rest behind what others wait for."""
    space, now = UUID(space_id), timezone.now()
    with space_scope(space):
        is_due = awaits_reembedding(space)
    with leased(space, purpose=PURPOSE, now=now) as key:
        if key is not None and is_due and not crossing.reembed(space, key=key, now=now):
            with space_scope(space):
                enqueue(TASK, space)


@job
def queue_reembedding() -> None:
    """Find the spaces that a change of embedding model has left behind."""
    for space in find_spaces(present_model()):
        queue_space(space, now=timezone.now())
