"""The numbers of the REST API."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, kw_only=True)
class ApiParams:
    """What one request may ask for.

    Attributes:
        body_bytes: of a request; a message of `MESSAGE_MAX_CHARS` fits however it is escaped.
        page, most_page: rows of a page, where nobody says how many, and at the most.
        wait_s: the longest that an answer waits for a reply.
        kept_for: how long the answer to an Idempotency-Key is kept.
        given_up_after: a request under a key that has not ended by then was cut short, and may be sent again.
    """

    body_bytes: int = 512 * 1024
    page: int = 50
    most_page: int = 200
    wait_s: int = 60
    kept_for: timedelta = timedelta(hours=24)
    given_up_after: timedelta = timedelta(minutes=2)


API = ApiParams()
