"""What tests of two at once, and of what is cut short, share."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import pytest
from django.db import connection, connections

R = TypeVar("R")
LOCK = "pg_advisory_xact_lock(hashtextextended(%s, 0))"


def at_once(*works: Callable[[], R]) -> list[R]:
    """Do all of it at the same moment, each on connections of its own; return what came of each, in order."""
    start = threading.Barrier(len(works))

    def do(work: Callable[[], R]) -> R:
        try:
            start.wait(60)
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(do, works))


def wait_until_blocked() -> None:
    """Return once some connection waits for another's lock, here rather than in the database of another test."""
    ours = "database IS NULL OR database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    for _ in range(3000):
        with connections["default"].cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM pg_locks WHERE NOT granted AND ({ours})")  # noqa: S608  nothing of anybody's
            if cursor.fetchone()[0]:
                return
        threading.Event().wait(0.01)
    pytest.fail("nobody waited")


class Killed(BaseException):
    """The process is gone: nothing behind it runs."""


@contextmanager
def killed_at(statement: str, *, once_locked: bool = True) -> Iterator[None]:
    """Have the process die over a statement to the database, from the moment on at which it has a space's lock."""
    locked = [not once_locked]

    def kill(execute, sql, params, many, context):
        if LOCK in sql:
            locked[0] = True
        if locked[0] and sql.startswith(statement):
            raise Killed
        return execute(sql, params, many, context)

    with pytest.raises(Killed), connection.execute_wrapper(kill):
        yield


def meanwhile(work: Callable, *, at: Callable[[str, object], bool], times: int = 1) -> Callable:
    """Return a wrapper of database statements that does `work` behind those that `at` names, so many times."""
    left, busy = [times], []

    def wrapper(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if at(sql, params) and left[0] and not busy:
            left[0] -= 1
            busy.append(True)
            work()
            busy.clear()
        return result

    return wrapper
