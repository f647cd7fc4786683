"""Nobody is kept waiting by one who sends more than anybody writes."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from chat import services, tasks
from chat.memories.formation import find_awaiting
from chat.models import Message
from companion_site.errors import TooManyMessages
from tests.api.conftest import make_program
from tests.chat.talking import begin, rows
from tests.factories import NOW, make_access

pytestmark = [pytest.mark.django_db]


def say(access, conversation, text, *, at=NOW, client_id=None):
    return services.say(access, conversation, text=text, client_id=client_id or uuid4(), now=at)


def test_a_person_may_send_so_many_messages_a_minute(settings):
    """One more is refused with the time when it may come, in whichever conversation, and nothing of it is stored."""
    settings.MESSAGES_PER_MINUTE = 3
    ada, bo = make_access("ada"), make_access("bo")
    first, second = (begin(ada).pk for _ in range(2))
    sent = uuid4()
    for number, conversation in enumerate([first, second, first]):
        say(
            ada,
            conversation,
            f"Message {number}",
            at=NOW + timedelta(seconds=10 * number),
            client_id=sent if number == 0 else None,
        )
    with pytest.raises(TooManyMessages) as refused:
        say(ada, second, "One more", at=NOW + timedelta(seconds=25))
    assert refused.value.retry_after_s == 35 and "35" in str(refused.value)
    assert len(rows(ada, Message, role=Message.Role.PERSON)) == 3
    assert not say(ada, first, "Message 0", at=NOW + timedelta(seconds=25), client_id=sent).is_new
    say(bo, begin(bo).pk, "Hello", at=NOW + timedelta(seconds=25))
    assert say(ada, second, "One more", at=NOW + timedelta(seconds=61)).is_new


def test_a_program_is_told_when_to_come_back(settings):
    """429, Retry-After in seconds, the same in words, and the error's code."""
    settings.MESSAGES_PER_MINUTE = 1
    program = make_program(make_access("ada"))
    conversation = program.begin()
    say(program.access, UUID(conversation), "Hello there", at=timezone.now())
    answer = program.post(f"conversations/{conversation}/messages", {"text": "And again"})
    told = answer.json()
    assert (answer.status_code, told["code"], told["retryable"]) == (429, "message.too-many", True)
    assert 1 <= int(answer["Retry-After"]) <= 60 and answer["Retry-After"] in told["detail"]


def test_what_waits_is_formed_in_slices_that_let_others_go_first(monkeypatch):
    """A job of a space stops when its time is up and queues itself behind the rest; nothing is left over in the end."""
    ada = make_access("ada")
    row = begin(ada).pk
    for number in range(5):
        say(ada, row, f"My cousin number {number} moved to Oslo and I miss her.", at=timezone.now())
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
