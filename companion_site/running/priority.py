"""Giving way: what nobody waits for runs in the time that the site leaves over."""

import os
from pathlib import Path

#: Where both would use a core, others get three quarters of it: pages come first, and memories still form on a busy machine.
NICENESS = 5
#: Where the kernel shares the processors out by session first, a process's niceness counts within its session alone.
SESSION = Path("/proc/self/autogroup")


def give_way() -> None:
    """Let every other process go first, from here on, with what this one forks; a session of its own likewise."""
    os.nice(NICENESS)
    if os.getsid(0) == os.getpid():
        _give_way_as_session()


def _give_way_as_session() -> None:
    try:
        SESSION.write_text(str(NICENESS))
    except OSError:  # no such kernel, or shared out otherwise: then the niceness above is what counts
        return
