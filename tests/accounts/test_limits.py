"""Counting in the database: how many fit in, when the next does, and that processes share it."""

import subprocess
import sys
from datetime import timedelta

import pytest
from django.db import connection

from companion_site.accounts import limits
from companion_site.accounts.limits import Limit
from companion_site.accounts.models import LimitCount
from companion_site.running import PROJECT
from tests.databases import connect_as_owner
from tests.factories import NOW
from tests.memory.agents.mcp.processes import environment

FIVE = Limit(name="five a minute", most=5)
MINUTE = timedelta(minutes=1)


def fill(bucket, now=NOW):
    """Count until it is refused; return how often it was counted, and the wait that was told."""
    for times in range(1000):
        wait = limits.count([bucket], now=now)
        if wait is not None:
            return times, wait
    raise AssertionError("never full")


def test_so_many_fit_in_and_the_rest_is_told_when(db):
    """Five at once, then one each twelve seconds, and five again after a minute; others have their own."""
    ada, elsa = FIVE.of("ada"), FIVE.of("elsa")
    assert fill(ada) == (5, MINUTE / 5)
    assert fill(elsa) == (5, MINUTE / 5)
    assert fill(ada, NOW + MINUTE / 10)[1] == MINUTE / 10
    assert fill(ada, NOW + MINUTE / 5) == (1, MINUTE / 5)
    assert fill(ada, NOW + MINUTE / 5 + MINUTE)[0] == 5
    assert fill(ada, NOW - MINUTE)[0] == 0, "a clock that goes back opens nothing"


def test_several_limits_are_counted_together_or_not_at_all(db):
    """Where one of them refuses, the others are as before, and an empty one leaves no row."""
    narrow, wide = Limit(name="narrow", most=1).of("ada"), FIVE.of("ada")
    fresh = FIVE.of("nobody")
    assert limits.count([narrow, wide], now=NOW) is None
    before = {row.key: row.until for row in LimitCount.objects.all()}
    for _ in range(20):
        assert limits.count([narrow, wide, fresh], now=NOW) == MINUTE
    assert {row.key: row.until for row in LimitCount.objects.all()} == before
    assert fill(wide)[0] == 4


def test_rows_go_when_nothing_of_them_counts(db):
    """What leaked empty is swept, what was given back or forgotten is gone."""
    for number in range(30):
        limits.count([FIVE.of(str(number))], now=NOW)
    limits.count([FIVE.of("late")], now=NOW + MINUTE)
    assert limits.sweep(now=NOW + MINUTE) == 30
    limits.give_back([FIVE.of("late"), FIVE.of("never counted")], now=NOW + MINUTE)
    assert not LimitCount.objects.filter(key=FIVE.of("late").key).exists()


def test_what_lies_in_the_table_names_nobody(db, settings):
    """Names are hashes under a key that is not in the database, and the same under another key is another hash."""
    bucket = FIVE.of("hunter2 is my password")
    limits.count([bucket], now=NOW)
    with connection.cursor() as cursor:
        cursor.execute("SELECT kept::text FROM accounts_limitcount kept")
        rows = " ".join(row for (row,) in cursor.fetchall())
    assert "hunter2" not in rows and bucket.key in rows
    settings.SECRET_KEY = "another"
    assert FIVE.of("hunter2 is my password").key != bucket.key


COUNTS = """
import django, sys, threading
django.setup()
from datetime import datetime
from django.db import connections
from companion_site.accounts import limits
buckets = [limits.Limit(name="shared", most=40).of("all"), limits.Limit(name="other", most=1000).of(sys.argv[2])]
now, counted = datetime.fromisoformat(sys.argv[1]), []
def count():
    for _ in range(20):
        if limits.count(buckets, now=now) is None:
            counted.append(1)
    connections.close_all()
threads = [threading.Thread(target=count) for _ in range(3)]
sys.stdin.readline()
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(counted))
"""


@pytest.mark.slow
def test_a_limit_holds_over_two_processes(django_db_setup):
    """Six threads of two processes ask for one hundred and twenty: forty get in, no more and no fewer."""
    env = environment()
    command = [sys.executable, "-c", COUNTS, NOW.isoformat()]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    both = [subprocess.Popen([*command, str(n)], cwd=PROJECT, env=env, **pipes) for n in range(2)]
    for one in both:
        one.stdin.write("go\n")
        one.stdin.flush()
    counted = [int(one.communicate(timeout=120)[0]) for one in both]
    with connect_as_owner() as owner:
        owner.execute("TRUNCATE accounts_limitcount")
    assert sum(counted) == 40
