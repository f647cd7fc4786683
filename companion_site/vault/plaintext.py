"""What this process holds of unlocked spaces, all of it together: told which, and made to forget.

It is the one place from which a process takes an opened key. Of each space there is one, however many requests, sockets and
tools work with it; it goes when the last of them lets it go, and is overwritten then. What was read with it is held in
`HeldBySpace`s, which are found here without a list.

Memory that was freed still has its old bytes. Overwriting those is the C library's work: `companion_site/residue.py`.
"""

import hmac
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock, Thread, Timer, current_thread
from time import monotonic, sleep
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID
from weakref import WeakSet, WeakValueDictionary

from django.conf import settings

from companion_site.residue import tidy_soon
from companion_site.vault.boxes import SpaceKey, wipe

#: Everything of the kind below that this process has.
HOLDERS: "WeakSet[HeldBySpace[Any]]" = WeakSet()
#: A key is no sign of somebody gone sooner than this after it was opened: a log-in opens the key and then makes its session.
OPENING_S = 30.0
#: How often a worker looks for what nobody has used lately, and how long that is: a burst of jobs reads a memory once.
SWEEP_EVERY_S = 5.0
UNUSED_S = 15.0
#: What a holder of one kind may take, and keeps unasked, unless it says otherwise.
BUDGET_BYTES, IDLE_S = settings.WORKING_SET_MB * 2**20, settings.SESSION_IDLE_MINUTES * 60


class Sized(Protocol):
    """What can say how much of the memory it takes."""

    @property
    def size_bytes(self) -> int: ...


T = TypeVar("T", bound=Sized)


class HeldBySpace(Generic[T]):
    """One value for each space, least recently used first, within a budget of bytes.

    One that nobody has asked for during `idle_s` seconds is dropped, also while nobody asks for another.

    Args:
        of_people: it goes when its person does (`forget_space`). What is held of packs, which anybody may read, stays.
    """

    def __init__(
        self,
        *,
        budget_bytes: int = BUDGET_BYTES,
        idle_s: float = IDLE_S,
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


class _Keys:
    """The opened keys of this process: one a space, for as long as somebody has it."""

    def __init__(self) -> None:
        self._keys: WeakValueDictionary[UUID, SpaceKey] = WeakValueDictionary()
        self._opened_at: dict[UUID, float] = {}
        self._guard = Lock()

    def hold(self, space: UUID, data_key: bytearray) -> SpaceKey:
        with self._guard:
            self._opened_at = {held: at for held, at in self._opened_at.items() if held in self._keys}
            self._opened_at[space] = monotonic()
            held = self._keys.get(space)
            # The name of a space that was given up may come with another key.
            if held is not None and held.is_open and hmac.compare_digest(held.data_key, data_key):
                wipe(data_key)
                return held
            key = self._keys[space] = SpaceKey(space, data_key)
            return key

    def opened_before(self, moment: float) -> set[UUID]:
        with self._guard:
            return {space for space in self._keys if self._opened_at.get(space, 0.0) <= moment}

    def __contains__(self, space: UUID) -> bool:
        return space in self._keys

    def spaces(self) -> list[UUID]:
        with self._guard:
            return list(self._keys)

    def wipe(self, space: UUID) -> None:
        with self._guard:
            key = self._keys.pop(space, None)
        if key is not None:
            key.wipe()


_keys = _Keys()


def hold_key(space: UUID, data_key: bytearray) -> SpaceKey:
    """Return this process's key of `space`; the bytes given become its own, or are overwritten where it has them already."""
    return _keys.hold(space, data_key)


def held_spaces() -> set[UUID]:
    """Return every space that this process holds something of, but for keys that were opened only now."""
    return {space for holder in list(HOLDERS) for space in holder.spaces()} | _keys.opened_before(
        monotonic() - OPENING_S
    )


def forget_space(space: UUID) -> None:
    """Drop everything that this process holds of a space: overwrite its key, and let go of what was read with it.

    Whoever still works with the key finds the space locked.
    """
    _keys.wipe(space)
    for holder in list(HOLDERS):
        holder.forget(space)
    tidy_soon()


def forget_keys() -> None:
    """Overwrite every key that this process has; for one that does one job at a time and has just ended it."""
    for space in _keys.spaces():
        _keys.wipe(space)


def forget_unused(*, since_s: float = UNUSED_S) -> None:
    """Forget the spaces whose key nobody has, and of which nothing was used for so many seconds."""
    oldest, holders = monotonic() - since_s, list(HOLDERS)
    used = {space for holder in holders for space in holder.used_after(oldest)}
    for space in {space for holder in holders for space in holder.spaces()} - used:
        if space not in _keys:
            forget_space(space)


def keep_forgetting() -> None:
    """Forget from here on what is unused; for a process of jobs, whose people need not be there and do not log out of it."""

    def sweep() -> None:
        while True:
            sleep(SWEEP_EVERY_S)
            forget_unused()

    Thread(target=sweep, name="forgetting", daemon=True).start()
