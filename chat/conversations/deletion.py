"""Deleting a conversation: nobody finds it from then on, its person can have it back for 30 days, and then its rows go.

What was remembered from it stays, since a memory may come from several places, or is forgotten with it where its person
says so: what came from nowhere else is withdrawn with a change that each can be undone by, and comes back with the conversation.
From a deleted conversation nothing more is remembered.

Transcripts that have had their time lose the words and what was attached; what was learnt from them and the date stay. Needs no key.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, Q

from chat.access import ChatAccess, own_conversation
from chat.models import Attachment, Conversation, Message
from chat.notices import announce_deleted
from chat.querysets import ConversationQuerySet, MessageQuerySet
from chat.replies.live import STALE_AFTER
from chat.services import LISTED
from companion_site.audit.services import record_event
from companion_site.errors import InvalidInput, NotFound
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import await_key, resume_work
from memory.models import MemoryNode, MemorySource
from memory.student.withdrawal import CONVERSATION_DELETED, remember_again, withdraw

#: How long a deleted conversation can be had back.
KEPT = timedelta(days=30)


def delete(access: ChatAccess, conversation: UUID, *, forget: bool = False, now: datetime) -> None:
    """Delete a person's own conversation and close the pages that show it.

    Whoever is writing into the memory has finished when this returns.

    Args:
        forget: whether what was remembered from it, and from nowhere else, goes too.

    Raises:
        NotFound: there is no such conversation of theirs.
        InvalidInput: what is to be forgotten is a company's memory.
    """
    row = own_conversation(access, conversation)
    if forget and not access.remembers:
        raise InvalidInput()
    with access.open(), write_scope(access.space):
        if not access.conversations.filter(pk=row.pk).update(deleted_at=now):
            raise NotFound()
        data = {}
        if forget:
            said = _messages(access, row)
            data["forgotten"] = withdraw(
                access.space, said, why=CONVERSATION_DELETED, now=now, actor=access.person
            )
        access.record("chat.conversation_deleted", row, now=now, **data)
    announce_deleted(row.pk)


def restore(access: ChatAccess, conversation: UUID, *, now: datetime) -> None:
    """Have a deleted conversation back as it was, with what was forgotten with it; what waited in it to be remembered is taken
    up again.

    Raises:
        NotFound: the person has deleted no such conversation, or it has gone for good.
    """
    with access.open(), write_scope(access.space):
        row = restorable(access, now=now).find(pk=conversation)
        row.deleted_at = None
        row.save(update_fields=["deleted_at"])
        access.record("chat.conversation_restored", row, now=now)
        if access.remembers:
            said = _messages(access, row)
            remember_again(access.space, said, why=CONVERSATION_DELETED, now=now, actor=access.person)
            await_key(access.space, now=now)
    if access.remembers:
        resume_work(access.key, now=now)


def find_deleted(access: ChatAccess, conversation: str | None, *, now: datetime) -> Conversation | None:
    """Return what the person can have back by that id, as it is written in an address; None if there is no such."""
    try:
        asked = UUID(conversation or "")
    except ValueError:
        return None
    with space_scope(access.space):
        return restorable(access, now=now).filter(pk=asked).first()


def list_deleted(access: ChatAccess, *, now: datetime) -> list[Conversation]:
    """Return what the person can have back, the last deleted first."""
    with space_scope(access.space):
        return list(restorable(access, now=now)[:LISTED])


def remove_deleted(*, now: datetime) -> int:
    """Remove what was deleted 30 days ago from every space, with all that was said in it; return how many conversations."""
    # Across spaces, so by the role that sees no content.
    rows = Conversation.objects.using("metadata").filter(deleted_at__lte=now - KEPT).order_by("space_id")
    return sum(_remove(space, now=now) for space in list(rows.values_list("space_id", flat=True).distinct()))


def _messages(access: ChatAccess, row: Conversation) -> list[UUID]:
    return list(Message.objects.for_space(access.space).filter(conversation=row).values_list("pk", flat=True))


def _remove(space: UUID, *, now: datetime) -> int:
    with space_scope(space):
        _, counts = Conversation.objects.for_space(space).filter(deleted_at__lte=now - KEPT).delete()
        removed = counts.get(Conversation._meta.label, 0)
        if removed:
            record_event("chat.conversations_removed", chain=space, data={"count": removed}, now=now)
    return removed


def restorable(access: ChatAccess, *, now: datetime) -> ConversationQuerySet:
    """Return what the person can still have back, for the block of their scope; what is older goes with the next removal."""
    return Conversation.objects.for_space(access.space).deleted_by(access.person, since=now - KEPT)


def remove_expired_texts(*, now: datetime) -> int:
    """Remove what has expired in every student's space; return how many messages.

    A message expires `TRANSCRIPT_DAYS` after a sleep that covered it, and after `TRANSCRIPT_CEILING_DAYS` in any case. One that was
    brought along from another chat stays for `TRANSCRIPT_CEILING_DAYS` from the day it came.
    """
    return sum(_remove_texts(space, now=now) for space in _spaces_with_old_texts(now))


def _spaces_with_old_texts(now: datetime) -> list[UUID]:
    # Across spaces, so by the role that sees no content.
    oldest = now - timedelta(days=min(settings.TRANSCRIPT_DAYS, settings.TRANSCRIPT_CEILING_DAYS))
    rows = Message.objects.using("metadata").filter(text_removed_at__isnull=True, said_at__lte=oldest)
    spaces = rows.order_by("space_id").values_list("space_id", flat=True).distinct()
    personal = Space.objects.filter(pk__in=list(spaces), kind=Space.Kind.PERSONAL)
    return list(personal.order_by("id").values_list("pk", flat=True))


def _remove_texts(space: UUID, *, now: datetime) -> int:
    with space_scope(space):
        expired = list(_expired(space, now=now).values_list("pk", flat=True))
        rows = Message.objects.for_space(space).filter(pk__in=expired)
        removed = rows.update(text=None, speaker=None, outcome=None, text_removed_at=now)
        if removed:
            Attachment.objects.for_space(space).filter(message__in=expired).delete()
            record_event("chat.texts_removed", chain=space, data={"count": removed}, now=now)
    return removed


def _expired(space: UUID, *, now: datetime) -> MessageQuerySet:
    """Return the messages whose words have had their time; a reply goes by its own time, as its message does.

    One that is being written is left alone; one that was cut short is not, whether or not anybody has looked since.
    """
    ceiling_at = now - timedelta(days=settings.TRANSCRIPT_CEILING_DAYS)
    ceiling = Q(said_at__lte=ceiling_at)
    slept_by = now - timedelta(days=settings.TRANSCRIPT_DAYS)
    nodes = MemoryNode.objects.for_space(space)
    last_sleep = nodes.filter(slept_over_at__lte=slept_by).aggregate(at=Max("slept_over_at"))["at"]
    rows = (
        Message.objects.for_space(space)
        .filter(text_removed_at__isnull=True)
        .exclude(state=Message.State.STREAMING, streamed_at__gt=now - STALE_AFTER)
        .exclude(conversation__brought_by__kept_at__gt=ceiling_at)
    )
    if last_sleep is None:
        return rows.filter(ceiling)
    unslept = MemorySource.objects.for_space(space).filter(
        _is_not_covered(slept_by), source_id=OuterRef("pk"), node__superseded_at__isnull=True
    )
    waiting = Q(role="person", formed_at__isnull=True, conversation__memory_on=True)
    covered = Q(said_at__lt=last_sleep) & ~Exists(unslept) & ~waiting
    return rows.filter(ceiling | covered)


def _is_not_covered(slept_by: datetime) -> Q:
    """Return which memories keep the words they came from: sleep has yet to take them in, or did so less long ago.

    What sleep took into an insight is a tombstone by now, and tells when that was; the insight itself, which may have been
    renewed since, does not.
    """
    waits = Q(node__slept_over_at__isnull=True, node__removed_at__isnull=True)
    insight = Q(node__tier=MemoryNode.Tier.LONG_TERM, node__trust=MemoryNode.Trust.DERIVED)
    return waits | (Q(node__slept_over_at__gt=slept_by) & ~insight)
