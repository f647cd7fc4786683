"""Junk of one student does not keep another waiting, with a worker of its own on a site of its own."""

import re

from tests.bench.conftest import run

#: one in work, one handed to the worker, one taken for it, and one of the lane whose turn comes at the same time
MOST_BEHIND = 4


def test_a_short_message_is_remembered_while_junk_waits():
    """At most what the worker had taken already is read before it, however much junk waits."""
    ended = run("fairness", "--messages", 10, "--chars", 500, "--rounds", 1)
    found = re.findall(r"behind (\d+) of junk; (\d+) of it still waited", ended.stdout)
    assert len(found) == 1, ended.stdout + ended.stderr[-2_000:]
    assert all(int(behind) <= MOST_BEHIND for behind, _ in found), ended.stdout
    assert int(found[0][1]) > 0
