"""The SQL that makes Companion's three roles and its database, for the embedded server and for any other.

`python -m companion_site.running.roles | psql "$ADMIN_URL"` prepares a server of your own; the passwords are made
afresh and printed, with the settings to use, as the script's last lines.
"""

import secrets
import sys
from pathlib import Path

from companion_site.running.cluster import DATABASE, ROLES

TEMPLATE = Path(__file__).with_name("roles.sql")
#: For vectors in open tables; only a superuser may install it on the embedded server.
EXTENSION = "CREATE EXTENSION IF NOT EXISTS vector;"


def roles_sql(passwords: dict[str, str]) -> str:
    """Return the statements that make the roles.

    Args:
        passwords: by role name; letters, digits, `-` and `_` only, since they are written between quotes.

    Raises:
        ValueError: a password holds another character.
    """
    for password in passwords.values():
        if not password.replace("-", "").replace("_", "").isalnum():
            raise ValueError("a role's password may hold letters, digits, - and _ only")
    text = TEMPLATE.read_text()
    for role, password in passwords.items():
        text = text.replace("{" + role + "}", password)
    return text


def script(passwords: dict[str, str]) -> str:
    """Return a psql script for a server that an administrator owns, ending with the settings to copy."""
    lines = [
        r"\set ON_ERROR_STOP on",
        roles_sql(passwords),
        "GRANT companion_owner TO CURRENT_USER;",
        f"SELECT 'CREATE DATABASE {DATABASE} OWNER companion_owner'",
        rf"WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{DATABASE}') \gexec",
        rf"\connect {DATABASE}",
        EXTENSION,
        "-- For tests against this server, also: psql -d template1 -c 'CREATE EXTENSION vector'",
        r"\echo Put these into .env, with the name of the server in place of HOST:",
    ]
    lines += [
        rf"\echo {variable}=postgres://{role}:{passwords[role]}@HOST:5432/{DATABASE}"
        for variable, role in ROLES.items()
    ]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.stdout.write(script({role: secrets.token_urlsafe(24) for role in ROLES.values()}))
