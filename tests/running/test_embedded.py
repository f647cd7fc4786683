"""The embedded PostgreSQL: its roles, its privacy, and what it survives."""

import os
import signal
import subprocess
import sys
from threading import Timer

import psycopg
import pytest

from companion_site.running import PROJECT
from companion_site.running.embedded import hold, let_go
from companion_site.running.locks import FileLock, is_held
from tests.running.site import terminal, wait_until

HOLD_AND_WAIT = """
import sys, time
from pathlib import Path
from companion_site.running.cluster import Cluster
from companion_site.running.embedded import hold
users = hold(Cluster(Path(sys.argv[1]), durable=False))
print("held", flush=True)
time.sleep(600)
"""
ATTRIBUTES = (
    "SELECT current_user, rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user"
)


def ask(url: str, query: str) -> tuple:
    """Return the first row of a query."""
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchone()


@pytest.mark.spec("G11")
def test_a_role_has_its_own_password_and_no_way_round_row_level_security(cluster):
    """Site, owner and metadata roles are neither superuser nor BYPASSRLS, only the owner makes databases, and the socket alone lets
    nobody in. A failing statement, its values and the detail of its error stay out of the server's log, kill -9 included."""
    hold(cluster)
    urls = cluster.urls()
    site, owner, metadata = (urls[f"DATABASE_{name}URL"] for name in ("", "OWNER_", "METADATA_"))
    assert ask(site, ATTRIBUTES) == ("companion_site", False, False, False)
    assert ask(owner, ATTRIBUTES) == ("companion_owner", False, False, True)
    assert ask(metadata, ATTRIBUTES) == ("companion_metadata", False, False, False)
    query = "SELECT datdba::regrole::text FROM pg_database WHERE datname = 'companion'"
    assert ask(site, query) == ("companion_owner",)
    assert ask(site, "SELECT '[1,2]'::vector <-> '[1,2]'") == (0.0,)
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        ask(metadata, "CREATE TEMPORARY TABLE t (x int)")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(site.replace(cluster.password("companion_site"), "wrong"))
    assert (cluster.home / "database_secret").stat().st_mode & 0o777 == 0o600
    assert cluster.sockets.stat().st_mode & 0o777 == 0o700
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("CREATE TABLE words (word text UNIQUE)")
        connection.execute("INSERT INTO words VALUES ('marzipan')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO words VALUES ('marzipan')")
        with pytest.raises(psycopg.DataError):
            connection.execute("SELECT %s::uuid", ["marzipan"])
        os.kill(connection.info.backend_pid, signal.SIGKILL)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 'marzipan'")
    wait_until(lambda: "terminated by signal 9" in cluster.log.read_text(), "the log")
    assert "marzipan" not in cluster.log.read_text()


def test_the_server_stops_with_its_last_user_and_begins_anew_whole(cluster):
    """The first to go changes nothing, the last one stops it. Half-made data is made again, and a new secret becomes the roles' password."""
    half_made = cluster.home / "postgres.new" / "base"
    half_made.mkdir(parents=True)
    first, second = hold(cluster), hold(cluster)
    assert let_go(cluster, first, timeout_s=30)
    assert ask(cluster.urls()["DATABASE_URL"], "SELECT 1") == (1,)
    assert let_go(cluster, second, timeout_s=30)
    assert not is_held(cluster.keeper_lock)
    assert not cluster.pid_file.exists()
    (cluster.home / "database_secret").unlink()
    hold(cluster)
    assert ask(cluster.urls()["DATABASE_URL"], "SELECT 1") == (1,)


def test_a_killed_user_leaves_no_server_behind(cluster):
    """The hold is the kernel's: kill -9 of the only process that uses the server stops the server."""
    command = [sys.executable, "-c", HOLD_AND_WAIT, str(cluster.home)]
    with subprocess.Popen(command, cwd=PROJECT, env=terminal(), stdout=subprocess.PIPE, text=True) as user:
        assert user.stdout.readline() == "held\n"
        assert is_held(cluster.keeper_lock)
        user.kill()
    wait_until(lambda: not is_held(cluster.keeper_lock), "the end of the server")


def test_committed_rows_survive_a_killed_server_and_a_pid_that_means_somebody_else(cluster):
    """After kill -9 of the server, a stale process id in its mark does not keep the next one from starting."""
    users = hold(cluster)
    url = cluster.urls()["DATABASE_OWNER_URL"]
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    server = int(cluster.pid_file.read_text())
    os.kill(server, signal.SIGKILL)
    wait_until(lambda: cluster.pid_file.read_text() != f"{server}\n", "a new server")
    let_go(cluster, users, timeout_s=30)
    mark = cluster.data / "postmaster.pid"
    mark.write_text(f"{os.getpid()}\n{cluster.data}\n1\n5432\n{cluster.sockets}\n\n0 0\nready\n")
    hold(cluster)
    assert ask(url, "SELECT answer FROM kept") == (42,)


@pytest.mark.slow
def test_who_meets_a_keeper_that_ends_starts_the_next(cluster):
    """A keeper whose server has already stopped is waited for and followed, not taken for a server that fails."""
    let_go(cluster, hold(cluster), timeout_s=30)
    ending = FileLock(cluster.keeper_lock)
    assert ending.try_acquire()
    end = Timer(0.5, ending.release)
    end.start()
    hold(cluster)
    end.join()
    assert ask(cluster.urls()["DATABASE_URL"], "SELECT 1") == (1,)
