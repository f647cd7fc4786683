"""What a process frees is overwritten where it was started so, and no image of it is written."""

import os
from pathlib import Path

import pytest

from companion_site.residue import has_glibc
from companion_site.running.environment import Environment, for_keepers_of_keys
from tests.cases import cases
from tests.processes import run_python

#: Counts a word in this process's heap, in every width; what looks for it never has it whole.
COUNTING = """
import re
from pathlib import Path
half = "zqvx"
def count():
    found = 0
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, mode, *_ = line.split(None, 2)
        if mode[:2] == "rw" and "[stack]" not in line:
            start, end = (int(place, 16) for place in span.split("-"))
            with open("/proc/self/mem", "rb", buffering=0) as memory:
                memory.seek(start)
                data = memory.read(end - start)
            for needle in (half.encode(), half.encode("utf-16-le"), half.encode("utf-32-le")):
                places = {match.start() for match in re.finditer(re.escape(needle), data)}
                found += sum(place + len(needle) in places for place in places)
            del data
    return found
"""
#: Has garbage passed over with what is there, as where somebody talks while the site still loads.
PASSED_OVER = (
    COUNTING
    + """
import gc
from companion_site.residue import pass_over_what_is_there, tidy
gc.disable()
said = [f"{half}{half}jk said by somebody"]
said.append(said)
pass_over_what_is_there(is_serving=True)
del said
tidy()
before = count()
tidy(everything=True)
print(before, count())
"""
)
#: Makes many texts of every width, frees them, and counts what is left.
FREEING = (
    COUNTING
    + """
marks = ("", chr(0x2014), chr(0x1F3CA))
said = [f"{half}{half}jk {number} said by somebody{mark}" for number in range(2000) for mark in marks]
del said
print(count())
"""
)
#: Reads a short text from JSON and compiles a pattern of it, which libraries keep; counts it before and after tidying.
KEPT = (
    COUNTING
    + """
import pydantic_core
from companion_site.residue import tidy
pydantic_core.from_json('["%s%s said by somebody"]' % (half, half))
re.compile(half + half + " was said")
before = count()
tidy()
print(before, count())
"""
)
DUMPABLE = """
import ctypes, resource
from companion_site.residue import leave_no_core_dump
leave_no_core_dump()
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0), resource.getrlimit(resource.RLIMIT_CORE)[0])
"""

pytestmark = pytest.mark.skipif(not has_glibc(), reason="only glibc overwrites what is freed")


def run(program: str, env: dict[str, str]) -> str:
    return run_python("-c", program, env=env, check=True).stdout.strip()


def kept_from(env: dict[str, str], place: Path) -> dict[str, str]:
    """Return an environment as `make run` gives it to processes that hold keys."""
    return for_keepers_of_keys(Environment("127.0.0.1", 8000, place, {}, wipe_freed_memory=True), env)


def test_what_is_freed_is_overwritten(tmp_path):
    """Thousands of freed texts leave thousands of traces in a process started as any other, and all but none in the site's."""
    plain = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONMALLOC", "MALLOC_PERTURB_")
    }
    left, overwritten = int(run(FREEING, plain)), int(run(FREEING, kept_from(plain, tmp_path)))
    assert left > 1000 and overwritten <= 10


@cases(("program", "least"), [(KEPT, 2), (PASSED_OVER, 1)])
def test_what_stays_for_a_while_goes_when_the_process_tidies_up(tmp_path, program, least):
    """A short text in a library's cache; and what somebody said while the site still loaded, which hangs together with itself."""
    before, after = map(int, run(program, kept_from(dict(os.environ), tmp_path)).split())
    assert before >= least and after == 0


def test_a_process_that_holds_keys_leaves_no_core_dump():
    """Neither as a file nor through a pipe, and no other process of its user may read its memory."""
    assert run(DUMPABLE, dict(os.environ)) == "0 0"
