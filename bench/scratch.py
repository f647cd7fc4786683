"""A site of its own to measure on: an embedded PostgreSQL, an empty migrated database, keys in a temporary folder.

Nothing needs to be set, nothing of the real site is touched, and nothing stays behind; what a killed run left is
dropped by the next.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from environ import Env

from bench import ENVIRONMENT
from companion_site.running.cluster import Cluster
from companion_site.running.embedded import hold, let_go
from companion_site.running.environment import read_environment
from companion_site.vault.grants import open_grants
from tests.databases import template_name

#: The tests drop databases of this name too, once the process with that number has gone.
PREFIX = "test_companion_"
STOP_TIMEOUT_S = 30.0
ALIASES = {"default": "DATABASE_URL", "owner": "DATABASE_OWNER_URL", "metadata": "DATABASE_METADATA_URL"}
END_TIMEOUT_MS = 5_000


@contextmanager
def scratch_site(*, durable: bool, chain: str = "offline") -> Iterator[None]:
    """Have the site's code work on a database that is there for the length of the block; once in a process.

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
            _settle(urls, Path(keys), chain)
            if not is_migrated:
                call_command("migrate", verbosity=0, skip_checks=True)
            connections.close_all()
            try:
                yield
            finally:
                connections.close_all()
    finally:
        let_go(cluster, users, timeout_s=STOP_TIMEOUT_S)


def _settle(urls: dict[str, str], keys: Path, chain: str) -> None:
    """Have this process, and what it starts, work on that database with those keys."""
    os.environ |= {
        **ENVIRONMENT,
        **urls,
        "KEY_STORE_DIR": str(keys),
        "AUDIT_CHECKPOINT_DIR": str(keys / "checkpoints"),
        "LLM_CHAIN": chain,
    }
    for alias, variable in ALIASES.items():
        config, database = Env.db_url_config(urls[variable]), settings.DATABASES[alias]
        options = {**database["OPTIONS"], **config.get("OPTIONS", {})}
        database |= {**config, "ENGINE": database["ENGINE"], "OPTIONS": options}
    settings.KEY_STORE_DIR = keys
    settings.AUDIT_KEYS_DIR, settings.AUDIT_CHECKPOINT_DIR = keys / "audit", keys / "checkpoints"
    settings.LLM_CHAIN = [name.strip() for name in chain.split(",")]
    # Nobody listens, and a layer on the database would keep connections of its own.
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    # Nobody logs in here, so no log-in keeps a space open.
    open_grants().paused = True


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
