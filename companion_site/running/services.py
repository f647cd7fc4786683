"""The processes of the site: the preparation of the database, then web and worker, started again when they end."""

import hashlib
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from companion_site.running import PROJECT, CannotStart
from companion_site.running.children import ChildGroup
from companion_site.running.environment import Environment

#: For a preparation that is cut short.
GRACE_S = 4.0
#: A process that lived this long had started; its end is an accident, and it starts again at once.
STEADY_S = 3.0
#: So many ends in a row sooner than that, and the site gives up.
QUICK_ENDS = 7
LONGEST_PAUSE_S = 5.0
#: Where both would use a core, others get three quarters of it: pages come first, and memories still form on a busy machine.
NICENESS = 5
#: Where the kernel shares the processors out by session first, a process's niceness counts within its session alone.
SESSION = Path("/proc/self/autogroup")


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
            raise CannotStart("The site could not be prepared: what went wrong is above.")
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


class Service:
    """One process group that is started again whenever it ends."""

    def __init__(self, group: ChildGroup, *, first_pause_s: float = 0.1) -> None:
        self.group = group
        self.first_pause_s = first_pause_s
        self.quick_ends = 0
        self.started_at = 0.0
        self.start_again_at: float | None = None

    def start(self) -> None:
        """Start the process now."""
        self.group.start()
        self.started_at = time.monotonic()
        self.start_again_at = None

    def tend(self) -> None:
        """Start the process again when it has ended and its pause is over; one never started is left alone.

        Raises:
            CannotStart: it ended too often too soon.
        """
        now = time.monotonic()
        if self.group.process is None:
            return
        if self.start_again_at is not None:
            if now >= self.start_again_at:
                self.start()
        elif self.group.ended():
            self.group.end(grace_s=0)
            self._plan_restart(now)

    def _plan_restart(self, now: float) -> None:
        self.quick_ends = 0 if now - self.started_at > STEADY_S else self.quick_ends + 1
        if self.quick_ends >= QUICK_ENDS:
            raise CannotStart(f"The {self.group.name} process keeps ending: what it says is above.")
        pause_s = self.first_pause_s * 2**self.quick_ends if self.quick_ends else 0.0
        self.start_again_at = now + min(LONGEST_PAUSE_S, pause_s)


def web_service(environment: Environment, env: dict[str, str]) -> Service:
    """Return the web server, not yet started."""
    command = [sys.executable, "-m", "uvicorn", "companion_site.asgi:application"]
    command += ["--host", environment.host, "--port", str(environment.port)]
    command += ["--http", "httptools", "--lifespan", "off"]
    command += ["--no-access-log", "--no-server-header", "--log-level", "warning"]
    # Which proxies are believed is the site's own decision (client_address.py).
    command += ["--no-proxy-headers"]
    command += ["--timeout-graceful-shutdown", "2"]
    return Service(ChildGroup("web", command, run=environment.var_dir / "run", cwd=PROJECT, env=env))


def worker_service(environment: Environment, env: dict[str, str]) -> Service:
    """Return the background worker, not yet started."""
    command = [sys.executable, "manage.py", "work"]
    return Service(ChildGroup("worker", command, run=environment.var_dir / "run", cwd=PROJECT, env=env))


def give_way() -> None:
    """Let every other process go first, from here on, with what this one forks; a session of its own likewise."""
    os.nice(NICENESS)
    if os.getsid(0) == os.getpid():
        with suppress(
            OSError
        ):  # no such kernel, or shared out otherwise: then the niceness above is what counts
            SESSION.write_text(str(NICENESS))
