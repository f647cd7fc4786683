"""Databases for tests: one is migrated, which takes a while; all others are copies of it, until a migration changes."""

import os
import re
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from hashlib import sha256
from threading import current_thread
from uuid import UUID

import psutil
import psycopg
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

from companion_site.postgres.base import DatabaseWrapper
from companion_site.running import PROJECT
from companion_site.running.cluster import SUPERUSER

ALIASES = ("default", "owner", "metadata", "channels_postgres")
#: What a migrated database is made of: the project's migrations, what they import, and the versions of all others.
SOURCES = (
    "*/migrations/*.py",
    "companion_site/*/migrations/*.py",
    "companion_site/postgres/*.py",
    "companion_site/vault/*.py",
    "companion_site/ids.py",
    "requirements.txt",
)
#: A table whose file is empty holds no row. One that has grown large is made anew, with all that refer to it.
EMPTY = """
DO $$
DECLARE
    touched record;
BEGIN
    SET LOCAL session_replication_role = replica;
    SET LOCAL lock_timeout = '20s';
    FOR touched IN
        SELECT oid::regclass AS name, pg_relation_size(oid) AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0
            AND relname NOT IN ('django_migrations', 'django_content_type', 'auth_permission')
    LOOP
        IF touched.bytes > 4000000 THEN
            EXECUTE format('TRUNCATE %s CASCADE', touched.name);
        ELSE
            EXECUTE format('DELETE FROM %s', touched.name);
        END IF;
    END LOOP;
END
$$
"""
#: by a process's id, so that what a killed one left is known; by what a template is made of
DATABASE, TEMPLATE = "test_companion_", "template_companion_"
#: How the site's own threads that last are called, or begin to be called; asgiref's one for all that is not told where to run.
POOLS = ("chat_", "mcp_", "grants", "asgiref")
#: the connections of those threads, and those that empty the tables of a database
_kept: set[DatabaseWrapper] = set()
_administrators: dict[str, psycopg.Connection] = {}


def make_database(name: str) -> None:
    """Make a migrated database, and have this process work in it from now on; what others left behind goes."""
    template = template_name()
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as owner:
        # One makes the template, the others wait for it; the lock goes with the connection.
        owner.execute("SELECT pg_advisory_lock(hashtext(%s))", [TEMPLATE])
        _drop_leftovers(owner)
        others = set(_databases(owner, TEMPLATE)) - {template}
        for other in others:
            owner.execute(f'DROP DATABASE IF EXISTS "{other}"')
        if template not in _databases(owner, TEMPLATE):
            making = f"{name}_template"
            owner.execute(f'CREATE DATABASE "{making}"')
            work_in(making)
            call_command("migrate", verbosity=0, skip_checks=True)
            connections.close_all()
            owner.execute(f'ALTER DATABASE "{making}" RENAME TO "{template}"')
        owner.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    work_in(name)


def keep_connections_of_pools() -> None:
    """Have the threads of the site's pools keep their connections, as they do on the site.

    To make one takes longer than most of what it is asked; a test's own threads, which end, leave none behind.
    """
    SyncToAsync.single_thread_executor = ThreadPoolExecutor(1, thread_name_prefix=POOLS[-1])
    connect = DatabaseWrapper.connect

    def connect_and_keep(self: DatabaseWrapper) -> None:
        connect(self)
        if current_thread().name.startswith(POOLS):
            self.close_at = None
            _kept.add(self)

    DatabaseWrapper.connect = connect_and_keep


def close_kept_connections() -> None:
    """Close what was kept, at the end of a run."""
    for connection in _kept:
        connection.inc_thread_sharing()
        connection.close()
    for administrator in _administrators.values():
        administrator.close()
    _kept.clear()
    _administrators.clear()


def work_in(name: str) -> None:
    """Have every connection of this process lead to a database."""
    for alias in ALIASES:
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = name
    settings.CHANNEL_LAYERS["default"]["CONFIG"]["NAME"] = name


def connect_as_owner() -> psycopg.Connection:
    """Return a connection of its own to this process's database, as the owner of its tables."""
    name = connections["owner"].settings_dict["NAME"]
    return psycopg.connect(os.environ["DATABASE_OWNER_URL"], dbname=name, autocommit=True)


def empty_tables() -> None:
    """Take every row out of this process's database, whoever wrote it.

    Only tables that hold something are gone through, row by row: after most tests there are few. The database's own
    administrator does it, whom no foreign key and no policy stops.
    """
    _administrator(connections["owner"].settings_dict["NAME"]).execute(EMPTY)


def empty_table(model: type[Model]) -> None:
    """Take every row of one model out of this process's database, whoever wrote it."""
    name = connections["owner"].settings_dict["NAME"]
    _administrator(name).execute(SQL("DELETE FROM {}").format(Identifier(model._meta.db_table)))


def _administrator(name: str) -> psycopg.Connection:
    """Return the administrator's one connection to a database."""
    if name not in _administrators:
        place = conninfo_to_dict(os.environ["DATABASE_OWNER_URL"])["host"]
        _administrators[name] = psycopg.connect(host=place, user=SUPERUSER, dbname=name, autocommit=True)
    return _administrators[name]


def is_at_rest(connection: BaseDatabaseWrapper) -> bool:
    """Tell whether the next test may go on with a connection: it works, and is in no transaction."""
    return connection.is_usable() and not connection.in_atomic_block and connection.get_autocommit()


def none_of_them(spaces: Collection[UUID], *, now: datetime) -> set[UUID]:
    """Say of no space that nothing opens it any more; see `SPACES_WITHOUT_STANDING`."""
    return set()


def template_name() -> str:
    """Return the name of the database that all others are copies of, by what it is made of."""
    found = sha256()
    for source in SOURCES:
        for file in sorted(path for path in PROJECT.glob(source) if ".venv" not in path.parts):
            found.update(file.name.encode() + b"\0" + sha256(file.read_bytes()).digest())
    return TEMPLATE + found.hexdigest()[:16]


def _databases(owner: psycopg.Connection, prefix: str) -> list[str]:
    rows = owner.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [prefix])
    return [row[0] for row in rows]


def _drop_leftovers(owner: psycopg.Connection) -> None:
    """Drop the databases of runs that have ended; a run's own connections outlive its last test."""
    for name in _databases(owner, DATABASE):
        if not psutil.pid_exists(int(re.search(r"\d+", name).group())):
            owner.execute(f'DROP DATABASE IF EXISTS "{name}"')
