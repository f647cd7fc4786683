"""What the bench of chats beside others' sleep stands on: real workers, sleeps that end, and messages that are answered."""

import os
from argparse import Namespace
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings
from django.db import connections

from bench.chatting import Answered
from bench.sleep_load import MOST_RATIO, Heard, Night, measure_load, render_report
from companion_site.running.cluster import ROLES

#: Few enough messages that one worker keeps up with what forms of them.
SMALL = Namespace(spaces=2, memories=6, workers=1, rate=1.0, students=1, seconds=3.0, rounds=1)


def environment_of_workers() -> dict[str, str]:
    """Return what leads a process to the database and the keys of this test."""
    name = connections["default"].settings_dict["NAME"]
    urls = {url: urlunsplit(urlsplit(os.environ[url])._replace(path=f"/{name}")) for url in ROLES}
    return {
        **os.environ,
        **urls,
        "DJANGO_SETTINGS_MODULE": "companion_site.settings",
        "SECRET_KEY": settings.SECRET_KEY,
        "KEY_STORE_DIR": str(settings.KEY_STORE_DIR),
        "LLM_CHAIN": "offline",
        "LOG_LEVEL": "ERROR",
    }


@pytest.mark.spec("I2", "I10")
@pytest.mark.usefixtures("committed")
def test_spaces_fall_asleep_while_chats_go_on():
    """A worker carries out every sleep to its end, nothing waits or fails, and every message is stored and answered."""
    told: list[int] = []
    heard = measure_load(
        SMALL, env=environment_of_workers(), tell=lambda heard: told.append(len(heard.nights))
    )
    assert told == [1] and len(heard.shares) == 2
    assert len(heard.quiet[0]) == 3 and heard.asleep[0]
    for answered in (*heard.quiet[0], *heard.asleep[0]):
        assert answered.complete
        assert 0 < answered.stored_ms <= answered.first_ms
    (night,) = heard.nights
    assert set(night.states) <= {"success", "partial"}
    assert len(night.batch_s) == len(night.commit_ms) == night.states.total() >= SMALL.spaces
    assert night.waiting == 0
    assert 0 < max(night.batch_s) <= night.took_s
    report = "\n".join(render_report(SMALL, heard))
    assert f"answered whole: {len(heard.quiet[0]) + len(heard.asleep[0])} of" in report


def heard_with(asleep_ms: float) -> Heard:
    heard = Heard(shares=[0.5, 0.9])
    heard.quiet.append([Answered(10.0, 100.0, complete=True)] * 3)
    heard.asleep.append([Answered(20.0, asleep_ms, complete=True), Answered(None, None, complete=False)])
    night = Night(took_s=60.0, batch_s=[31.0, 32.0], commit_ms=[40.0, 60.0], waiting=3)
    night.states.update(["success", "failed"])
    heard.nights.append(night)
    return heard


def test_the_ratio_decides_and_nothing_is_hidden():
    """p95 beside quiet; an unanswered message, a failed run and what still waits are told."""
    fine = "\n".join(render_report(SMALL, heard_with(100 * MOST_RATIO)))
    slow = "\n".join(render_report(SMALL, heard_with(100 * MOST_RATIO + 1)))
    assert "1.50  ok (≤ 1.5)" in fine and "1.51  OVER (≤ 1.5)" in slow
    for line in (fine, slow):
        assert "answered whole: 4 of 5" in line
        assert "1 failed, 1 success; memories that still wait: 3" in line
        assert "OVER (≤ 30)" in line and "ok (≤ 500)" in line
        assert "50% to 90% of a core" in line
