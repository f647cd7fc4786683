"""Recurring work of the platform: each job calls one service of the app that it is about."""

from datetime import datetime

import structlog

from companion_site.accounts import limits
from companion_site.accounts.sessions import SessionStore
from companion_site.api import idempotency
from companion_site.audit import checkpoint_services
from companion_site.jobs import job
from companion_site.vault import leases

logger = structlog.get_logger(__name__)

sweep_limits = job(limits.sweep)
drop_kept_answers = job(idempotency.drop_kept_answers)


@job
def drop_expired(*, now: datetime) -> None:
    """Delete expired leases and sessions."""
    leases.drop_expired_leases(now=now)
    SessionStore.clear_expired()


@job
def make_checkpoint(*, now: datetime) -> None:
    """Make a checkpoint of what changed. A failure is tried again by the queue, and by the clock."""
    try:
        checkpoint_services.make_checkpoint(now=now)
    except Exception:  # told by a name of its own for whoever watches the record, and raised again
        logger.error("audit.checkpoint_failed")
        raise


@job
def make_whole_checkpoint(*, now: datetime) -> None:
    """Make a checkpoint that names every chain."""
    checkpoint_services.make_checkpoint(now=now, whole=True)
