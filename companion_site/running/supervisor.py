"""The one process behind `make run`: the database, the preparation, then web and worker until it is told to stop."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from companion_site.running import address
from companion_site.running.cluster import Cluster
from companion_site.running.embedded import cluster_in, ensure_running, hold, let_go
from companion_site.running.environment import Environment, for_children, for_keepers_of_keys
from companion_site.running.given_database import check_given
from companion_site.running.locks import FileLock, is_held
from companion_site.running.preparation import Preparation
from companion_site.running.problems import CannotStart
from companion_site.running.services import Service, web_service, worker_service
from companion_site.running.signals import Signals

TICK_S = 0.1
WEB_GRACE_S = 4.0
DATABASE_GRACE_S = 30.0


def run(environment: Environment) -> None:
    """Run the site until a signal asks for its end.

    Raises:
        CannotStart: something keeps it from starting or from staying up.
    """
    with _alone(environment):
        address.check_free(environment.host, environment.port)
        signals = Signals()
        with _database(environment) as (urls, cluster):
            _supervise(environment, for_children(environment, urls), cluster, signals)


@contextmanager
def _alone(environment: Environment) -> Iterator[None]:
    """Hold the lock of the one site on this data."""
    lock = FileLock(environment.var_dir / "run" / "site.lock")
    if not lock.try_acquire():
        pid = os.pread(lock.fd, 20, 0).decode().strip()
        lock.release()
        raise CannotStart(f"The site already runs on {environment.var_dir} (process {pid}).")
    os.ftruncate(lock.fd, 0)
    os.pwrite(lock.fd, str(os.getpid()).encode(), 0)
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _database(environment: Environment) -> Iterator[tuple[dict[str, str], Cluster | None]]:
    """Yield the URLs of the given database, or those of the embedded one, which runs for as long as the block."""
    if environment.database_urls:
        check_given(environment.database_urls)
        yield environment.database_urls, None
        return
    cluster = cluster_in(environment.var_dir)
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
        where = address.url(environment.host, environment.port)
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
        while not signals.stop_asked and not _is_up(preparation, environment):
            signals.wait(TICK_S)
            web.tend()
        return preparation.introduction()
    finally:
        preparation.end()


def _is_up(preparation: Preparation, environment: Environment) -> bool:
    return preparation.ended() and address.answers(environment.host, environment.port)


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
