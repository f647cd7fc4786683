"""Recurring work of accounts."""

from django.utils import timezone

from companion_site.accounts import limits
from companion_site.jobs import job


@job
def sweep_limits() -> None:
    """Delete what was counted and is forgotten."""
    limits.sweep(now=timezone.now())
