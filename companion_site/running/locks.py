"""File locks that the kernel drops when their holder dies, however it dies."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self


class FileLock:
    """An advisory lock on one file, exclusive or shared; held until released or until every holder of `fd` is gone."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def acquire(self, *, shared: bool = False) -> None:
        """Wait for the lock."""
        fcntl.flock(self.fd, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)

    def try_acquire(self, *, shared: bool = False) -> bool:
        """Take the lock if it is free and tell whether it was."""
        try:
            fcntl.flock(self.fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def acquire_within(self, timeout_s: float) -> bool:
        """Try for so many seconds and tell whether it came free."""
        deadline = time.monotonic() + timeout_s
        while not self.try_acquire():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    def release(self) -> None:
        """Give the lock up and close the file; a second call does nothing."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the exclusive lock on `path` for the length of a block."""
    with FileLock(path) as lock:
        lock.acquire()
        yield


def is_held(path: Path) -> bool:
    """Tell whether some process holds the lock on `path` exclusively at this moment."""
    with FileLock(path) as lock:
        return not lock.try_acquire(shared=True)
