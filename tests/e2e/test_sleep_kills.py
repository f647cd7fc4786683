"""`kill -9` at twenty seeded points of sleeps: never half consolidated, never a lost memory, and the next run finishes.

Two points in three are statements to the database, from the first to the last of a run; the others are moments.
"""

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connections

from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.running import PROJECT
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode
from memory.student.sleep.timing import CUT_SHORT
from tests.factories import NOW, make_access
from tests.memory.student.sleep.sleeper import NIGHT, Sleeper

pytestmark = [pytest.mark.spec("I2", "I3", "AC-2.1.6", "AC-2.1.7")]

SEED = 20261122
KILLS = 20
#: Statements of one run of this size, and seconds that it takes.
STATEMENTS, SECONDS = 85, 1.0


class Process:
    """The process that sleeps."""

    def __init__(self, popen: subprocess.Popen[str]) -> None:
        self._popen = popen

    def tell(self, **order: Any) -> dict[str, Any]:
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._popen.stdin.write(json.dumps(order) + "\n")
        self._popen.stdin.flush()
        return json.loads(self._popen.stdout.readline())

    def sleep(self, now: datetime, **where: float) -> bool:
        """Sleep once; return whether it was killed."""
        told = self.tell(now=now.isoformat(), **where)
        assert told["code"] in {0, -signal.SIGKILL}, told
        return told["signal"] == signal.SIGKILL


@contextmanager
def sleeping(ada: Sleeper) -> Iterator[Process]:
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "companion_site.settings",
        "SECRET_KEY": settings.SECRET_KEY,
        "KEY_STORE_DIR": str(settings.KEY_STORE_DIR),
        "LLM_CHAIN": "offline",
        "OMP_NUM_THREADS": "1",
        "LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-m", "tests.e2e.sleeping"]
    with subprocess.Popen(
        command, cwd=PROJECT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as popen:
        process = Process(popen)
        name = connections["default"].settings_dict["NAME"]
        assert process.tell(database=name, space=str(ada.space), key=ada.key.data_key.hex()) == {
            "ready": True
        }
        yield process
        assert popen.stdin is not None
        popen.stdin.close()


def tell_session(ada: Sleeper, number: int, *, at: datetime) -> None:
    texts = [f"Player {number}{each} scored goal {each} in town {number}" for each in range(4)]
    texts += [f"My cousin Nils{number} has {number}{each} hens and likes them" for each in range(4)]
    edges = [(0, 1, "RELATES_TO", 0.6), (4, 5, "RELATES_TO", 0.7), (1, 4, "PRECEDES", 0.5)]
    ada.say(texts, edges=edges, at=at, conversation_id=new_id(), salience=0.3 + 0.4 * (number % 2))


def test_killed_at_twenty_points_nothing_is_lost(committed):
    """After every kill the memory is as it was before the run, or all of the run is there; in the end all is slept over."""
    ada, rng = Sleeper(make_access("ada")), random.Random(SEED)
    points = [{"statement": rng.randint(1, STATEMENTS)} for _ in range(14)]
    points += [{"seconds": rng.uniform(0, SECONDS)} for _ in range(KILLS - len(points))]
    rng.shuffle(points)
    kills, sessions, now = 0, 0, NIGHT
    with sleeping(ada) as process:
        for point in points:
            killed = False
            while not killed:
                if not waits(ada):
                    tell_session(ada, sessions, at=NOW)
                    sessions += 1
                before, done = ada.look(versions=True), succeeded(ada)
                killed = process.sleep(now, **point)
                assert_whole(ada, before, done)
                now += timedelta(hours=1)
                point = point if killed else {"statement": rng.randint(1, STATEMENTS // 2)}
            kills += 1
        while waits(ada):
            assert not process.sleep(now)
            now += timedelta(hours=1)
    assert kills == KILLS
    assert {run.state for run in ada.runs()} <= {"success", "failed"}
    assert sum(run.processed for run in ada.runs()) == 8 * sessions
    with space_scope(ada.space):
        slept = AuditEvent.objects.filter(chain=ada.space, action="memory.slept").count()
    assert slept == sum(run.processed > 0 for run in ada.runs())


def waits(ada: Sleeper) -> bool:
    with space_scope(ada.space):
        rows = MemoryNode.objects.for_space(ada.space).active()
        return rows.filter(tier="short_term", slept_over_at__isnull=True).exists()


def succeeded(ada: Sleeper) -> int:
    return sum(run.state == "success" for run in ada.runs())


def assert_whole(ada: Sleeper, before: dict[str, list], done: int) -> None:
    """A run that did not end has changed nothing; of one that did, every memory stands somewhere, once."""
    assert {run.error for run in ada.runs() if run.state == "failed"} <= {CUT_SHORT}
    if succeeded(ada) == done:
        assert ada.look(versions=True) == before
        return
    nodes = ada.nodes()
    changed = [node for change in ada.changes("consolidated") for node in change.node_ids]
    assert len(changed) == len(set(changed))
    for pk, row in nodes.items():
        if row.removed_at is not None:
            assert nodes[row.merged_into_id].removed_at is None and str(pk) in changed
        elif row.slept_over_at is not None and row.trust != "derived":
            assert str(pk) in changed
    for source, target, *_ in ada.look()["edges"]:
        assert nodes[source].removed_at is None and nodes[target].removed_at is None
