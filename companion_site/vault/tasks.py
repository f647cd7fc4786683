"""Recurring work of the vault."""

from django.utils import timezone

from companion_site.vault import expiry


def drop_expired() -> None:
    """Delete expired leases and sessions."""
    expiry.drop_expired_leases(now=timezone.now())
    expiry.drop_expired_sessions()
