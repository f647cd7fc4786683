"""What a process keeps of unlocked spaces while they are used: read whole, then kept up by the space's version."""

from collections.abc import Callable
from threading import RLock
from typing import Protocol, TypeVar
from uuid import UUID

from companion_site.vault.keyring import key_of
from companion_site.vault.plaintext import HeldBySpace
from companion_site.vault.scope import space_scope
from companion_site.vault.services import space_version


class Versioned(Protocol):
    """What is held of one space, as of one version of it."""

    version: int
    size_bytes: int
    lock: RLock

    def refresh(self) -> None:
        """Take in what changed since `version`, and note the version; inside the space's scope, under the lock."""
        ...


V = TypeVar("V", bound=Versioned)


class CurrentBySpace(HeldBySpace[V]):
    """What is held of spaces, brought up to the space's version each time it is asked for."""

    def current(self, space: UUID, make: Callable[[], V], **fits: Callable[[V], bool]) -> V:
        """Return what is held of an unlocked space, as it is now: one query when nothing changed.

        Raises:
            SpaceLocked: the space is not unlocked here.
        """
        key_of(space)
        held = self.take(space, make, **fits)
        with held.lock:
            # The version is no row of the space: asking for it needs no transaction, which would cost three round trips.
            if space_version(space) != held.version:
                with space_scope(space):
                    held.refresh()
        self.trim()
        return held


class WorkingSet(Versioned, Protocol):
    """One space's memory as arrays, under one embedding model."""

    model: str
    dimension: int


Held = TypeVar("Held", bound=WorkingSet)


class WorkingSets(CurrentBySpace[Held]):
    """The working sets of this process, of the kind that `make` makes for space, model and dimension."""

    make: Callable[..., Held]

    def get(self, space: UUID, *, model: str, dimension: int) -> Held:
        """Return the current working set of an unlocked space, as `current` does."""
        return self.current(
            space,
            lambda: self.make(space, model=model, dimension=dimension),
            fits=lambda found: (found.model, found.dimension) == (model, dimension),
        )
