"""Opening what a program asks about, whichever app's it is: the person's own space, by the key that their token is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.api.operations import Asked, Opens
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keyring import unlocked


class Access(Protocol):
    """What an app's services take first: a space, and the key that opens it."""

    @property
    def space(self) -> UUID: ...
    @property
    def key(self) -> SpaceKey: ...


def opening(access_of: Callable[[Person, SpaceKey], Access]) -> Opens:
    """Return what opens the space that `access_of` names for a person with the key of their own space.

    `access_of` raises NotFound where people of this role have none; a token that opens another space than the person's own,
    such as an agent's, is told the same.
    """

    @contextmanager
    def opened(asked: Asked) -> Iterator[Access]:
        access = access_of(asked.bearer.person, asked.own_key)
        with unlocked(access.space, access.key):
            yield access

    return opened
