"""The one process behind `make run`: the database, the preparation, then web and worker until it is told to stop."""

import errno
import http.client
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

from companion_site.running import CannotStart
from companion_site.running.cluster import Cluster
from companion_site.running.embedded import ensure_running, hold, let_go
from companion_site.running.environment import Environment, check_given, for_keepers_of_keys
from companion_site.running.locks import FileLock, is_held
from companion_site.running.services import Preparation, Service, web_service, worker_service

TICK_S = 0.1
WEB_GRACE_S = 4.0
DATABASE_GRACE_S = 30.0
#: Addresses that mean every interface; the site is asked on the loopback instead.
ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (recognised, not bound)
#: What asks the site to stop: Ctrl-C, a service manager, a terminal that was closed.
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """Notes that a stop was asked for, and wakes a waiting loop when that or the end of a child happens."""

    def __init__(self) -> None:
        self.stop_asked = False
        self._reader, writer = os.pipe()
        for end in (self._reader, writer):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for signum in STOP_SIGNALS:
            # Under nohup the terminal's end is ignored, and stays so.
            if signum != signal.SIGHUP or signal.getsignal(signum) is not signal.SIG_IGN:
                signal.signal(signum, self._ask_to_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def wait(self, seconds: float) -> None:
        """Sleep so long, or until a signal comes."""
        ready, _, _ = select.select([self._reader], [], [], seconds)
        if ready:
            os.read(self._reader, 4096)

    def _ask_to_stop(self, *_: object) -> None:
        self.stop_asked = True


def run(environment: Environment) -> None:
    """Run the site until a signal asks for its end.

    Raises:
        CannotStart: something keeps it from starting or from staying up.
    """
    with _alone(environment):
        check_free(environment.host, environment.port)
        signals = Signals()
        with _database(environment) as (urls, cluster):
            env = {**os.environ, **urls, "VAR_DIR": str(environment.var_dir)}
            _supervise(environment, env, cluster, signals)


@contextmanager
def _alone(environment: Environment) -> Iterator[None]:
    with FileLock(environment.var_dir / "run" / "site.lock") as lock:
        if not lock.try_acquire():
            pid = os.pread(lock.fd, 20, 0).decode().strip()
            raise CannotStart(f"The site already runs on {environment.var_dir} (process {pid}).")
        os.ftruncate(lock.fd, 0)
        os.pwrite(lock.fd, str(os.getpid()).encode(), 0)
        yield


@contextmanager
def _database(environment: Environment) -> Iterator[tuple[dict[str, str], Cluster | None]]:
    """Yield the URLs of the given database, or those of the embedded one, which runs for as long as the block."""
    if environment.database_urls:
        check_given(environment.database_urls)
        yield environment.database_urls, None
        return
    cluster = Cluster(environment.var_dir)
    users = hold(cluster)
    try:
        yield cluster.urls(), cluster
    finally:
        let_go(cluster, users, timeout_s=DATABASE_GRACE_S)


def _supervise(
    environment: Environment, env: dict[str, str], cluster: Cluster | None, signals: Signals
) -> None:
    guarded = for_keepers_of_keys(environment, env)
    web, worker = web_service(environment, guarded), worker_service(environment, guarded)
    try:
        introduction = _start(web, environment, env, signals)
        if signals.stop_asked:
            return
        where = site_url(environment.host, environment.port)
        sys.stdout.write(f"\nCompanion is at {where} (Ctrl-C stops it)\n\n{introduction}")
        sys.stdout.flush()
        # Last, because its start would take a core from the page that somebody waits for.
        worker.start()
        while not signals.stop_asked:
            signals.wait(TICK_S)
            _tend([web, worker], cluster)
    finally:
        _stop([web, worker])


def _start(web: Service, environment: Environment, env: dict[str, str], signals: Signals) -> str:
    """Prepare the database and bring up the web server; return the introduction when both are there.

    They go side by side when there is nothing to migrate, and one after the other when there may be.
    """
    preparation = Preparation(environment, env)
    at_once = preparation.done_before()
    try:
        preparation.start()
        while not at_once and not signals.stop_asked and not preparation.ended():
            signals.wait(TICK_S)
        if not signals.stop_asked:
            web.start()
        host, port = environment.host, environment.port
        while not signals.stop_asked and not (preparation.ended() and site_answers(host, port)):
            signals.wait(TICK_S)
            web.tend()
        return preparation.introduction()
    finally:
        preparation.end()


def _tend(services: list[Service], cluster: Cluster | None) -> None:
    if cluster is not None and not is_held(cluster.keeper_lock):
        ensure_running(cluster)
    for service in services:
        service.tend()


def _stop(services: list[Service]) -> None:
    """End all of them side by side; what does not end in time is killed."""
    deadline = time.monotonic() + WEB_GRACE_S
    for service in services:
        service.group.ask_to_stop()
    for service in services:
        service.group.end(grace_s=max(0.0, deadline - time.monotonic()))


def check_free(host: str, port: int) -> None:
    """Bind the address once and let go of it.

    Raises:
        CannotStart: it is in use, not allowed, or not of this machine.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with closing(socket.socket(family, kind)) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
    except OSError as error:
        raise CannotStart(_reason(host, port, error)) from None


def _reason(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use: stop what uses it, or choose another one: PORT={port % 65535 + 1} make run"
    if error.errno == errno.EACCES:
        return f"Port {port} may not be used by this account: choose one above 1023: PORT=8000 make run"
    return f"HOST={host} is no address of this machine: {error.strerror}."


def site_url(host: str, port: int) -> str:
    """Return what to type into a browser on this machine."""
    name = ANY.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def site_answers(host: str, port: int) -> bool:
    """Tell whether the site says that it is well, or sends the question elsewhere (to https)."""
    connection = http.client.HTTPConnection(ANY.get(host, host), port, timeout=1)
    try:
        connection.request("GET", "/healthz", headers={"Host": f"localhost:{port}"})
        return connection.getresponse().status < 400
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
