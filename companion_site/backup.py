"""Copies of the database and of the keys, and putting them back: docs/operations.md, "Backup" and "Restore".

The two are written and kept apart: a dump opens nothing without the keys, and the keys open nothing without a dump.
PostgreSQL's own `pg_dump` and `pg_restore` do the work, as the server's administrator: the site's roles and the owner see only
the rows of one space at a time.
"""

import os
import secrets
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import psycopg
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connections
from psycopg.conninfo import make_conninfo

from companion_site.env import Env
from companion_site.running import CannotStart
from companion_site.running.cluster import DATABASE, SUPERUSER, Cluster
from companion_site.running.environment import connection_parameters
from companion_site.running.server_files import programs
from companion_site.secret_files import new_file

env = Env()

#: Rows that are of no use the day after: sessions hold half a key each, channels what is being said at the moment.
FLEETING = ("accounts_session", "channels_postgres_*")
DUMP, KEYS = ".dump", ".keys.tar"
#: What the archive of keys calls the key store.
STORE = "keys"


def dump_database(directory: Path, *, now: datetime) -> Path:
    """Write everything in the database to a new file in `directory`; return its path.

    Raises:
        CommandError: the keys are kept there, or `pg_dump` cannot read the database.
    """
    path = _free_path(directory, f"{_stamp(now)}{DUMP}", apart_from=KEYS)
    excluded = [f"--exclude-table-data={table}" for table in FLEETING]
    draft = path.with_suffix(".part")
    _run("pg_dump", "--format=custom", *excluded, f"--file={draft}")
    draft.chmod(0o600)
    draft.rename(path)
    return path


def copy_keys(directory: Path, *, now: datetime) -> Path:
    """Write the key store to a new file in `directory`; return its path. Make the dump first: keys made meanwhile come along.

    Raises:
        CommandError: a dump is kept there, or the key store is no directory.
    """
    path = _free_path(directory, f"{_stamp(now)}{KEYS}", apart_from=DUMP)
    draft = path.with_suffix(".part")
    with new_file(draft) as file:
        write_keys(file)
    draft.rename(path)
    return path


def write_keys(file: IO[bytes]) -> None:
    """Write the key store as one archive.

    Raises:
        CommandError: the key store is no directory; a service that keeps keys has a backup of its own.
    """
    store = Path(settings.KEY_STORE_DIR)
    if not store.is_dir():
        raise CommandError(
            f"There are no keys in {store}: KEY_STORE_DIR names another place, or none were made."
        )
    with tarfile.open(fileobj=file, mode="w|") as archive:
        archive.add(store, arcname=STORE, filter=_without_owner)


def restore_keys(path: Path) -> None:
    """Put an archive of keys in place of a key store that seals nothing yet; what that one holds is moved aside.

    Raises:
        CommandError: there are keys of memories already, or this is no archive of keys.
    """
    store = Path(settings.KEY_STORE_DIR)
    if any(store.glob("erasure/*")):
        raise CommandError(f"There are keys in {store} already: move them away first.")
    draft = store.with_name(f"{store.name}.restored")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True, mode=0o700)
    try:
        with tarfile.open(path) as archive:
            members = [member for member in archive if member.name.split("/")[0] == STORE]
            archive.extractall(draft, members, filter="data")
    except (tarfile.TarError, OSError) as error:
        raise CommandError(f"{path} is no archive of keys: {error}") from None
    if not (draft / STORE).is_dir():
        raise CommandError(f"{path} holds no keys.")
    for place in (draft / STORE, *(draft / STORE).rglob("*")):
        place.chmod(0o700 if place.is_dir() else 0o600)
    if store.exists():
        store.rename(store.with_name(f"{store.name}.aside-{secrets.token_hex(4)}"))
    (draft / STORE).rename(store)
    draft.rmdir()


def restore_database(path: Path) -> None:
    """Read a dump into the database, which must be empty; all of it or nothing.

    Raises:
        CommandError: the database is not empty, or this is no dump.
    """
    if not path.is_file():
        raise CommandError(f"{path} is no file.")
    with psycopg.connect(**_administrator()) as connection:
        found = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
    if found and found[0]:
        raise CommandError("The database is not empty: restore into a new one (docs/operations.md).")
    connections.close_all()
    _run("pg_restore", "--exit-on-error", "--single-transaction", path)


def _run(program: str, *arguments: object) -> None:
    """Run one of PostgreSQL's programs as the administrator; its password is in no command line."""
    parameters = _administrator()
    secret = {"PGPASSWORD": str(parameters.pop("password"))} if parameters.get("password") else {}
    words = [str(_program(program)), f"--dbname={make_conninfo(**parameters)}", *map(str, arguments)]
    done = subprocess.run(  # noqa: S603 (PostgreSQL's own program)
        words, env={**os.environ, **secret}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or ["no reason was given"]
        raise CommandError(f"{program} failed: {lines[0]}")


def _administrator() -> dict[str, Any]:
    """Return how the server's administrator connects: by `DATABASE_ADMIN_URL`, or to the embedded server as the system's user."""
    given = env.str("DATABASE_ADMIN_URL", "")
    if given:
        return connection_parameters("DATABASE_ADMIN_URL", given)
    if env.str("DATABASE_URL", ""):
        raise CommandError(
            "Set DATABASE_ADMIN_URL: the site's own roles do not see all rows (docs/operations.md)."
        )
    sockets = Cluster(Path(settings.VAR_DIR)).sockets
    return {"host": str(sockets), "user": SUPERUSER, "dbname": DATABASE, "connect_timeout": 5}


def _program(name: str) -> Path:
    try:
        return programs() / name
    except CannotStart:
        found = shutil.which(name)
    if found is None:
        raise CommandError(f"{name} is not installed (Debian: apt install postgresql-client).")
    return Path(found)


def _free_path(directory: Path, name: str, *, apart_from: str) -> Path:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside: Iterator[Path] = directory.glob(f"*{apart_from}")
    if next(beside, None) is not None:
        raise CommandError(f"{directory} holds {apart_from} files: keep the database and the keys apart.")
    path = directory / name
    if path.exists():
        raise CommandError(f"{path} exists already.")
    return path


def _stamp(now: datetime) -> str:
    return f"companion-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry if entry.isfile() or entry.isdir() else None
