"""The few settings that are needed before Django is, read as settings.py reads them, and a look at a given database."""

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from companion_site.env import Env
from companion_site.residue import has_glibc, overwriting_freed
from companion_site.running import PROJECT, CannotStart
from companion_site.running.cluster import ROLES

FORM = "postgres://USER:PASSWORD@HOST:5432/NAME"


@dataclass(frozen=True)
class Environment:
    """Where the site listens and keeps its things; `database_urls` is empty when the database is the embedded one."""

    host: str
    port: int
    var_dir: Path
    database_urls: dict[str, str]
    wipe_freed_memory: bool = True


def read_environment() -> Environment:
    """Read the settings.

    Raises:
        CannotStart: PORT is not a port.
        SystemExit: another value cannot be read.
    """
    Env.read_env(PROJECT / ".env", overwrite=False)
    env = Env()
    given = {name: env.str(name, "") for name in ROLES}
    return Environment(
        host=env.text("HOST", "127.0.0.1"),
        port=_port(env.text("PORT", "8000")),
        var_dir=Path(env.text("VAR_DIR", str(PROJECT / "var"))).resolve(),
        database_urls={name: url for name, url in given.items() if url} if given["DATABASE_URL"] else {},
        wipe_freed_memory=env.switch("WIPE_FREED_MEMORY", default=True),
    )


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) < 65536:
        return int(text)
    raise CannotStart(f"PORT={text} is not a port: choose a number from 1 to 65535.")


def for_keepers_of_keys(environment: Environment, env: dict[str, str]) -> dict[str, str]:
    """Return the environment of the processes that open people's memories: what they free is overwritten, where it can be."""
    return overwriting_freed(env) if environment.wipe_freed_memory and has_glibc() else env


def connection_parameters(variable: str, url: str) -> dict[str, Any]:
    """Read a URL as the settings do, into the arguments of a connection.

    Raises:
        CannotStart: it is not the URL of a PostgreSQL database.
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            config = Env.db_url_config(url)
    except ValueError:
        config = {}
    if config.get("ENGINE") != "django.db.backends.postgresql" or not config["NAME"]:
        raise CannotStart(f"{variable} is not the URL of a PostgreSQL database: it reads {FORM}.")
    named = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD", "dbname": "NAME"}
    given = {ours: config[theirs] for ours, theirs in named.items() if config[theirs]}
    return {"connect_timeout": 5, **given, **config.get("OPTIONS", {})}


def check_given(urls: dict[str, str]) -> None:
    """Connect to each URL once.

    Raises:
        CannotStart: one is not a PostgreSQL URL or cannot be reached; the message names no password.
    """
    for variable, url in urls.items():
        parameters = connection_parameters(variable, url)
        try:
            psycopg.connect(**parameters).close()
        except psycopg.Error as error:
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise CannotStart(f"{variable}: the database does not answer: {reason}") from None
