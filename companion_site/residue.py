"""What a process leaves in its memory after it has let go of it, and what of its memory may leave it.

Python gives freed memory back to an allocator that leaves the old bytes where they are until somebody else needs the place. With
glibc every freed block is overwritten at once, where the process was started with `overwriting_freed`: `make run` does so.
"""

import ctypes
import gc
import os
import re
import sys
from collections.abc import Mapping
from threading import Lock, Thread
from time import sleep

import structlog
from django.conf import settings

logger = structlog.get_logger(__name__)

PR_SET_DUMPABLE = 4
#: Python's small objects are glibc's too; each freed block is overwritten with a byte; and no block is set aside before it is:
#: those in a thread's own cache would be passed over.
OVERWRITING = {
    "PYTHONMALLOC": "malloc",
    "MALLOC_PERTURB_": "165",
}
TUNABLES, NO_CACHE = "GLIBC_TUNABLES", "glibc.malloc.tcache_count=0"
#: How many strings the cache of pydantic's reader of JSON holds (jiter's `py_string_cache`), and how often it is filled.
JSON_STRINGS, JSON_ROUNDS = 16_384, 12
#: What was let go by several hands at once is tidied up once; and once more when the connections have closed that brought it,
#: which the server does after five seconds of silence: until then they keep their last request.
TIDY_AFTER_S = (1.0, 15.0)


def has_glibc() -> bool:
    """Tell whether this process runs on the C library that can overwrite what is freed."""
    return sys.platform == "linux" and hasattr(_libc(), "gnu_get_libc_version")


def overwriting_freed(env: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a process whose freed memory is overwritten; other tunables that are set there stay."""
    tunables = ":".join(filter(None, [env.get(TUNABLES, ""), NO_CACHE]))
    return {**env, **OVERWRITING, TUNABLES: tunables}


def overwrites_freed() -> bool:
    """Tell whether this process was started so that what it frees is overwritten."""
    is_set = all(os.environ.get(name) == value for name, value in OVERWRITING.items())
    return has_glibc() and is_set and NO_CACHE in os.environ.get(TUNABLES, "")


def leave_no_core_dump() -> None:
    """Have the kernel write no image of this process and of what it forks, nor let other processes of its user read its memory."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    # A pipe that takes core dumps does not ask for the limit.
    if sys.platform == "linux":
        _libc().prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


class _Tidying:
    """At most one thread for each time after which it clears up when it was asked to; in a process that began to."""

    def __init__(self) -> None:
        self.is_on = self.froze_while_serving = False
        self._asked: set[float] = set()
        self._guard = Lock()

    def soon(self) -> None:
        with self._guard:
            begun = set(TIDY_AFTER_S) - self._asked if self.is_on else set()
            self._asked |= begun
        for after_s in begun:
            Thread(target=self._run, args=[after_s], name="tidying", daemon=True).start()

    def _run(self, after_s: float) -> None:
        sleep(after_s)
        with self._guard:
            self._asked.discard(after_s)
        tidy(everything=self.froze_while_serving and after_s == max(TIDY_AFTER_S))


_tidying = _Tidying()


def guard_memory() -> None:
    """Begin, in a process that will hold people's keys: no core dump, and tidying up; the site's log says what cannot be had."""
    if not settings.CORE_DUMPS:
        leave_no_core_dump()
    if settings.WIPE_FREED_MEMORY and not overwrites_freed():
        logger.warning("memory.freed_is_not_overwritten", needs={**OVERWRITING, TUNABLES: NO_CACHE})
    _tidying.is_on = True


def pass_over_what_is_there(*, is_serving: bool) -> None:
    """Have the collecting of garbage pass over everything that is there now.

    Args:
        is_serving: somebody may be here already, so that theirs is passed over, too; from now on the later tidying goes over
            everything. In a worker nobody is, and its processes would copy every page that they share.
    """
    gc.collect()
    gc.freeze()
    _tidying.froze_while_serving = is_serving


def tidy_soon() -> None:
    """Have `tidy` run, in threads, in a second and in fifteen.

    Does nothing in a process that did not begin to (`guard_memory`): a command, a test.
    """
    _tidying.soon()


def tidy(*, everything: bool = False) -> None:
    """Empty the caches that may hold what somebody said, free what only hangs together with itself, and give free memory back.

    Args:
        everything: of what is passed over otherwise (`pass_over_what_is_there`), too.
    """
    # The last patterns that were compiled, of which some were made of what somebody said.
    re.purge()
    _displace_json_strings()
    if everything:
        gc.unfreeze()
    gc.collect()
    if everything:
        gc.freeze()
    if has_glibc():
        _libc().malloc_trim(0)


def _displace_json_strings() -> None:
    """Fill pydantic's cache of short strings from JSON, which nothing empties, with others.

    A new string takes the place that its hash names, so that one of the old is left with a probability of e^-12.
    """
    import pydantic_core

    for _ in range(JSON_ROUNDS):
        mark = os.urandom(8).hex()
        numbers = ",".join(f'"{mark}{number}"' for number in range(JSON_STRINGS))
        pydantic_core.from_json(f"[{numbers}]")
    if "jiter" in sys.modules:
        sys.modules["jiter"].cache_clear()


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)
