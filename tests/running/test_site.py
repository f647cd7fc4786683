"""The site from outside: it starts, mends itself, and leaves nothing behind."""

import os
import signal
import socket

import psycopg
import pytest

from companion_site.running.cluster import Cluster
from companion_site.running.embedded import hold
from companion_site.running.locks import is_held
from tests.cases import cases
from tests.processes import run_python
from tests.running.first_start import copy_first_start
from tests.running.site import terminal, wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.mark.spec("E1")
def test_one_command_brings_up_a_site_with_demo_people_and_leaves_nothing_behind(make_site):
    """A fresh directory becomes a site that answers, with address and log-ins printed; Ctrl-C ends all of it.

    The next start finds the same people, and so does the one after kill -9 of the supervisor and the worker's head.
    """
    first = make_site()
    first.wait_until_up()
    assert first.answers()
    assert f"http://127.0.0.1:{first.port}" in first.said()
    introduction = first.said().partition("Ctrl-C")[2]
    assert "ada" in introduction
    assert first.interrupt() == 0
    assert first.processes() == []

    second = make_site()
    second.wait_until_up()
    assert second.said().partition("Ctrl-C")[2] == introduction
    for pid in (second.process.pid, second.pid("worker")):
        os.kill(pid, signal.SIGKILL)
    second.process.wait()

    third = make_site()
    third.wait_until_up()
    assert third.answers()
    assert third.interrupt() == 0
    assert third.processes() == []


def test_whatever_is_killed_comes_back_and_a_second_site_is_refused(make_site, tmp_path):
    """Web, worker and database return under new process ids, unaided; two sites never share one directory."""
    copy_first_start(tmp_path / "var")
    site = make_site()
    site.wait_until_up()
    for name in ("web", "worker", "postgres"):
        before = site.pid(name)
        os.kill(before, signal.SIGKILL)
        wait_until(lambda name=name, before=before: site.pid(name) not in {None, before}, f"a new {name}")
        wait_until(site.answers, "the site")
    assert site.process.poll() is None

    second = make_site(PORT="1")
    assert second.process.wait() == 1
    assert second.said() == f"The site already runs on {site.var} (process {site.process.pid}).\n"
    assert site.answers()


def test_a_port_in_use_is_one_line_and_nothing_is_started(make_site):
    """The port is looked at first, so a mistake costs no database."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        site = make_site(PORT=str(port))
        assert site.process.wait() == 1
    assert site.said().startswith(f"Port {port} is in use")
    assert len(site.said().splitlines()) == 1
    assert not (site.var / "postgres").exists()


@cases("url", ["nonsense", "mysql://u:secret-pw@h/x", "postgres://u:secret-pw@127.0.0.1:1/companion"])
def test_a_broken_database_url_is_one_line_without_the_password(make_site, url):
    """A wrong DATABASE_URL ends the start with its name and the reason, and never shows the password."""
    site = make_site(DATABASE_URL=url)
    assert site.process.wait() == 1
    assert site.said().startswith("DATABASE_URL")
    assert len(site.said().splitlines()) == 1
    assert "secret-pw" not in site.said()
    assert not (site.var / "postgres").exists()


def test_a_command_brings_its_own_database_and_takes_it_away(tmp_path):
    """`manage.py` works while no site runs: the database is up for the length of the command and no longer."""
    cluster = Cluster(tmp_path / "var")
    copy_first_start(cluster.home)
    command = ("manage.py", "migrate", "--check", "--verbosity", "0")
    run_python(*command, env=terminal() | {"VAR_DIR": str(cluster.home)}, check=True)
    wait_until(lambda: not is_held(cluster.keeper_lock), "the end of the database")
    with hold(cluster), psycopg.connect(cluster.urls()["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT count(*) > 0 FROM django_migrations").fetchone() == (True,)
    wait_until(lambda: not is_held(cluster.keeper_lock), "the end of the database")
