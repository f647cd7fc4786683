"""Whether the log-in behind an open socket still stands."""

from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone


def renew_session(session_key: str | None) -> bool:
    """Start the idle time of a session again; False where it has ended, by log-out or by idling."""
    now = timezone.now()
    alive = Session.objects.filter(session_key=session_key, expire_date__gt=now)
    return bool(alive.update(expire_date=now + timedelta(seconds=settings.SESSION_COOKIE_AGE)))
