"""Places in the site's work where it can be held still, seen to be at work, and killed.

A kill at a random moment mostly meets a site that waits. Here the work is brought to a place and kept there by what it
waits for anyway, a lock of the database, so that every kill meets work in flight.
"""

import base64
import os
import pickle
import signal
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psutil
import psycopg

from tests.e2e.records import connect
from tests.running.site import Site, wait_until

#: SQL that makes the work wait, by the place it then stands at. SHARE lets everybody read and nobody write.
LOCKS = {
    "before writing": "SELECT pg_advisory_xact_lock(hashtextextended('{space}', 0))",
    "first memory written": "LOCK TABLE memory_memorysource IN SHARE MODE",
    "source written": "LOCK TABLE memory_memoryvector IN SHARE MODE",
    "all memories written": "LOCK TABLE audit_auditevent IN SHARE MODE",
    "going to commit": "LOCK TABLE chat_message IN SHARE MODE",
    "committed": "LOCK TABLE django_q_task IN SHARE MODE",
}


@dataclass(frozen=True)
class Hold:
    """A lock held by the test."""

    var: Path
    holder: int

    def waiting(self) -> list[int]:
        """Return the database's processes that stand before the lock."""
        query = "SELECT pid FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
        with connect(self.var) as connection:
            return [row.pid for row in connection.execute(query, [self.holder])]

    def wait_until_reached(self) -> None:
        wait_until(self.waiting, "the work to come to the lock")


@contextmanager
def holding(var: Path, place: str, *, space: UUID) -> Iterator[Hold]:
    """Hold the work at a place until the end of the block, or of the database."""
    connection = connect(var, autocommit=False)
    try:
        connection.execute(LOCKS[place].format(space=space))
        yield Hold(var, connection.info.backend_pid)
    finally:
        with suppress(psycopg.OperationalError):
            connection.close()


def decode_job(payload: str) -> dict[str, Any]:
    """Return the job that a row of the queue carries: signed, perhaps compressed, pickled."""
    data = payload.rsplit(":", 2)[0]
    raw = base64.urlsafe_b64decode(data.lstrip(".") + "===")
    return pickle.loads(zlib.decompress(raw) if data.startswith(".") else raw)  # noqa: S301 (our own queue)


def is_queued(var: Path, message: UUID, *, taken: bool = False) -> bool:
    """Tell whether the job that forms a message's memories is in the queue; `taken`, that some worker has it."""
    query = "SELECT payload FROM django_q_ormq WHERE lock > now() OR NOT %s"
    with connect(var) as connection:
        rows = connection.execute(query, [taken]).fetchall()
    return any(str(message) in decode_job(row.payload)["args"] for row in rows)


def is_streaming(var: Path, reply: UUID) -> bool:
    """Tell whether a reply's row says that it is being written."""
    with connect(var) as connection:
        (row,) = connection.execute("SELECT state FROM chat_message WHERE id = %s", [reply]).fetchall()
    return row.state == "streaming"


def kill(site: Site, name: str, *, whole_group: bool = False) -> None:
    """`kill -9` a part of the site and wait until another has taken its place."""
    pid = site.pid(name)
    assert pid is not None
    if whole_group:
        os.killpg(pid, signal.SIGKILL)
    else:
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: site.pid(name) not in {None, pid}, f"a new {name}")


def kill_backend(var: Path, pid: int) -> None:
    """`kill -9` one process of the database, which takes the whole of it through recovery."""
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not psutil.pid_exists(pid), "the end of the process")
