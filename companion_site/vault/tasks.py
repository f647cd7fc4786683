"""Recurring work of the vault."""

from django.utils import timezone

from companion_site.jobs import job
from companion_site.vault import expiry


@job
def drop_expired() -> None:
    """Delete expired leases and sessions."""
    expiry.drop_expired_leases(now=timezone.now())
    expiry.drop_expired_sessions()
