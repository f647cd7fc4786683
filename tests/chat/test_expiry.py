"""Transcripts stay for a while; then the words go, and what was learnt from them stays."""

from datetime import timedelta

import pytest

from chat import services
from chat.conversations.deletion import remove_expired_texts
from chat.conversations.history import load_part
from chat.memories.formation import find_awaiting, form_from_message
from chat.models import Message
from chat.replies import store
from chat.replies.presentation import render_message, show_messages
from companion_site.errors import InvalidInput
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode
from memory.student.sleep.run import sleep_through
from tests.chat.talking import begin, held, rows, say, tell
from tests.factories import NOW

pytestmark = pytest.mark.spec("G15")

TEXT = "My exam in organic chemistry is on 3 June and I am scared of the reaction mechanisms."
DAY = timedelta(days=1)


def told(access, text=TEXT, *, form=True, now=NOW):
    """Say something and have it answered; return message and conversation."""
    row = begin(access, now=now)
    exchange = say(access, row, text, now=now)
    if form:
        form_from_message(access.space, exchange.message.pk, key=access.key, now=now)
    return exchange, row


def sleep(access, *, at, but=()):
    """Cover the memories of a space, as sleep does."""
    with space_scope(access.space):
        nodes = MemoryNode.objects.for_space(access.space).filter(slept_over_at__isnull=True)
        nodes.exclude(pk__in=but).update(slept_over_at=at)


def texts(access):
    with access.open():
        return [row.text for row in rows(access, Message)]


def test_words_go_thirty_days_after_the_sleep_that_covered_them(ada):
    """Not a day sooner; both sides of the conversation go, with how somebody sounded, felt and was answered, and the memories stay."""
    told(ada)
    learnt = held(ada)
    with space_scope(ada.space), ada.open():
        for row in rows(ada, Message):
            row.outcome = {"emotion": "sadness"}
            row.save(update_fields=["outcome"])
    sleep(ada, at=NOW + DAY)
    assert [remove_expired_texts(now=NOW + days * DAY) for days in (30, 31, 32)] == [0, 2, 0]
    assert texts(ada) == [None, None] and held(ada) == learnt and learnt
    assert rows(ada, Message, outcome__isnull=False) == []


def test_with_no_days_words_go_with_the_sleep(ada, settings):
    """`TRANSCRIPT_DAYS=0` keeps them no longer than that, and what came afterwards stays."""
    settings.TRANSCRIPT_DAYS = 0
    told(ada)
    sleep(ada, at=NOW + DAY)
    told(ada, "I live in Lund with my aunt Karin and her two dogs.", now=NOW + 2 * DAY)
    assert remove_expired_texts(now=NOW + 3 * DAY) == 2
    assert [text is None for text in texts(ada)] == [True, True, False, False]


def test_the_ceiling_holds_without_any_sleep(ada, bo):
    """After sixty days words go even if the space never sleeps or its key never comes; nothing waits for them. A company's stay."""
    told(ada, form=False)
    told(bo, form=False)
    assert remove_expired_texts(now=NOW + 59 * DAY) == 0
    assert remove_expired_texts(now=NOW + 60 * DAY) == 2
    assert texts(ada) == [None, None]
    assert not find_awaiting(ada.space)


def test_a_reply_that_was_cut_short_goes_too(ada):
    """Words that a killed process left behind expire though nobody opened the conversation since; one that is being
    written is left alone."""
    row = begin(ada)
    cut = tell(ada, row, TEXT).reply
    assert store.save_partial(ada, cut.pk, text="Half a re", now=NOW)
    assert remove_expired_texts(now=NOW + 60 * DAY) == 2
    assert texts(ada) == [None, None]
    written = tell(ada, row, TEXT).reply
    assert store.save_partial(ada, written.pk, text="Half a re", now=NOW + 60 * DAY)
    assert remove_expired_texts(now=NOW + 60 * DAY) == 1
    assert texts(ada)[2:] == [None, "Half a re"]


def test_the_page_shows_what_stayed(ada):
    """In place of the words stand the date and what was learnt; a reply to them cannot be written anew."""
    exchange, row = told(ada)
    remove_expired_texts(now=NOW + 60 * DAY)
    messages = load_part(ada, row.pk, now=NOW + 61 * DAY).messages
    shown = show_messages(ada, messages, now=NOW + 61 * DAY)
    assert shown[0].learnt == held(ada)
    page = render_message(shown[0])
    assert "removed on 1 May 2026" in page and all(text.split()[0] in page for text in shown[0].learnt)
    with pytest.raises(InvalidInput):
        services.retry_reply(ada, row.pk, exchange.reply.pk, now=NOW + 61 * DAY)


def test_the_days_count_from_the_sleep_that_covered_the_message(ada):
    """What only a later sleep took in, or none, keeps its words as much longer, though an earlier one covered what lay around it."""
    told(ada)
    told(ada, "I live in Lund with my aunt Karin and her two dogs.", now=NOW + timedelta(minutes=1))
    with space_scope(ada.space):
        second = MemoryNode.objects.for_space(ada.space).filter(accessed_at=NOW + timedelta(minutes=1))
        left = list(second.values_list("pk", flat=True))
    sleep(ada, at=NOW + DAY, but=left)
    sleep(ada, at=NOW + 10 * DAY)
    remove_expired_texts(now=NOW + 31 * DAY)
    assert left and [text is None for text in texts(ada)] == [True, True, False, True]
    assert remove_expired_texts(now=NOW + 39 * DAY) == 0
    assert remove_expired_texts(now=NOW + 40 * DAY) == 1


@pytest.mark.spec("I1", "AC-2.1.3")
def test_a_real_sleep_covers_what_it_took_into_insights(ada):
    """Tombstones count as covered, and an insight that is renewed later does not keep the words of the first sleep's messages."""
    told(ada)
    slept = NOW + timedelta(hours=4)
    assert {run.state for run in sleep_through(ada.space, key=ada.key, now=slept)} == {"success"}
    with space_scope(ada.space):
        rows = MemoryNode.objects.for_space(ada.space)
        assert not rows.filter(slept_over_at__isnull=True).exists()
        insights = rows.active().filter(tier="long_term", trust="derived")
        insights.update(slept_over_at=NOW + 20 * DAY)
    learnt = held(ada)
    assert remove_expired_texts(now=slept + 30 * DAY - timedelta(seconds=1)) == 0
    assert remove_expired_texts(now=slept + 30 * DAY) == 2
    assert texts(ada) == [None, None] and held(ada) == learnt
