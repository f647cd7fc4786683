"""Kept answers go by the clock, and a repeat that comes at the same time is done once."""

import pytest
from django.utils import timezone

from chat.models import Conversation
from companion_site.api.idempotency import KEPT_FOR, drop_kept_answers
from companion_site.api.models import KeptAnswer
from tests.api.conftest import make_program
from tests.api.content import count
from tests.factories import make_access
from tests.racing import at_once

pytestmark = pytest.mark.spec("K10")


def test_kept_answers_are_dropped_in_every_space(committed):
    """By the clock, without anybody's key."""
    programs = [make_program(make_access(name)) for name in ("ada", "bo")]
    for program in programs:
        program.post("conversations", {}, idempotency_key="k")
    assert drop_kept_answers(now=timezone.now()) == 0
    assert drop_kept_answers(now=timezone.now() + KEPT_FOR) == 2
    assert [count(KeptAnswer, program.access.space) for program in programs] == [0, 0]


def test_repeats_at_the_same_time_are_done_once(program):
    """Four at once begin one conversation: each is told the same one."""
    answers = at_once(*[lambda: program.post("conversations", {}, idempotency_key="k")] * 4)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert count(Conversation, program.access.space) == 1
