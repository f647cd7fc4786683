"""When a conversation is read for what it tells: after a silence, when its person leaves, or when they begin another.

A company's is read for facts, by its own rules. A student's messages form memories at once, each by itself; where a model is
configured it reads the exchange once they pause (`chat.memories.exchange`).
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from chat.access import ChatAccess
from chat.models import Conversation, Message
from chat.querysets import MessageQuerySet
from companion_site.accounts.models import Person
from companion_site.jobs import enqueue
from companion_site.llm.gateway import get_gateway
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.company.params import COMPANY

#: conversations queued by one look; what is left is found by the next
MOST_QUEUED = 500
#: of the time that a job may take, the share after which it begins no further part; what is left is found again
BUDGET = 0.25
#: what reads a conversation, by whether it is of a sealed space
JOBS = {False: "chat.tasks.read_conversation", True: "chat.tasks.read_exchange"}


def await_silence(access: ChatAccess, row: Conversation, *, now: datetime) -> list[str]:
    """Note on a conversation with memory that something was said; return its changed fields. In the sender's transaction."""
    if access.remembers and not get_gateway().providers:
        return []
    row.extract_at = now + _silence(remembers=access.remembers)
    return ["extract_at"]


def leave(access: ChatAccess, conversation: UUID, *, now: datetime) -> None:
    """Have a conversation read at once: its person has gone."""
    with space_scope(access.space):
        _queue(access.space, conversation, now=now, job=JOBS[access.remembers])


def leave_others(access: ChatAccess, *, now: datetime) -> None:
    """Have the person's conversations read at once: they begin another. Inside the space's scope."""
    if access.remembers and not settings.LEASE_HOURS:
        return  # no worker may hold the key; the open session reads what is due
    rows = access.conversations.with_memory()
    for conversation in rows.filter(extract_at__isnull=False).values_list("pk", flat=True)[:MOST_QUEUED]:
        _queue(access.space, conversation, now=now, job=JOBS[access.remembers])


def queue_due(*, now: datetime) -> int:
    """Have everything read that has been silent for long enough; return how many conversations."""
    queued = 0
    for space, conversation, job in _find_due(now):
        with space_scope(space):
            queued += _queue(space, conversation, now=now, job=job, due_by=now)
    return queued


def is_waiting(row: Conversation, *, said_at: datetime, remembers: bool, now: datetime) -> bool:
    """Tell whether a conversation goes on: its person said something since it was found due.

    Args:
        said_at: when the last message was said.
        remembers: it stands in a personal space.
    """
    if row.extract_at is None or row.extract_at <= now:
        return False
    return row.extract_at == said_at + _silence(remembers=remembers)


def count_parts(read_next: Callable[[], bool]) -> int:
    """Read part after part, one at least, until none is left or a job begins no further one; return how many were read.

    Args:
        read_next: reads a part; False where there is none, or another worker was faster.
    """
    until = monotonic() + BUDGET * settings.JOB_TIMEOUT_S
    parts = 0
    while read_next():
        parts += 1
        if monotonic() >= until:
            break
    return parts


def find_said(row: Conversation) -> tuple[MessageQuerySet, Message | None]:
    """Return what may be kept of a conversation, and of that what its person said last."""
    messages = Message.objects.for_space(row.space_id).may_be_kept()
    messages = messages.filter(conversation=row, text_removed_at__isnull=True)
    return messages, messages.said_by_person().order_by("position").last()


def next_messages(messages: MessageQuerySet, *, after: int, most: int, most_chars: int) -> list[Message]:
    """Return what comes after a position: so many messages, and no more characters than are read with care, but one at least."""
    part: list[Message] = []
    chars = 0
    for message in messages.filter(position__gt=after).order_by("position")[:most]:
        chars += len(message.text or "")
        if part and chars > most_chars:
            break
        part.append(message)
    return part


def rest(row: Conversation) -> None:
    """Note that nothing is left to read; what is said meanwhile sets a new time."""
    rows = Conversation.objects.for_space(row.space_id).filter(pk=row.pk, extract_at=row.extract_at)
    rows.update(extract_at=None)


def _silence(*, remembers: bool) -> timedelta:
    """Return how long somebody must have said nothing."""
    return timedelta(seconds=settings.READING_PAUSE_S) if remembers else COMPANY.silence


def _find_due(now: datetime) -> list[tuple[UUID, UUID, str]]:
    """Return space, conversation and job of what is due; a sealed space that waits for its key is left to the next unlock."""
    # Across spaces, so by the role that sees no content.
    due = Conversation.objects.using("metadata").filter(extract_at__lte=now)
    due = due.filter(memory_on=True, deleted_at__isnull=True).order_by()
    spaces = Space.objects.filter(pk__in=list(due.values_list("space_id", flat=True).distinct()))
    shut = spaces.filter(Q(closed_at__isnull=False) | Q(sealed=True, awaiting_key_since__isnull=False))
    authors = list(due.values_list("author_id", flat=True).distinct())
    off = Person.objects.filter(pk__in=authors, memory_on=False)
    due = due.exclude(space_id__in=list(shut.values_list("pk", flat=True)))
    due = due.exclude(author_id__in=list(off.values_list("pk", flat=True)))
    sealed = set(spaces.filter(sealed=True).values_list("pk", flat=True))
    found = due.order_by("extract_at").values_list("space_id", "pk")[:MOST_QUEUED]
    return [(space, conversation, JOBS[space in sealed]) for space, conversation in found]


def _queue(
    space: UUID, conversation_id: UUID, *, now: datetime, job: str, due_by: datetime | None = None
) -> int:
    """Queue the reading of a conversation that has something to read, and look again later whether it was done."""
    due = Q(extract_at__isnull=False) if due_by is None else Q(extract_at__lte=due_by)
    rows = Conversation.objects.for_space(space).with_memory().filter(due, pk=conversation_id)
    queued = rows.update(extract_at=now + timedelta(seconds=settings.JOB_RETRY_S))
    if queued:
        enqueue(job, space, conversation_id)
    return queued
