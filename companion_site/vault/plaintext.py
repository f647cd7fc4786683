"""What this process holds of unlocked spaces, all of it together: told which, and made to forget.

It is the one place from which a process takes an opened key. Of each space there is one, however many requests, sockets and
tools work with it; it goes when the last of them lets it go, and is overwritten then. What was read with it is held in
`HeldBySpace`s, which are found here without a list.

Memory that was freed still has its old bytes. Overwriting those is the C library's work: `companion_site/residue.py`.
"""

import hmac
from threading import Lock, Thread
from time import monotonic, sleep
from uuid import UUID
from weakref import WeakValueDictionary

from companion_site.residue import tidy_soon
from companion_site.vault.boxes import SpaceKey, wipe
from companion_site.vault.caches import HOLDERS

#: A key is no sign of somebody gone sooner than this after it was opened: a log-in opens the key and then makes its session.
OPENING_S = 30.0
#: How often a worker looks for what nobody has used lately, and how long that is: a burst of jobs reads a memory once.
SWEEP_EVERY_S = 5.0
UNUSED_S = 15.0


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
    oldest = monotonic() - since_s
    for space in {space for holder in list(HOLDERS) for space in holder.spaces()}:
        used = any(space in holder.used_after(oldest) for holder in list(HOLDERS))
        if not used and space not in _keys:
            forget_space(space)


def keep_forgetting() -> None:
    """Forget from here on what is unused; for a process of jobs, whose people need not be there and do not log out of it."""

    def sweep() -> None:
        while True:
            sleep(SWEEP_EVERY_S)
            forget_unused()

    Thread(target=sweep, name="forgetting", daemon=True).start()
