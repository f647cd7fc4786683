"""A replay sleeps between sessions, as life would."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, SleepRun
from tests.chat.test_replay import ENGLISH, everything, log_in, replay

pytestmark = [pytest.mark.django_db, pytest.mark.spec("I2", "AC-2.1.5")]

FIRST_ENDED = datetime.fromisoformat("2026-01-12T16:01:30+00:00")


def runs(access) -> list[SleepRun]:
    with space_scope(access.space):
        return list(SleepRun.objects.for_space(access.space).order_by("id"))


def short_term(access) -> int:
    with space_scope(access.space):
        rows = MemoryNode.objects.for_space(access.space).active()
        return rows.filter(tier="short_term", slept_over_at__isnull=True).count()


def test_the_memory_sleeps_four_hours_after_a_session():
    """At its own time, once; after the last session it is planned and left to life. A second replay adds nothing."""
    said = replay(ENGLISH)
    assert "slept over in 1 batches" in said
    access = log_in("ines-small-en")
    (run,) = runs(access)
    assert (run.state, run.requested_at) == ("success", FIRST_ENDED + timedelta(hours=4))
    assert run.processed > 0 and short_term(access) > 0
    assert Space.objects.get(pk=access.space).next_sleep_at > run.requested_at + timedelta(days=5)
    before = everything(access)
    assert "nothing to add" in replay(ENGLISH)
    assert everything(access) == before and len(runs(access)) == 1


def test_it_can_be_left_out():
    """Then everything stays short-term, as it was said."""
    assert "slept" not in replay(ENGLISH, awake=True)
    assert runs(log_in("ines-small-en")) == []


def test_sessions_that_follow_each_other_soon_leave_no_time_for_it(tmp_path: Path):
    """With less than four hours between them there is no sleep."""
    data = json.loads(ENGLISH.read_text())
    data["sessions"][1]["at"] = "2026-01-12T20:01:00+00:00"
    file = tmp_path / "close.json"
    file.write_text(json.dumps(data))
    replay(file, username="close")
    assert runs(log_in("close")) == []
