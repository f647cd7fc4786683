"""Messages become memories behind the conversation: once each, by whoever comes first, and only with the key."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from chat.memories.formation import form_from_message
from chat.models import Message
from chat.replies import store
from chat.tasks import form_awaiting, form_memory
from companion_site.errors import EmptyMessage, InvalidInput, MessageTooLong
from companion_site.vault.models import KeySlot, Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import resume_work
from ledger.models import LedgerEntry
from memory.models import MemoryNode, MemorySource
from memory.student.ingest import store as store_of_memories
from memory.student.sleep.timing import queue_due
from tests.cases import cases
from tests.chat.talking import begin, rows, tell
from tests.factories import NOW, make_access, make_business_user, make_company_access
from tests.live import leases, run_jobs

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G4")]

HARD = "I find recursion hard, please explain step by step"


@pytest.fixture
def ada():
    return make_access("ada")


def say(access, text=HARD, **options):
    """Say something in a new conversation, now: the worker goes by the clock."""
    row = begin(access, **options)
    return tell(access, row, text, now=timezone.now())


def count_memories(access) -> int:
    return len(rows(access, MemoryNode))


def test_a_message_forms_its_memories_once(ada):
    """The job may run as often as it likes, the message is read once; saying it again elsewhere is answered, not remembered twice."""
    message = say(ada).message
    assert count_memories(ada) == 0
    assert run_jobs() == 1
    formed = count_memories(ada)
    assert formed >= 1
    form_memory(str(ada.space), str(message.pk))
    assert form_from_message(ada.space, message.pk, key=ada.key, now=NOW) is None
    say(ada)
    run_jobs()
    assert count_memories(ada) == formed


def test_replies_form_nothing(ada):
    """What the companion says is never remembered as the person's, so memory cannot feed on itself."""
    exchange = say(ada, "hello")
    store.finish_reply(ada, exchange.reply.pk, text=HARD, state=Message.State.COMPLETE, now=NOW)
    run_jobs()
    assert form_from_message(ada.space, exchange.reply.pk, key=ada.key, now=NOW) is None
    assert count_memories(ada) == 0


@pytest.mark.spec("I7")
def test_with_memory_off_nothing_is_queued_or_formed(ada):
    """A conversation whose memory is off leaves no trace in the graph."""
    exchange = say(ada, memory_on=False)
    assert OrmQ.objects.count() == 0 and leases(ada) == 0
    assert form_from_message(ada.space, exchange.message.pk, key=ada.key, now=NOW) is None
    assert count_memories(ada) == 0


def test_the_worker_has_the_key_only_while_there_is_work(ada):
    """A lease comes with the job, stays for the sleep that follows, and goes when that is done."""
    say(ada)
    assert leases(ada) == 1
    run_jobs()
    assert leases(ada) == 1 and Space.objects.get(pk=ada.space).next_sleep_at is not None
    Space.objects.filter(pk=ada.space).update(next_sleep_at=timezone.now())
    queue_due(now=timezone.now())
    while run_jobs():
        pass
    assert leases(ada) == 0


@pytest.mark.parametrize("is_there", [False, True])
def test_without_a_lease_the_job_waits_for_the_next_log_in(ada, is_there):
    """A worker that finds no key, or one whose hours are over, says so on the space; the next unlock queues the work again."""
    message = say(ada).message
    with space_scope(ada.space):
        kept = KeySlot.objects.for_space(ada.space).of_kind(KeySlot.Kind.LEASE)
        kept.update(expires_at=NOW - timedelta(days=400)) if is_there else kept.delete()
    run_jobs()
    assert count_memories(ada) == 0
    assert Space.objects.get(pk=ada.space).awaiting_key_since is not None
    resume_work(ada.key, now=timezone.now())
    run_jobs()
    assert count_memories(ada) >= 1
    assert rows(ada, Message, pk=message.pk, formed_at__isnull=False)


def test_with_leases_off_no_key_is_kept_for_the_worker(ada, settings):
    """LEASE_HOURS=0: nothing is queued and no key is stored; the open session forms what waits."""
    settings.LEASE_HOURS = 0
    say(ada)
    assert OrmQ.objects.count() == 0 and leases(ada) == 0
    form_awaiting(str(ada.space))
    assert count_memories(ada) == 0


def test_a_killed_worker_leaves_all_or_nothing(ada, monkeypatch):
    """Cut off before the sources or after the ledger, the transaction leaves neither; the next run writes each once."""
    message = say(ada, HARD + ". I promised Anna to help her with the lab report on Friday.").message

    def die(*rows, **options):
        raise SystemExit

    for place in ((MemorySource.objects, "bulk_create"), (store_of_memories, "record_event")):
        with monkeypatch.context() as patch, pytest.raises(SystemExit):
            patch.setattr(*place, die)
            form_from_message(ada.space, message.pk, key=ada.key, now=NOW)
        assert count_memories(ada) == 0
        assert rows(ada, LedgerEntry) == []
    formed = form_from_message(ada.space, message.pk, key=ada.key, now=NOW)
    assert formed == count_memories(ada) >= 2


def test_a_company_s_conversation_forms_no_personal_memories():
    """Business users' conversations are their company's; no student memory is formed of them."""
    access = make_company_access(make_business_user("bo"))
    say(access)
    assert OrmQ.objects.count() == 0
    assert count_memories(access) == 0


@cases(
    ("text", "error"),
    [
        ("", EmptyMessage),
        (" \n\x00 ", EmptyMessage),
        ("a" * 100_000, MessageTooLong),
        (None, InvalidInput),
        (b"x", InvalidInput),
    ],
)
def test_a_message_that_is_none_is_refused(ada, text, error):
    """Empty, huge and binary messages are refused by name, and nothing is stored."""
    row = begin(ada)
    with pytest.raises(error):
        tell(ada, row, text)
    assert rows(ada, Message) == []
