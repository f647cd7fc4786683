"""Work on packs behind the pages."""

from uuid import UUID

from django.utils import timezone

from companion_site.jobs import job
from memory.packs import removal, shipped, uploads, vectors


@job
def embed_pack(space: str) -> None:
    """Embed some of a pack's nodes with this site's model; queues itself until all are."""
    if vectors.embed_some(UUID(space), now=timezone.now()):
        shipped.take_over(UUID(space), now=timezone.now())


@job
def take_in_shipped(space: str) -> None:
    """Take in a pack that ships with the site."""
    shipped.take_in_shipped(UUID(space), now=timezone.now())


@job
def import_upload(space: str) -> None:
    """Take in some of a pack that somebody uploaded; queues itself until all of it is there."""
    uploads.import_waiting(UUID(space))


@job
def remove_abandoned() -> None:
    """Remove what killed imports left behind."""
    removal.remove_abandoned(now=timezone.now())
