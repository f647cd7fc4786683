"""Work on packs behind the pages."""

from datetime import datetime
from uuid import UUID

from companion_site.jobs import job
from memory.packs import removal, shipped, uploads, vectors

take_in_shipped = job(shipped.take_in_shipped)
remove_abandoned = job(removal.remove_abandoned)


@job
def embed_pack(space: UUID, *, now: datetime) -> None:
    """Embed some of a pack's nodes with this site's model; queues itself until all are."""
    if vectors.embed_some(space, now=now):
        shipped.take_over(space, now=now)


@job
def import_upload(space: UUID, *, now: datetime) -> None:
    """Take in some of a pack that somebody uploaded; queues itself until all of it is there."""
    uploads.import_waiting(space)
