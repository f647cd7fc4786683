"""A flood of wrong log-ins, at the real web process: it stays small, and people get in."""

import pytest

from bench.log_in_flood import MB, Flood
from tests.processes import run_python

MOST_ADDED_MB = 300
SHOWN = r"""
import sys
from bench.log_in_flood import run_floods
from bench.scratch import scratch_site
with scratch_site(durable=False):
    for flood in run_floods(wrong=200, at_once=2):
        print(flood.added_mb, sum(flood.answers.values()), set(flood.answers) <= {200, 429}, None not in flood.right_s.values())
"""


@pytest.mark.usefixtures("django_db_setup")
def test_two_hundred_wrong_log_ins_at_once_do_little():
    """The process grows by less than 300 MB, every one is answered, and the right ones get in meanwhile."""
    done = run_python("-c", SHOWN, timeout=900)
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 2, done.stderr
    for added, answered, answers_are_known, all_in in lines:
        assert float(added) < MOST_ADDED_MB
        assert (int(answered), answers_are_known, all_in) == (200, "True", "True")


def test_a_flood_is_told_in_one_line():
    """With what the process grew by, how many got which answer, and who got in."""
    flood = Flood("one address", 500 * MB, 640 * MB, 3.25)
    flood.answers.update([200, 429, 429])
    flood.right_s.update(known=1.5, new=None)
    assert flood.render() == (
        "one address: 500 MB before, 140 MB added at the most; answers 1 with 200, 2 with 429 in 3.2 s; "
        "right log-ins: known 1.5 s, new never."
    )
