"""The numbers of company memory and of a company's live state, with where each comes from."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal


@dataclass(frozen=True, kw_only=True)
class CompanyParams:
    """Numbers of the company memory's document, and of its settled rows (C1-C10)."""

    #: how long a fact of each category is believed without being confirmed; None: for good
    ttl: tuple[tuple[str, timedelta | None], ...] = (
        ("preference", None),
        ("decision", None),
        ("knowledge", timedelta(days=182)),
        ("unresolved", timedelta(days=30)),
    )
    #: facts put before the model, and the tokens that they may take; of who they are a message is told so many first of all
    most_injected: int = 16
    most_of_people: int = 6
    #: of those, wishes of who asks and who is named, however little they have to do with the message
    most_wishes: int = 3
    most_tokens: int = 3_000
    #: facts that may be active before they are compressed, and how many stay
    most_active: int = 50
    least_after: int = 15
    most_after: int = 30
    #: below it a fact is told with a doubt
    hedged_below: float = 0.7
    #: share of what is missing to certainty that a confirmation adds
    confirmation_boost: float = 0.3
    #: a decision older than this goes into the summary of its year
    historical_after: timedelta = timedelta(days=365)
    compress_every: timedelta = timedelta(days=30)
    #: silence after which a conversation is read
    silence: timedelta = timedelta(minutes=5)
    #: facts taken from one reading, and characters of one fact
    most_facts: int = 20
    most_chars: int = 300
    #: age of an open item that is offered again; days ahead that a deadline is
    open_item_after: timedelta = timedelta(days=7)
    deadline_within: timedelta = timedelta(days=7)
    snooze: timedelta = timedelta(days=3)

    def ttl_of(self, category: str) -> timedelta | None:
        return dict(self.ttl)[category]


COMPANY = CompanyParams()


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
