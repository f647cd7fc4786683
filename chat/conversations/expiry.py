"""Transcripts that have had their time: the words and what was attached go, what was learnt from them and the date stay. Needs no key."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, Q

from chat.models import Attachment, Message
from chat.querysets import MessageQuerySet
from chat.replies.live import STALE_AFTER
from companion_site.audit.services import record_event
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, MemorySource


def remove_expired_texts(*, now: datetime) -> int:
    """Remove what has expired in every student's space; return how many messages.

    A message expires `TRANSCRIPT_DAYS` after a sleep that covered it, and after `TRANSCRIPT_CEILING_DAYS` in any case. One that was
    brought along from another chat stays for `TRANSCRIPT_CEILING_DAYS` from the day it came.
    """
    return sum(_remove(space, now=now) for space in _spaces_with_old_texts(now))


def _spaces_with_old_texts(now: datetime) -> list[UUID]:
    # Across spaces, so by the role that sees no content.
    oldest = now - timedelta(days=min(settings.TRANSCRIPT_DAYS, settings.TRANSCRIPT_CEILING_DAYS))
    rows = Message.objects.using("metadata").filter(text_removed_at__isnull=True, said_at__lte=oldest)
    spaces = rows.order_by("space_id").values_list("space_id", flat=True).distinct()
    personal = Space.objects.filter(pk__in=list(spaces), kind=Space.Kind.PERSONAL)
    return list(personal.order_by("id").values_list("pk", flat=True))


def _remove(space: UUID, *, now: datetime) -> int:
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
