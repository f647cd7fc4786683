"""Child processes that leave no orphan, whoever is killed and in whatever order."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

from companion_site.running import CannotStart
from companion_site.running.locks import FileLock

PR_SET_PDEATHSIG = 1
#: Seconds that the kernel may need to take down a group that was killed.
KILL_TIMEOUT_S = 10


def dies_with_parent(signum: signal.Signals) -> Callable[[], None] | None:
    """Return what a new child runs first so that the kernel signals it when its parent dies; None where none can.

    The C library is opened here, in the parent, because little is safe between fork and exec.
    """
    if sys.platform != "linux":
        return None
    prctl, parent = ctypes.CDLL(None, use_errno=True).prctl, os.getpid()

    def tie_to_parent() -> None:
        prctl(PR_SET_PDEATHSIG, int(signum), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return tie_to_parent


class ChildGroup:
    """A child with everything it forks: one process group, which holds one lock for as long as any of it lives."""

    def __init__(self, name: str, command: list[str], *, run: Path, cwd: Path, env: dict[str, str]) -> None:
        self.name, self.command, self.cwd, self.env = name, command, cwd, env
        self.pid_file = run / f"{name}.pid"
        self.lock_file = run / f"{name}.lock"
        self.process: subprocess.Popen[str] | None = None

    def start(self, *, stdout: IO[str] | None = None) -> None:
        """Start the child in a session of its own, after an earlier one of this name is gone for certain."""
        lock = self._lock_after_leftovers()
        self.process = subprocess.Popen(  # noqa: S603 (our own programs)
            self.command,
            cwd=self.cwd,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            text=True,
            start_new_session=True,
            pass_fds=(lock.fd,),
            preexec_fn=dies_with_parent(signal.SIGTERM),
        )
        lock.release()
        self.pid_file.write_text(f"{self.process.pid}\n")

    def ended(self) -> bool:
        """Tell whether the leader of the group has ended."""
        return self.process is not None and self.process.poll() is not None

    def exit_code(self) -> int | None:
        """Return how the leader ended, or None while it runs."""
        return self.process.poll() if self.process is not None else None

    def ask_to_stop(self) -> None:
        """Ask the leader to end in good order; what it forked is its to end."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def end(self, *, grace_s: float) -> None:
        """Wait so long for the whole group to be gone, then kill what is left of it."""
        if self.process is None:
            return
        lock = FileLock(self.lock_file)
        if not lock.acquire_within(grace_s):
            _kill_group(self.process.pid)
            lock.acquire_within(KILL_TIMEOUT_S)
        lock.release()
        self.process.wait(KILL_TIMEOUT_S)
        self.pid_file.unlink(missing_ok=True)

    def _lock_after_leftovers(self) -> FileLock:
        lock = FileLock(self.lock_file)
        if lock.try_acquire():
            return lock
        # The lock is held, so members of the group named by the file live, and its number cannot mean another.
        _kill_group(_read_pid(self.pid_file))
        if not lock.acquire_within(KILL_TIMEOUT_S):
            raise CannotStart(f"A {self.name} process from an earlier run does not end: see {self.pid_file}.")
        return lock


def _kill_group(pgid: int | None) -> None:
    if pgid is None:
        return
    try:
        os.killpg(pgid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _read_pid(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
