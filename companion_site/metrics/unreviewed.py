"""What a module of figures offers for review that has nothing for people to look through."""

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.errors import NotFound
from companion_site.metrics.figures import ReviewList


def review_lists() -> Iterator[ReviewList]:
    """Yield nothing."""
    yield from ()


def mark_reviewed(slug: str, space: UUID, row: UUID, *, now: datetime, actor: Person) -> None:
    """Refuse: nothing here is reviewed.

    Raises:
        NotFound: always.
    """
    raise NotFound()
