"""The numbers of the live state, with where each comes from."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal


@dataclass(frozen=True, kw_only=True)
class LiveParams:
    """Bounds of what is taken in, and of what is told of it."""

    #: key figures, or open deadlines, that one company may have
    most_rows: int = 200
    #: a figure of the database has 16 digits before its point and 4 behind it
    most_value: Decimal = Decimal(10) ** 16
    earliest: date = date(1990, 1, 1)
    latest: date = date(2100, 12, 31)
    #: how far ahead of the site a sender's clock may be
    ahead: timedelta = timedelta(days=1)
    #: tokens of the text for a prompt: C1
    most_tokens: int = 500
    #: age from which a figure is told as old: a month's books are closed within the next month and a half
    stale_after: timedelta = timedelta(days=45)
    deadlines_within: timedelta = timedelta(days=60)
    #: how long a deadline that passed and was not marked as done is still told
    overdue_for: timedelta = timedelta(days=14)


LIVE = LiveParams()
