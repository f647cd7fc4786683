"""Server processes that an earlier, killed keeper left on the same data."""

import signal
from pathlib import Path

import psutil

from companion_site.running.cluster import Cluster


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
