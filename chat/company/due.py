"""When a company's conversation is read for facts: after a silence, when its person leaves, or when they begin another."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from chat.access import ChatAccess
from chat.models import Conversation
from companion_site.accounts.models import Person
from companion_site.jobs import enqueue
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.company.params import COMPANY

#: conversations queued by one look; what is left is found by the next
MOST_QUEUED = 500


def await_silence(row: Conversation, *, now: datetime) -> list[str]:
    """Note on a conversation with memory that something was said; return its changed fields. In the sender's transaction."""
    row.extract_at = now + COMPANY.silence
    return ["extract_at"]


def leave(access: ChatAccess, conversation: UUID, *, now: datetime) -> None:
    """Have a conversation read at once: its person has gone."""
    if not access.remembers:
        with space_scope(access.space):
            _queue(access.space, conversation, now=now)


def leave_others(access: ChatAccess, *, now: datetime) -> None:
    """Have the person's conversations read at once: they begin another. Inside the space's scope."""
    if access.remembers:
        return
    rows = Conversation.objects.for_space(access.space).of_author(access.person).with_memory()
    for conversation in rows.filter(extract_at__isnull=False).values_list("pk", flat=True)[:MOST_QUEUED]:
        _queue(access.space, conversation, now=now)


def queue_due(*, now: datetime) -> int:
    """Have everything read that has been silent for long enough; return how many conversations."""
    queued = 0
    for space, conversation in _find_due(now):
        with space_scope(space):
            queued += _queue(space, conversation, now=now, due_by=now)
    return queued


def is_waiting(row: Conversation, *, said_at: datetime, now: datetime) -> bool:
    """Tell whether a conversation goes on: its person said something since it was found due.

    Args:
        said_at: when the last message was said.
    """
    return row.extract_at is not None and row.extract_at > now and row.extract_at == said_at + COMPANY.silence


def _find_due(now: datetime) -> list[tuple[UUID, UUID]]:
    closed = Space.objects.filter(kind=Space.Kind.COMPANY, closed_at__isnull=False)
    # Across spaces, so by the role that sees no content.
    due = Conversation.objects.using("metadata").filter(extract_at__lte=now, memory_on=True)
    due = due.exclude(space_id__in=list(closed.values_list("pk", flat=True)))
    off = Person.objects.filter(memory_on=False, company__isnull=False)
    due = due.exclude(author_id__in=list(off.values_list("pk", flat=True)))
    return list(due.order_by("extract_at").values_list("space_id", "pk")[:MOST_QUEUED])


def _queue(space: UUID, conversation_id: UUID, *, now: datetime, due_by: datetime | None = None) -> int:
    """Queue the reading of a conversation that has something to read, and look again later whether it was done."""
    due = Q(extract_at__isnull=False) if due_by is None else Q(extract_at__lte=due_by)
    rows = Conversation.objects.for_space(space).with_memory().filter(due, pk=conversation_id)
    queued = rows.update(extract_at=now + timedelta(seconds=settings.JOB_RETRY_S))
    if queued:
        enqueue("chat.company.tasks.read_conversation", space, conversation_id)
    return queued
