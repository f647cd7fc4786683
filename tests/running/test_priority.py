"""Background work gives way to whatever somebody waits for."""

import json
import os

import pytest

from companion_site.running.services import NICENESS, SESSION
from tests.processes import run_python

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
