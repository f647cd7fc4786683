"""A database of one's own, given by DATABASE_URL: looked at once before anything is started."""

import warnings
from typing import Any

import environ
import psycopg

from companion_site.running.problems import CannotStart

FORM = "postgres://USER:PASSWORD@HOST:5432/NAME"


def connection_parameters(variable: str, url: str) -> dict[str, Any]:
    """Read a URL as the settings do, into the arguments of a connection.

    Raises:
        CannotStart: it is not the URL of a PostgreSQL database.
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            config = environ.Env.db_url_config(url)
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
