"""Nobody is kept waiting by one who sends more than anybody writes."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from chat import tasks
from chat.memories.formation import find_awaiting
from chat.models import Message
from companion_site.errors import TooManyMessages
from tests.api.conftest import make_program
from tests.chat.talking import begin, rows, tell
from tests.factories import NOW, make_access

pytestmark = [pytest.mark.django_db]


def test_a_person_may_send_so_many_messages_a_minute(settings):
    """One more is refused with the time when it may come, in whichever conversation, and nothing of it is stored."""
    settings.MESSAGES_PER_MINUTE = 3
    ada, bo = make_access("ada"), make_access("bo")
    first, second = (begin(ada) for _ in range(2))
    sent = tell(ada, first, "Message 0").message.client_id
    for number, row in enumerate([second, first], start=1):
        tell(ada, row, f"Message {number}", now=NOW + timedelta(seconds=10 * number))
    with pytest.raises(TooManyMessages) as refused:
        tell(ada, second, "One more", now=NOW + timedelta(seconds=25))
    assert refused.value.retry_after_s == 35 and "35" in str(refused.value)
    assert len(rows(ada, Message, role=Message.Role.PERSON)) == 3
    assert not tell(ada, first, "Message 0", now=NOW + timedelta(seconds=25), client_id=sent).is_new
    tell(bo, begin(bo), "Hello", now=NOW + timedelta(seconds=25))
    assert tell(ada, second, "One more", now=NOW + timedelta(seconds=61)).is_new


def test_a_program_is_told_when_to_come_back(settings):
    """429, Retry-After in seconds, the same in words, and the error's code."""
    settings.MESSAGES_PER_MINUTE = 1
    program = make_program(make_access("ada"))
    row = begin(program.access)
    tell(program.access, row, "Hello there", now=timezone.now())
    answer = program.post(f"conversations/{row.pk}/messages", {"text": "And again"})
    told = answer.json()
    assert (answer.status_code, told["code"], told["retryable"]) == (429, "message.too-many", True)
    assert 1 <= int(answer["Retry-After"]) <= 60 and answer["Retry-After"] in told["detail"]


def test_what_waits_is_formed_in_slices_that_let_others_go_first(monkeypatch):
    """A job of a space stops when its time is up and queues itself behind the rest; nothing is left over in the end."""
    ada = make_access("ada")
    row = begin(ada)
    for number in range(5):
        tell(ada, row, f"My cousin number {number} moved to Oslo and I miss her.", now=timezone.now())
    OrmQ.objects.all().delete()
    moments = iter(float(number) for number in range(1_000))
    monkeypatch.setattr(tasks, "monotonic", lambda: 3.0 * next(moments))
    rounds = 0
    tasks.form_awaiting(str(ada.space))
    while OrmQ.objects.filter(key__endswith="/form_awaiting").exists():
        OrmQ.objects.filter(key__endswith="/form_awaiting").delete()
        tasks.form_awaiting(str(ada.space))
        rounds += 1
    assert 1 <= rounds <= 4
    assert not find_awaiting(ada.space)
