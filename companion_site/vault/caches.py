"""What a process holds of unlocked spaces, in the clear, while their people are there: bounded, and gone when they are."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock, Timer, current_thread
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID
from weakref import WeakSet

from companion_site.residue import tidy_soon


class Sized(Protocol):
    """What can say how much of the memory it takes."""

    size_bytes: int


T = TypeVar("T", bound=Sized)
#: Everything of the kind below that this process has.
HOLDERS: "WeakSet[HeldBySpace[Any]]" = WeakSet()


class HeldBySpace(Generic[T]):
    """One value for each space, least recently used first, within a budget of bytes.

    One that nobody has asked for during `idle_s` seconds is dropped, also while nobody asks for another.

    Args:
        of_people: it goes when its person does (`holder.forget_space`). What is held of packs, which anybody may read, stays.
    """

    def __init__(
        self,
        *,
        budget_bytes: int,
        idle_s: float,
        clock: Callable[[], float] = monotonic,
        of_people: bool = True,
    ) -> None:
        self.budget_bytes = budget_bytes
        self.idle_s = idle_s
        self._clock = clock
        self._kept: OrderedDict[UUID, tuple[T, float]] = OrderedDict()
        self._guard = Lock()
        self._timer: Timer | None = None
        self.of_people = of_people
        if of_people:
            HOLDERS.add(self)

    def spaces(self) -> list[UUID]:
        """Return the spaces that something is held of."""
        with self._guard:
            return list(self._kept)

    def used_after(self, moment: float) -> list[UUID]:
        """Return those of them that somebody asked for since, by the holder's clock."""
        with self._guard:
            return [space for space, (_, touched) in self._kept.items() if touched > moment]

    def __contains__(self, space: UUID) -> bool:
        return space in self._kept

    def forget(self, space: UUID) -> None:
        """Drop what is held of a space, as at log-out."""
        with self._guard:
            self._kept.pop(space, None)

    def trim(self) -> None:
        """Drop what has been idle, and the longest unused while there is more than the budget allows."""
        with self._guard:
            oldest = self._clock() - self.idle_s
            used = sum(value.size_bytes for value, _ in self._kept.values())
            for space, (value, touched) in list(self._kept.items()):
                if touched > oldest and (used <= self.budget_bytes or len(self._kept) == 1):
                    break
                del self._kept[space]
                used -= value.size_bytes
                if self.of_people:
                    tidy_soon()
            self._trim_later()

    def take(
        self, space: UUID, make: Callable[[], T], *, fits: Callable[[T], bool] = lambda value: True
    ) -> T:
        """Return what is held of a space, made anew where there is nothing that fits; it counts as just used."""
        with self._guard:
            value, _ = self._kept.pop(space, (None, 0.0))
            if value is None or not fits(value):
                value = make()
            self._kept[space] = (value, self._clock())
            return value

    def _trim_later(self) -> None:
        """See to it that somebody trims again after the longest idle time, for as long as anything is held."""
        if self._timer is not None and self._timer.is_alive() and self._timer is not current_thread():
            return
        self._timer = None
        if self._kept:
            self._timer = Timer(self.idle_s, self.trim)
            self._timer.daemon = True
            self._timer.start()
