"""How often a token may ask: a minute's calls, and a minute's replies."""

from datetime import datetime
from uuid import UUID

from django.conf import settings

from companion_site.accounts import limits
from companion_site.accounts.limits import Limit
from companion_site.api.errors import TooManyCalls


def count_call(token: UUID, *, now: datetime) -> None:
    """Count a request of any kind.

    Raises:
        TooManyCalls: it is one too many, and is not counted; says when the next may come.
    """
    _count(token, Limit(name="API calls", most=settings.API_CALLS_PER_MINUTE), now)


def count_reply(token: UUID, *, now: datetime) -> None:
    """Count a request that a reply is written for, which costs more than any other.

    Raises:
        TooManyCalls: it is one too many, and is not counted; says when the next may come.
    """
    _count(token, Limit(name="API replies", most=settings.API_REPLIES_PER_MINUTE), now)


def _count(token: UUID, limit: Limit, now: datetime) -> None:
    wait = limits.count([limit.of(str(token))], now=now)
    if wait is not None:
        raise TooManyCalls(retry_after_s=wait.total_seconds())
