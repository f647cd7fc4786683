"""Races: a reply that ends while its person speaks again, and a lease that is given back while they speak; nothing is lost."""

import threading
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from chat import services
from chat.models import Conversation, Message
from companion_site.errors import InvalidInput
from companion_site.vault.leases import leased
from companion_site.vault.scope import space_scope
from companion_site.vault.services import grant_lease
from tests.chat.talking import begin, finish, tell
from tests.factories import NOW, make_access
from tests.live import leases
from tests.racing import wait_until_blocked

pytestmark = [pytest.mark.spec("G1"), pytest.mark.usefixtures("committed")]


def say(ada, exchange):
    tell(ada, exchange.message.conversation, "And another thing")


def retry(ada, exchange):
    with pytest.raises(InvalidInput):
        services.retry_reply(ada, exchange.message.conversation_id, exchange.reply.pk, now=NOW)


@pytest.mark.parametrize("do", [say, retry])
def test_a_reply_ends_while_something_is_done_in_its_conversation(do):
    """Both take the conversation's lock first, so that neither holds what the other wants."""
    ada = make_access("ada")
    conversation = begin(ada)
    exchange = tell(ada, conversation, "I find recursion hard")

    def end_reply():
        try:
            finish(ada, exchange.reply, "Tell me more.")
        finally:
            connections["default"].close()

    writer = threading.Thread(target=end_reply)
    with space_scope(ada.space):
        list(Conversation.objects.for_space(ada.space).select_for_update(no_key=True))
        writer.start()
        wait_until_blocked()
        do(ada, exchange)
    writer.join(10)
    reply = services.find_message(ada, conversation.pk, exchange.reply.pk)
    assert reply.state == Message.State.COMPLETE


def test_only_the_last_complete_reply_is_written_again():
    """What has been answered on stays as it was said; one that is still being written is left to whoever writes it."""
    ada = make_access("ada")
    conversation = begin(ada)
    first = tell(ada, conversation, "I find recursion hard")
    retry(ada, first)
    finish(ada, first.reply, "Tell me more.")
    again = services.retry_reply(ada, conversation.pk, first.reply.pk, now=NOW)
    assert (again.replaces, again.reply.state) == (first.reply.pk, Message.State.STREAMING)
    finish(ada, again.reply, "Why so?")
    tell(ada, conversation, "It calls itself")
    retry(ada, again)


@pytest.mark.spec("G4", "G11")
def test_a_lease_is_not_given_back_over_a_message_on_its_way():
    """The message's moment lies before the work that ends, and its row is committed after it."""
    ada, now = make_access("ada"), timezone.now()
    grant_lease(ada.key, now=now - timedelta(minutes=1))
    conversation = services.begin_conversation(ada, now=now)

    def do_other_work():
        try:
            with leased(ada.space, purpose="memory.inbox", now=now + timedelta(seconds=1)) as key:
                assert key is not None
        finally:
            connections["default"].close()

    worker = threading.Thread(target=do_other_work)
    with space_scope(ada.space):
        tell(ada, conversation, "I find recursion hard", now=now)
        worker.start()
        wait_until_blocked()
    worker.join(10)
    assert leases(ada) == 1
