"""The embedded PostgreSQL: its URLs, and a hold on it for as long as somebody uses it."""

import subprocess
import sys
import time

import psycopg

from companion_site.running import PROJECT, CannotStart
from companion_site.running.cluster import DATABASE, ROLES, SUPERUSER, Cluster
from companion_site.running.environment import connection_parameters, read_environment
from companion_site.running.locks import FileLock, is_held, locked
from companion_site.running.roles import EXTENSION, roles_sql
from companion_site.running.server_files import prepare_files

#: Recovery after a power cut reads the log back; it takes longer than any start.
START_TIMEOUT_S = 120
LOG_LIMIT_BYTES = 10_000_000
#: Commands of Django that touch no database; every other one gets it.
WITHOUT_DATABASE = {
    "",
    "-h",
    "--help",
    "--version",
    "check",
    "collectstatic",
    "compilemessages",
    "diffsettings",
    "findstatic",
    "help",
    "makemessages",
    "startapp",
    "version",
}


def hold(cluster: Cluster) -> FileLock:
    """Make sure that the server runs and keep it running until the returned lock is released or this process ends.

    Raises:
        CannotStart: the server does not come up.
    """
    users = FileLock(cluster.users_lock)
    users.acquire(shared=True)
    try:
        ensure_running(cluster)
    except BaseException:
        users.release()
        raise
    return users


def ensure_running(cluster: Cluster) -> None:
    """Start the server unless it runs; the caller holds the lock of its users.

    Raises:
        CannotStart: the server does not come up.
    """
    with locked(cluster.start_lock):
        if is_held(cluster.keeper_lock) and _answers(cluster):
            return
        prepare_files(cluster)
        _start_keeper(cluster)
        with _connect(cluster) as connection:
            _make_roles(cluster, connection)


def _answers(cluster: Cluster) -> bool:
    """Wait for the kept server to answer; False when its keeper was about to end and is gone.

    Raises:
        CannotStart: the server does not answer, and the keeper goes on.
    """
    try:
        _connect(cluster).close()
    except CannotStart:
        if is_held(cluster.keeper_lock):
            raise
        return False
    return True


def let_go(cluster: Cluster, users: FileLock, *, timeout_s: float) -> bool:
    """Give up a hold and wait for the server to stop, unless others use it; False when it takes longer than that."""
    users.release()
    if _others_use(cluster):
        return True
    with FileLock(cluster.keeper_lock) as keeper:
        return keeper.acquire_within(timeout_s)


def _others_use(cluster: Cluster) -> bool:
    """Tell users, who share the lock, from a keeper that has it alone because it is stopping the server."""
    with FileLock(cluster.users_lock) as lock:
        return not lock.try_acquire() and lock.try_acquire(shared=True)


def _start_keeper(cluster: Cluster) -> None:
    if cluster.log.exists() and cluster.log.stat().st_size > LOG_LIMIT_BYTES:
        cluster.log.replace(cluster.log.with_suffix(".log.1"))
    durability = "durable" if cluster.durable else "unsafe"
    command = [sys.executable, "-m", "companion_site.running.keeper", str(cluster.home), durability]
    with cluster.log.open("ab") as log:
        subprocess.run(  # noqa: S603 (our own program)
            command, cwd=PROJECT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=False
        )


def _connect(cluster: Cluster, database: str = "postgres") -> psycopg.Connection:
    """Connect as the superuser, by the operating system's word for who asks, as soon as the server answers."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            return psycopg.connect(
                host=str(cluster.sockets), user=SUPERUSER, dbname=database, autocommit=True, connect_timeout=5
            )
        except psycopg.OperationalError as error:
            if not is_held(cluster.keeper_lock) or time.monotonic() > deadline:
                raise CannotStart(_why_not(cluster, error)) from None
        time.sleep(0.02)


def _why_not(cluster: Cluster, error: psycopg.OperationalError) -> str:
    """Put the server's last complaint, or else the connection's, into one line."""
    lines = cluster.log.read_text(errors="replace").splitlines()[-50:] if cluster.log.exists() else []
    complaints = [line.partition("FATAL:")[2].strip() for line in lines if "FATAL:" in line]
    complaints = [complaint for complaint in complaints if not complaint.startswith("the database system is")]
    reason = complaints[-1] if complaints else str(error).strip().splitlines()[0]
    return f"The embedded database does not start: {reason} (see {cluster.log})."


def _make_roles(cluster: Cluster, connection: psycopg.Connection) -> None:
    """Make the roles and the database; done at every start, so that a lost secret or an update heals itself."""
    if not cluster.durable:
        _drop_abandoned(connection)
    connection.execute(roles_sql({role: cluster.password(role) for role in ROLES.values()}))
    found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
    if found:
        return
    with _connect(cluster, "template1") as template:
        template.execute(EXTENSION)
    connection.execute(f"CREATE DATABASE {DATABASE} OWNER companion_owner")


def _drop_abandoned(connection: psycopg.Connection) -> None:
    """Drop the databases of test runs that were killed; the server has just started, so nobody uses them."""
    query = "SELECT format('DROP DATABASE %I', datname) FROM pg_database WHERE starts_with(datname, 'test_')"
    for (statement,) in connection.execute(query).fetchall():
        connection.execute(statement)


def ensure_for_command(arguments: list[str]) -> FileLock | None:
    """Hold the embedded database for the length of a command; it stops afterwards unless somebody else uses it.

    Args:
        arguments: the command line, the program's name first.

    Returns:
        The hold, dropped by the end of the process, or None when no embedded database is wanted.
    """
    try:
        environment = read_environment()
        command = arguments[1] if len(arguments) > 1 else ""
        for variable, url in environment.database_urls.items():
            connection_parameters(variable, url)
        if (
            environment.database_urls
            or command in WITHOUT_DATABASE
            or {"--help", "--offline"} & set(arguments)
        ):
            return None
        return hold(Cluster(environment.var_dir))
    except CannotStart as problem:
        sys.exit(str(problem))
