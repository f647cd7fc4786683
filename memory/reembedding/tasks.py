"""Background jobs of a change of embedding model: ids in, one service called, safe to run twice."""

from datetime import datetime
from uuid import UUID

from companion_site.embeddings.service import present_model
from companion_site.jobs import enqueue, job
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.leases import leased_job
from companion_site.vault.scope import space_scope
from memory.reembedding import space as crossing
from memory.reembedding.tables import TASK, awaits_reembedding, find_spaces, queue_space


@leased_job("memory.reembedding")
def reembed_space(space: UUID, *, key: SpaceKey, now: datetime) -> None:
    """Embed some of a space anew, if that is due; queue the rest behind what others wait for."""
    with space_scope(space):
        is_due = awaits_reembedding(space)
    if is_due and not crossing.reembed(space, key=key, now=now):
        with space_scope(space):
            enqueue(TASK, space)


@job
def queue_reembedding(*, now: datetime) -> None:
    """Find the spaces that a change of embedding model has left behind."""
    for space in find_spaces(present_model()):
        queue_space(space, now=now)
