"""Embedding a pack that came with another model's vectors, or with none: some nodes at a time, resumed where it stopped."""

from datetime import datetime
from time import monotonic
from uuid import UUID

from django.conf import settings

from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.jobs import enqueue
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode, PackVector
from memory.packs.importer import make_ready
from memory.packs.store import note_progress, vector_row

BATCH = 16
#: A job begins no further batch after so long, or a share of what a job may take, and queues the next: others get their turn
#: (what somebody says during a first start is to be remembered soon), and a kill loses one batch.
SECONDS, SHARE_OF_TIMEOUT = 10.0, 0.25


def embed_some(
    space: UUID, *, now: datetime, embedder: Embedder | None = None, seconds: float | None = None
) -> bool:
    """Embed the nodes of a pack that have no vector of this site's model yet; return whether all have by now.

    A pack that has gone, or is ready, is left as it is.

    Args:
        seconds: after which no further batch begins; None: as a job does it.
    """
    model = embedder or get_embedder()
    end = monotonic() + (_seconds() if seconds is None else seconds)
    while True:
        left = _read_some(space, model)
        if left is None:
            return True
        if not left:
            make_ready(space, actor=None, now=now)
            return True
        if monotonic() >= end:
            with space_scope(space):
                enqueue("memory.packs.tasks.embed_pack", space)
            return False
        vectors = model.embed([text for _id, text in left])
        rows = [
            vector_row(space, pk, model.model, vector)
            for (pk, _text), vector in zip(left, vectors, strict=True)
        ]
        with space_scope(space):
            PackVector.objects.bulk_create(rows, ignore_conflicts=True)
            done = PackVector.objects.for_space(space).filter(model=model.model).count()
        note_progress(space, done)


def _seconds() -> float:
    return min(SECONDS, SHARE_OF_TIMEOUT * settings.JOB_TIMEOUT_S)


def _read_some(space: UUID, model: Embedder) -> list[tuple[UUID, str]] | None:
    """Return nodes that lack a vector, [] where none does; None where the pack is not being embedded."""
    with space_scope(space, reading=True):
        if not Pack.objects.for_space(space).filter(state=Pack.State.EMBEDDING).exists():
            return None
        have = PackVector.objects.for_space(space).filter(model=model.model).values("node_id")
        rows = PackNode.objects.for_space(space).exclude(pk__in=have).order_by("position")
        return list(rows.values_list("pk", "text")[:BATCH])
