"""Where the embedded PostgreSQL keeps its things, and the URLs that lead to it."""

import hashlib
import hmac
import os
import tempfile
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from companion_site.secret_files import read_or_make_text

DATABASE = "companion"
#: The environment variable that names each role's URL.
ROLES = {
    "DATABASE_URL": "companion_site",
    "DATABASE_OWNER_URL": "companion_owner",
    "DATABASE_METADATA_URL": "companion_metadata",
}
SUPERUSER = "postgres"
#: sun_path holds 104 bytes on macOS and 108 on Linux, with the final NUL.
LONGEST_SOCKET_PATH = 103


class Cluster:
    """One embedded database cluster; everything it owns lies under `home`.

    Attributes:
        users_lock: shared by everybody who uses the database; whoever gets it alone may stop the server.
        keeper_lock: held by the one process that keeps the server up.
        durable: False gives up safety against a power cut for speed; for test databases only.
    """

    def __init__(self, home: Path, *, durable: bool = True) -> None:
        self.home, self.durable = home.resolve(), durable
        self.data, self.run = self.home / "postgres", self.home / "run"
        self.log = self.home / "log" / "postgres.log"
        self.pid_file = self.run / "postgres.pid"
        self.users_lock, self.start_lock, self.keeper_lock = (
            self.run / f"postgres.{name}" for name in ("users", "start", "keeper")
        )

    @cached_property
    def sockets(self) -> Path:
        """The directory of the server's socket: beside the data, or a short one of this user's when that is too long."""
        beside = self.run / "db"
        if len(os.fsencode(beside / ".s.PGSQL.5432")) <= LONGEST_SOCKET_PATH:
            return beside
        digest = hashlib.sha256(os.fsencode(self.home)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"companion-{os.geteuid()}-{digest}"

    def password(self, role: str) -> str:
        """Return the role's password, derived from one secret that is made on the first call."""
        secret = read_or_make_text(self.home / "database_secret")
        return hmac.new(secret.encode(), role.encode(), hashlib.sha256).hexdigest()

    def urls(self) -> dict[str, str]:
        """Return the environment variable and URL of each role; the server need not run."""
        host = quote(str(self.sockets), safe="")
        return {
            variable: f"postgres://{role}:{self.password(role)}@/{DATABASE}?host={host}"
            for variable, role in ROLES.items()
        }
