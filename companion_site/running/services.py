"""The site's long-running processes, and the patience with one that keeps dying."""

import sys
import time

from companion_site.running.children import ChildGroup
from companion_site.running.environment import PROJECT, Environment
from companion_site.running.problems import CannotStart

#: A process that lived this long had started; its end is an accident, and it starts again at once.
STEADY_S = 3.0
#: So many ends in a row sooner than that, and the site gives up.
QUICK_ENDS = 7
LONGEST_PAUSE_S = 5.0


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
    command += ["--loop", "uvloop", "--http", "httptools", "--lifespan", "off"]
    command += ["--no-access-log", "--no-server-header", "--log-level", "warning"]
    # Which proxies are believed is the site's own decision (client_address.py).
    command += ["--no-proxy-headers"]
    command += ["--timeout-graceful-shutdown", "2"]
    return Service(ChildGroup("web", command, run=environment.var_dir / "run", cwd=PROJECT, env=env))


def worker_service(environment: Environment, env: dict[str, str]) -> Service:
    """Return the background worker, not yet started."""
    command = [sys.executable, "manage.py", "work"]
    return Service(ChildGroup("worker", command, run=environment.var_dir / "run", cwd=PROJECT, env=env))
