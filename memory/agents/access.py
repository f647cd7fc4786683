"""Who works with an agent's memory: what every function of this package takes first."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Bearer
from companion_site.errors import NotFound
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.keyring import unlocked
from companion_site.vault.models import Space


@dataclass(frozen=True)
class AgentAccess:
    """An agent's space, the key that opens it, and the person in whose name it is used."""

    person: Person
    space: UUID
    key: SpaceKey

    @contextmanager
    def open(self) -> Iterator[UUID]:
        """Open the space for the length of the block."""
        with unlocked(self.space, self.key):
            yield self.space


def access_by_token(bearer: Bearer) -> AgentAccess:
    """Return the access that a token gives; what it may do with it, its scopes say.

    Raises:
        NotFound: the token opens a space, but no agent's.
    """
    if bearer.space.kind != Space.Kind.AGENT:
        raise NotFound()
    return AgentAccess(bearer.person, bearer.space.pk, bearer.key)
