"""What the page says of the memories that a reply was given."""

from datetime import timedelta
from uuid import uuid4

import pytest

from chat import services
from chat.conversations.history import load_part
from chat.memories.formation import form_from_message
from chat.models import Message
from chat.replies import store
from chat.replies.presentation import render_message, show_messages
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, MemorySource
from tests.factories import NOW, make_access

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(days=3)


def shown_after(ada, *, kinds=()):
    """Return the reply that was given a memory said at NOW and formed three days later, with more sources of `kinds`."""
    row = services.begin_conversation(ada, now=NOW)
    exchange = services.say(
        ada, row.pk, text="I live in Lund with my aunt Karin.", client_id=uuid4(), now=NOW
    )
    form_from_message(ada.space, exchange.message.pk, key=ada.key, now=LATER)
    with space_scope(ada.space):
        (node,) = MemoryNode.objects.for_space(ada.space)
        for kind in kinds:
            MemorySource.objects.create(
                space_id=ada.space, node=node, kind=kind, source_id=uuid4(), start=0, end=4, said_at=LATER
            )
    store.finish_reply(
        ada,
        exchange.reply.pk,
        text="I see.",
        state=Message.State.COMPLETE,
        now=LATER,
        recalled=[{"id": str(node.pk), "score": 1.0}],
    )
    messages = load_part(ada, row.pk, now=LATER).messages
    return show_messages(ada, messages, now=LATER)[1]


def test_a_memory_used_carries_the_day_it_was_said():
    """Not the day on which it could be formed."""
    (memory,) = shown_after(make_access("ada")).stood_on.memories
    assert memory.said_at == NOW


def test_only_the_person_s_own_messages_are_counted_as_theirs():
    """What a teacher observed or a lesson recorded is no earlier message of the student's."""
    shown = shown_after(
        make_access("ada"),
        kinds=[MemorySource.Kind.OBSERVATION, MemorySource.Kind.LESSON, MemorySource.Kind.MESSAGE],
    )
    assert shown.stood_on.sources_count == 2
    assert "From 2 earlier messages of yours" in render_message(shown)
