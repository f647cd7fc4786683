"""One at a time, in a thread: a local model is never asked twice at once, and nobody waits behind a crowd."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from companion_site.voice.errors import VoiceBusy

R = TypeVar("R")


class OneAtATime:
    """A thread that does one piece of work after the other.

    Args:
        most: how many pieces may be waiting or at work.
    """

    def __init__(self, name: str, *, most: int) -> None:
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._most = most
        self._count = 0
        self._lock = threading.Lock()

    async def run(self, work: Callable[[], R], *, only_if_free: bool = False) -> R:
        """Return what `work()` returns, once its turn has come; given up before that, it is never done.

        Raises:
            VoiceBusy: too many wait already, or with `only_if_free`, anybody.
        """
        with self._lock:
            if self._count >= (1 if only_if_free else self._most):
                raise VoiceBusy()
            self._count += 1
        future = self._threads.submit(work)
        future.add_done_callback(lambda _: self._leave())
        return await asyncio.wrap_future(future)

    def _leave(self) -> None:
        with self._lock:
            self._count -= 1
