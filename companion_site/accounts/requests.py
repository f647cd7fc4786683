"""What views behind the log-in are given."""

from django.http import HttpRequest

from companion_site.accounts.models import Person
from companion_site.vault.boxes import SpaceKey


class PersonRequest(HttpRequest):
    """A request as the middleware leaves it; for annotations, nothing is ever built of it.

    Attributes:
        user: who is logged in.
        space_key: the key of their own space; None while it is closed.
    """

    user: Person
    space_key: SpaceKey | None
