"""A place with a database and a key store of its own, and the commands that are run there.

Each command is a process, forked from one that has read the site's settings and code once: to read them takes far longer than
most commands (`python -m tests.running.machine`).
"""

import json
import os
import runpy
import subprocess
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from companion_site.running import PROJECT
from tests.running.site import CHEAP, terminal


@dataclass
class Ended:
    """A command that has ended, with what it wrote."""

    code: int
    out: str
    said: str


class Machine:
    """Runs commands on the data under `var`, with `settings` beside those of somebody's terminal."""

    def __init__(self, var: Path, settings: dict[str, str]) -> None:
        self.var, self.settings = var, settings

    def run(self, *words: object, **more: str) -> Ended:
        """Run `python WORDS`, a program or `-m` and a module, with more settings for this once."""
        self._forker.stdin.write(json.dumps([[str(word) for word in words], more]) + "\n")
        self._forker.stdin.flush()
        return Ended(**json.loads(self._forker.stdout.readline()))

    def manage(self, *words: object, **more: str) -> str:
        """Run a command that must succeed; return what it wrote."""
        done = self.run("manage.py", *words, **more)
        assert done.code == 0, done.said
        return done.out

    def refused(self, *words: object, **more: str) -> str:
        """Run a command that must fail; return the last line it wrote."""
        done = self.run("manage.py", *words, **more)
        assert done.code == 1, done.out
        return done.said.strip().splitlines()[-1]

    def drill(self, verb: str) -> dict:
        done = self.run("-m", "tests.running.drill", verb)
        assert done.code == 0, done.said
        return json.loads(done.out or "{}")

    def end(self) -> None:
        """Leave no process behind."""
        if "_forker" in vars(self):
            with self._forker as forker:
                forker.stdin.close()

    @cached_property
    def _forker(self) -> subprocess.Popen[str]:
        env = terminal() | CHEAP | {"DJANGO_SETTINGS_MODULE": "companion_site.settings"}
        return subprocess.Popen(
            [sys.executable, "-m", "tests.running.machine"],
            cwd=PROJECT,
            env=env | {"VAR_DIR": str(self.var)} | self.settings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )


def fork_commands() -> None:
    """Read one command after another, and write how each has ended."""
    import django

    django.setup()
    # Before it begins, nearly every command checks the addresses of all pages.
    import companion_site.urls  # noqa: F401

    for line in sys.stdin:
        words, more = json.loads(line)
        sys.stdout.write(json.dumps(_fork(words, more)) + "\n")
        sys.stdout.flush()
    os._exit(0)  # nothing was opened here, and to take everything down takes half a second


def _fork(words: Sequence[str], more: dict[str, str]) -> dict[str, object]:
    wrote = [os.memfd_create(name) for name in ("out", "said")]
    pid = os.fork()
    if not pid:
        for number, file in enumerate((os.open(os.devnull, os.O_RDONLY), *wrote)):
            os.dup2(file, number)
        os.environ.update(more)
        os._exit(_execute(words))
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    out, said = (_read(file) for file in wrote)
    return {"code": code, "out": out, "said": said}


def _read(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    with open(file, encoding="utf-8") as wrote:
        return wrote.read()


def _execute(words: Sequence[str]) -> int:
    """Run a program as the interpreter would; return its exit code."""
    try:
        if words[0] == "-m":
            sys.argv = list(words[1:])
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = list(words)
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 (what the interpreter does)
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    fork_commands()
