"""A process that carries out sleeps of one space when told to, each in a fork of its own, and kills the fork if told where.

It is told by lines of JSON on its input, the key among them, and answers with lines of JSON. Run it with
`python -m tests.e2e.sleeping`.
"""

import json
import os
import signal
import sys
import time
from contextlib import ExitStack
from datetime import datetime
from typing import Any
from uuid import UUID

import django

from tests.databases import ALIASES


def main() -> None:
    django.setup()
    from django.conf import settings
    from django.db import connections
    from django.utils.module_loading import import_string

    place = json.loads(sys.stdin.readline())
    for alias in ALIASES:
        connections[alias].settings_dict["NAME"] = place["database"]
    import_string(settings.LOADED_AT_START)()
    _answer(ready=True)
    for line in sys.stdin:
        connections.close_all()
        _carry_out(place, json.loads(line))


def _carry_out(place: dict[str, str], order: dict[str, Any]) -> None:
    """Sleep in a fork; answer how it ended: the signal that ended it, or 0."""
    pid = os.fork()
    if pid == 0:
        _sleep(place, order)
        os._exit(0)
    if order.get("seconds") is not None:
        time.sleep(order["seconds"])
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    _answer(
        signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0, code=os.waitstatus_to_exitcode(status)
    )


def _sleep(place: dict[str, str], order: dict[str, Any]) -> None:
    from django.db import connection

    from companion_site.vault.boxes import SpaceKey
    from memory.student.sleep.run import sleep
    from memory.student.sleep.timing import begin_run

    space, now = UUID(place["space"]), datetime.fromisoformat(order["now"])
    with ExitStack() as stack:
        if order.get("statement") is not None:
            stack.enter_context(connection.execute_wrapper(_Killer(order["statement"])))
        run = begin_run(space, trigger="scheduled", now=now)
        sleep(space, run.pk, key=SpaceKey(space, bytes.fromhex(place["key"])), now=now, queue=False)
    connection.close()


class _Killer:
    """Kills this process when it comes to its nth statement."""

    def __init__(self, statement: int) -> None:
        self.left = statement

    def __call__(self, execute, sql, params, many, context):
        self.left -= 1
        if self.left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)


def _answer(**told: Any) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
