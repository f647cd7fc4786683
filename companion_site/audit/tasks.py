"""What the record does in the background."""

import structlog
from django.utils import timezone

from companion_site.audit.checkpoint_services import make_checkpoint as make_now
from companion_site.jobs import job

logger = structlog.get_logger(__name__)


@job
def make_checkpoint() -> None:
    """Make a checkpoint of what changed. A failure is tried again by the queue, and by the clock."""
    try:
        make_now(now=timezone.now())
    except Exception:  # told by a name of its own for whoever watches the record, and raised again
        logger.error("audit.checkpoint_failed")
        raise


@job
def make_whole_checkpoint() -> None:
    """Make a checkpoint that names every chain."""
    make_now(now=timezone.now(), whole=True)
