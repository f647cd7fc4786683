"""How often a person may ask for something: enough for anybody who speaks, too little for a loop."""

from datetime import datetime
from uuid import UUID

from chat.voice.errors import TooManyRequests
from companion_site.accounts import limits
from companion_site.accounts.limits import Limit

#: In a minute: recordings; looks at a recording under way; sentences, of which a long reply has a hundred.
RECORDINGS = Limit(name="voice, recordings", most=30)
PARTIALS = Limit(name="voice, partials", most=60)
SENTENCES = Limit(name="voice, sentences", most=240)


def count_request(person: UUID, limit: Limit, *, now: datetime) -> None:
    """Count one request.

    Raises:
        TooManyRequests: it is one too many; says when the next may come.
    """
    wait = limits.count([limit.of(str(person))], now=now)
    if wait is not None:
        raise TooManyRequests(retry_after_s=wait.total_seconds())
