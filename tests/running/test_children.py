"""Child groups and services: no orphan, patience that ends, and background work that gives way."""

import json
import os
import sys

import psutil
import pytest

from companion_site.running import CannotStart
from companion_site.running.children import ChildGroup
from companion_site.running.services import NICENESS, SESSION, Service
from tests.processes import run_python
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


# Background work gives way to whatever somebody waits for.

TELL = """
import json, os, sys
from companion_site.running import services
if len(sys.argv) > 1:
    from pathlib import Path
    services.SESSION = Path(sys.argv[1])
services.give_way()
child = os.fork()
if child == 0:
    os._exit(os.getpriority(os.PRIO_PROCESS, 0))
forked = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
found = services.SESSION.read_text() if services.SESSION.exists() else ""
print(json.dumps([os.getpriority(os.PRIO_PROCESS, 0), forked, found]))
"""


def tell(*arguments: str, session: bool) -> tuple[int, int, str]:
    """Have a process of its own give way; return its niceness, that of what it forks, and its session's."""
    done = run_python("-c", TELL, *arguments, check=True, start_new_session=session)
    own, forked, found = json.loads(done.stdout)
    return own, forked, found


def test_who_gives_way_is_nicer_with_all_it_forks():
    """On top of what it was started with."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    own, forked, _ = tell(session=False)
    assert own == forked == min(19, before + NICENESS)


@pytest.mark.skipif(not SESSION.exists(), reason="this kernel does not share the processors out by session")
def test_a_session_of_its_own_gives_way_too():
    """A worker that leads a session takes it along; one in somebody's terminal leaves the terminal as it is."""
    assert tell(session=True)[2].strip().endswith(f"nice {NICENESS}")
    before = SESSION.read_text()
    tell(session=False)
    assert SESSION.read_text() == before


def test_where_a_session_has_a_place_its_leader_writes_there(tmp_path):
    """Shown on every kernel by a file in that place: written by who leads a session, by nobody else, and no fault where there is none."""
    place = tmp_path / "autogroup"
    place.touch()
    assert tell(str(place), session=False)[2] == ""
    assert tell(str(place), session=True)[2] == str(NICENESS)
    assert tell(str(tmp_path / "none" / "here"), session=True)[2] == ""
