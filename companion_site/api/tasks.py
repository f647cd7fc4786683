"""Recurring work of the REST API."""

from django.utils import timezone

from companion_site.api import idempotency
from companion_site.jobs import job


@job
def drop_kept_answers() -> None:
    """Delete answers that were kept for repeats, once their hours are over."""
    idempotency.drop_kept_answers(now=timezone.now())
