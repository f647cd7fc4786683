"""A site of its own to measure on: an embedded PostgreSQL, an empty migrated database, keys in a temporary folder.

Nothing needs to be set, nothing of the real site is touched, and nothing stays behind; what a killed run left is
dropped by the next.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg

from companion_site.running.cluster import Cluster
from companion_site.running.embedded import hold, let_go
from companion_site.running.environment import read_environment
from tests.databases import template_name

#: The tests drop databases of this name too, once the process with that number has gone.
PREFIX = "test_companion_"
STOP_TIMEOUT_S = 30.0
END_TIMEOUT_MS = 5_000
#: Offline, without other people's services, and without a line of log for each memory.
FIXED = {
    "DJANGO_SETTINGS_MODULE": "companion_site.settings",
    "REDIS_URL": "",
    "MESSAGES_PER_MINUTE": "100000",
    "AUDIT_KEYS_DIR": "",
    "AUDIT_CHECKPOINT_COMMAND": "",
    "KEY_STORE": "companion_site.vault.keystore.DirectoryKeyStore",
    "LOG_LEVEL": "ERROR",
    "DATABASE_CONN_MAX_AGE": "600",
}


@contextmanager
def scratch_site(*, durable: bool, chain: str = "offline") -> Iterator[None]:
    """Set Django up on a database that is there for the length of the block; once in a process.

    Args:
        durable: writes survive a power cut, as they do on the real site; False is faster and right where only what
            is found matters.
        chain: the language models that are asked, as in LLM_CHAIN; their other settings are the site's.

    Raises:
        CannotStart: the database does not come up.
    """
    home = read_environment().var_dir / ("bench-postgres" if durable else "test-postgres")
    cluster = Cluster(home, durable=durable)
    users = hold(cluster)
    try:
        with _database(cluster) as (urls, is_migrated), TemporaryDirectory(prefix="companion-keys-") as keys:
            os.environ.update(
                {
                    **FIXED,
                    **urls,
                    "KEY_STORE_DIR": keys,
                    "AUDIT_CHECKPOINT_DIR": f"{keys}/checkpoints",
                    "LLM_CHAIN": chain,
                }
            )
            with _django(is_migrated=is_migrated):
                yield
    finally:
        let_go(cluster, users, timeout_s=STOP_TIMEOUT_S)


@contextmanager
def _database(cluster: Cluster) -> Iterator[tuple[dict[str, str], bool]]:
    """Make an empty database; yield the URLs that lead to it as each role, and whether it has its tables.

    Where the tests have left one to be copied, migrated by this very code, it is copied.
    """
    name = f"{PREFIX}{os.getpid()}_bench"
    with psycopg.connect(cluster.urls()["DATABASE_OWNER_URL"], autocommit=True) as owner:
        _drop_leftovers(owner)
        template = template_name()
        found = owner.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone()
        owner.execute(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template}"' if found else ""))
        try:
            yield {variable: _leading_to(name, url) for variable, url in cluster.urls().items()}, bool(found)
        finally:
            _end_connections(cluster, name)
            owner.execute(f'DROP DATABASE IF EXISTS "{name}"')


def _end_connections(cluster: Cluster, name: str) -> None:
    """End what other threads still hold open; a role may end its own connections only."""
    for url in cluster.urls().values():
        with psycopg.connect(url, autocommit=True) as role:
            role.execute(
                "SELECT pg_terminate_backend(pid, %s) FROM pg_stat_activity "
                "WHERE datname = %s AND usename = current_user",
                [END_TIMEOUT_MS, name],
            )


def _drop_leftovers(owner: psycopg.Connection) -> None:
    """Drop the databases of benches that were killed."""
    found = owner.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{PREFIX}%\\_bench"])
    for (name,) in found.fetchall():
        number = re.search(r"\d+", name)
        if number and not psutil.pid_exists(int(number.group())):
            owner.execute(f'DROP DATABASE IF EXISTS "{name}"')


def _leading_to(name: str, url: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


@contextmanager
def _django(*, is_migrated: bool) -> Iterator[None]:
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections

    django.setup()
    from companion_site.vault.grants import open_grants

    # Nobody listens, and a layer on the database would keep connections of its own.
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    # Nobody logs in here, so no log-in keeps a space open.
    open_grants().paused = True
    if not is_migrated:
        call_command("migrate", verbosity=0, skip_checks=True)
    connections.close_all()
    try:
        yield
    finally:
        connections.close_all()
