"""The process that keeps the embedded PostgreSQL up for as long as anybody uses it.

Everyone who uses the database holds a shared lock on one file. The keeper is started by the first of them, owns the
server as its child, starts it again when it dies, and stops it as soon as it gets that lock alone: when the last user
has gone, in whatever way. So neither a killed command nor a killed supervisor leaves a server behind.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from companion_site.running.children import dies_with_parent
from companion_site.running.cluster import Cluster
from companion_site.running.locks import FileLock
from companion_site.running.server_files import ENVIRONMENT, programs, server_account, switch_to

POLL_S = 0.1
#: A server that lived this long had started; one that keeps dying sooner cannot.
STEADY_S = 5.0
ATTEMPTS = 6
#: Signals of a fast, an immediate and a forced stop, and how long each may take.
STOPS = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0))


def clear_leftovers(cluster: Cluster) -> None:
    """End every server process that still works on the data, then remove the marks it left.

    Two servers on one data directory would destroy it. PostgreSQL's own check goes by the process id in a file, and
    refuses to start for ever when that id came to mean another process; here the processes themselves are looked at.
    """
    mark = cluster.data / "postmaster.pid"
    if not mark.exists():
        return
    servers = _servers_on(cluster.data)
    leader_lives = _leader(mark) in {server.pid for server in servers}
    for signum, patience_s in (
        (signal.SIGINT, 10 if leader_lives else 0.3),
        (signal.SIGQUIT, 2),
        (signal.SIGKILL, 5),
    ):
        servers = _signal(servers, signum, patience_s)
    for path in (mark, cluster.sockets / ".s.PGSQL.5432.lock", cluster.sockets / ".s.PGSQL.5432"):
        path.unlink(missing_ok=True)


def _servers_on(data: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.name().startswith("postgres") and Path(process.cwd()) == data:
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


def _leader(mark: Path) -> int | None:
    try:
        return int(mark.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def _signal(servers: list[psutil.Process], signum: signal.Signals, patience_s: float) -> list[psutil.Process]:
    """Signal all of them and return those that live on after so many seconds."""
    for server in servers:
        try:
            server.send_signal(signum)
        except psutil.Error:
            continue
    return psutil.wait_procs(servers, timeout=patience_s)[1]


class Keeper:
    """Runs one server until nobody uses it, or until it is told to stop."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.users = FileLock(cluster.users_lock)
        self.told_to_stop = False

    def keep(self) -> int:
        """Return the exit code: 0 when nobody uses the server any more, 1 when it does not stay up."""
        attempts = 0
        while attempts < ATTEMPTS:
            clear_leftovers(self.cluster)
            started = time.monotonic()
            server = self._start()
            if self._watch(server):
                self._stop(server)
                return 0
            attempts = 1 if time.monotonic() - started > STEADY_S else attempts + 1
            time.sleep(POLL_S * attempts)
        return 1

    def stop_soon(self, *_: object) -> None:
        """Handle a signal that asks for the end."""
        self.told_to_stop = True

    def _start(self) -> subprocess.Popen[bytes]:
        with self.cluster.log.open("ab") as log:
            server = subprocess.Popen(  # noqa: S603 (our own program)
                [programs() / "postgres", "-D", self.cluster.data],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=ENVIRONMENT,
                start_new_session=True,
                preexec_fn=dies_with_parent(signal.SIGINT),
                **switch_to(server_account(self.cluster)),
            )
        self.cluster.pid_file.write_text(f"{server.pid}\n")
        return server

    def _watch(self, server: subprocess.Popen[bytes]) -> bool:
        """Wait for the end of the need (True) or of the server (False)."""
        while server.poll() is None:
            if self.told_to_stop or self.users.try_acquire():
                return True
            time.sleep(POLL_S)
        return False

    def _stop(self, server: subprocess.Popen[bytes]) -> None:
        for signum, patience_s in STOPS:
            server.send_signal(signum)
            try:
                server.wait(patience_s)
            except subprocess.TimeoutExpired:
                continue
            break
        self.cluster.pid_file.unlink(missing_ok=True)


def main(home: str, durability: str) -> int:
    """Become a background process that keeps the server; the caller's return means that the lock is held.

    Args:
        home: the cluster's directory.
        durability: "durable" or "unsafe".
    """
    cluster = Cluster(Path(home), durable=durability == "durable")
    lock = FileLock(cluster.keeper_lock)
    if not lock.acquire_within(5):
        return 0
    if os.fork():
        return 0
    os.setsid()
    keeper = Keeper(cluster)
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, keeper.stop_soon)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    code = keeper.keep()
    # In this order: who waits to use the database must not find a keeper that has already stopped its server.
    lock.release()
    keeper.users.release()
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
