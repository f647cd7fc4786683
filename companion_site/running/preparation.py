"""What has to be done to the database before the site is used: `manage.py prepare`, and when it may run beside the start."""

import hashlib
import sys
import tempfile

from companion_site.running.children import ChildGroup
from companion_site.running.environment import PROJECT, Environment
from companion_site.running.problems import CannotStart

GRACE_S = 4.0


class Preparation:
    """One run of `manage.py prepare`: migrations, schedules, packs to take in, demo people."""

    def __init__(self, environment: Environment, env: dict[str, str]) -> None:
        run = environment.var_dir / "run"
        command = [sys.executable, "manage.py", "prepare"]
        self.group = ChildGroup("prepare", command, run=run, cwd=PROJECT, env=env)
        self.done_file = run / "prepared"
        self.fingerprint = _fingerprint([env.get("DATABASE_OWNER_URL", ""), env["DATABASE_URL"]])
        self.output = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed by `end`)

    def done_before(self) -> bool:
        """Tell whether this code has prepared this database before, so that there is nothing to migrate."""
        return self.done_file.exists() and self.done_file.read_text() == self.fingerprint

    def start(self) -> None:
        """Start the command."""
        self.group.start(stdout=self.output)

    def ended(self) -> bool:
        """Tell whether it has ended.

        Raises:
            CannotStart: it failed.
        """
        if self.group.exit_code():
            self.done_file.unlink(missing_ok=True)
            raise CannotStart("The database could not be prepared: what went wrong is above.")
        if self.group.ended():
            self.done_file.write_text(self.fingerprint)
        return self.group.ended()

    def introduction(self) -> str:
        """Return what it wrote: the demo people's log-ins."""
        self.output.seek(0)
        return self.output.read()

    def end(self) -> None:
        """Leave nothing of it behind, finished or not."""
        self.group.ask_to_stop()
        self.group.end(grace_s=GRACE_S)
        self.output.close()


def _fingerprint(urls: list[str]) -> str:
    """Return a digest of the migrations, the installed versions and the databases they are for."""
    digest = hashlib.sha256("\n".join(urls).encode())
    ours = [*PROJECT.glob("*/migrations/*.py"), *PROJECT.glob("*/*/migrations/*.py")]
    for path in sorted([*ours, PROJECT / "requirements.txt"]):
        digest.update(str(path.relative_to(PROJECT)).encode() + path.read_bytes())
    return digest.hexdigest()
