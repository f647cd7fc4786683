"""Background jobs of a company's memory: ids in, one service called, safe to run twice."""

from uuid import UUID

from django.utils import timezone

from companion_site.jobs import job
from memory.company.summaries.service import compress, queue_all_due


@job
def compress_company(space_id: str) -> None:
    """Compress one company's memory, if that is still due."""
    compress(UUID(space_id), now=timezone.now())


@job
def compress_companies() -> None:
    """Queue a compression for every company whose memory is due for one."""
    queue_all_due(now=timezone.now())
