"""Child groups and services: no orphan, and patience that ends."""

import os
import sys

import psutil
import pytest

from companion_site.running import CannotStart
from companion_site.running.children import ChildGroup
from companion_site.running.services import Service
from tests.running.site import wait_until

#: A head that forks a stubborn child, as a worker does.
FORKS = """
import os, signal, sys, time
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    open(sys.argv[1], "w").write(str(os.getpid()))
time.sleep(600)
"""


@pytest.fixture
def make_group(tmp_path):
    """Make groups on one directory; each is ended after the test."""
    groups: list[ChildGroup] = []

    def make(*arguments: str) -> ChildGroup:
        command = [sys.executable, "-c", *arguments]
        groups.append(ChildGroup("head", command, run=tmp_path, cwd=tmp_path, env=dict(os.environ)))
        return groups[-1]

    yield make
    for group in reversed(groups):
        group.end(grace_s=0)


def forked(tmp_path) -> psutil.Process:
    """Return the child that the head forked, once it is there."""
    note = tmp_path / "forked"
    wait_until(lambda: note.exists() and note.read_text(), "the fork")
    return psutil.Process(int(note.read_text()))


def test_ending_a_group_ends_what_it_forked(tmp_path, make_group):
    """A forked child that ignores SIGTERM goes with its head."""
    group = make_group(FORKS, str(tmp_path / "forked"))
    group.start()
    orphan = forked(tmp_path)
    group.ask_to_stop()
    group.end(grace_s=0.1)
    wait_until(lambda: not orphan.is_running() or orphan.status() == psutil.STATUS_ZOMBIE, "the fork's end")
    assert not group.pid_file.exists()


def test_a_new_start_ends_the_orphans_of_an_earlier_one(tmp_path, make_group):
    """The lock that the orphan still holds shows that it lives, and the next start takes it down first."""
    earlier = make_group(FORKS, str(tmp_path / "forked"))
    earlier.start()
    orphan = forked(tmp_path)
    earlier.process.kill()
    earlier.process.wait()
    assert orphan.is_running()
    make_group("import time; time.sleep(600)").start()
    wait_until(lambda: not orphan.is_running() or orphan.status() == psutil.STATUS_ZOMBIE, "the orphan's end")


def test_a_service_that_keeps_ending_is_given_up(make_group):
    """A process that cannot start is tried a number of times, then named in one line."""
    service = Service(make_group("raise SystemExit(3)"), first_pause_s=0.001)
    service.start()

    def tend_for_ever() -> None:
        while True:
            service.tend()

    with pytest.raises(CannotStart, match="The head process keeps ending"):
        tend_for_ever()
