"""What a process keeps of unlocked spaces as arrays while they are used: loaded whole, then kept up by the space's version."""

from collections.abc import Callable
from threading import RLock
from typing import Any, Protocol, TypeVar
from uuid import UUID

from companion_site.vault.keyring import key_of
from companion_site.vault.plaintext import HeldBySpace
from companion_site.vault.scope import space_scope
from companion_site.vault.services import space_version


class WorkingSet(Protocol):
    """One space's memory under one embedding model."""

    model: str
    dimension: int
    version: int
    size_bytes: int
    lock: RLock

    def refresh(self) -> None:
        """Take in what changed since `version`; inside the space's scope, under the lock."""
        ...


Held = TypeVar("Held", bound=WorkingSet)


class WorkingSets(HeldBySpace[Held]):
    """The working sets of this process, of the kind that `make` makes for space, model and dimension."""

    make: Callable[..., Held]

    def get(self, space: UUID, *, model: str, dimension: int) -> Held:
        """Return the current working set of an unlocked space: one query when nothing changed.

        Raises:
            SpaceLocked: the space is not unlocked here.
        """
        key_of(space)
        about: dict[str, Any] = {"model": model, "dimension": dimension}
        held = self.take(
            space,
            lambda: self.make(space, **about),
            fits=lambda found: (found.model, found.dimension) == (model, dimension),
        )
        with held.lock:
            # The version is no row of the space: asking for it needs no transaction, which would cost three round trips.
            if space_version(space) != held.version:
                with space_scope(space):
                    held.refresh()
        self.trim()
        return held
