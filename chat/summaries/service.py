"""Folding the oldest messages of a conversation into its summary: read, think, write; once each, wherever it is killed."""

from datetime import datetime
from time import monotonic
from uuid import UUID

from django.conf import settings

from chat.access import ChatAccess
from chat.models import Conversation, Message
from chat.summaries.params import SUMMARY
from chat.summaries.points import Point, tokens_of, write_points
from chat.summaries.prompts import FOLD, SHORTEN, Summary, batch_text
from chat.summaries.rules import condense, thin_out
from chat.summaries.selectors import Batch, due_conversations, read_batch
from companion_site.jobs import enqueue
from companion_site.vault import unlocked
from companion_site.vault.boxes import OpenSpaceKey, SpaceKey
from companion_site.vault.scope import space_scope
from companion_site.vault.services import await_key, grant_lease
from memory.reading.model import ask_model

JOB = "chat.summaries.tasks.fold_messages"
#: of the time that a job may take, the share after which it begins no further batch
BUDGET = 0.25


def fold_conversation(space: UUID, conversation: UUID, *, key: SpaceKey) -> int:
    """Fold in every whole batch that a conversation has beyond its summary; return how many were.

    Two workers at once fold each batch once; killed anywhere, a batch is either in the summary or still to come. A very
    long conversation is left in time: what is still due is for another call.
    """
    count, until = 0, monotonic() + BUDGET * settings.JOB_TIMEOUT_S
    while count == 0 or monotonic() < until:
        with unlocked(space, key):
            batch = read_batch(space, conversation)
            if batch is None:
                return count
            summary = summarise(batch)
            count += _write(space, batch, summary)
    return count


def queue_due(space: UUID, *, only: UUID | None = None) -> int:
    """Queue the folding of what is due, of all conversations or of one, a job to each; return how many."""
    with space_scope(space):
        rows = due_conversations(space) if only is None else due_conversations(space).filter(pk=only)
        ids = list(rows.order_by("id").values_list("pk", flat=True))
        for conversation_id in ids:
            enqueue(JOB, space, conversation_id)
    return len(ids)


def summarise(batch: Batch) -> str:
    """Return the summary with a batch folded in: by the fast model, or by rule where none can be asked.

    Called outside a transaction.
    """
    if not batch.lines:
        return batch.summary
    points = _ask(FOLD, batch_text(batch))
    if points is None:
        return write_points(condense(batch), batch.language)
    if tokens_of(points, batch.language) > SUMMARY.most_tokens:
        points = _ask(SHORTEN, write_points(points, batch.language)) or points
    return write_points(thin_out(points, batch.language), batch.language)


def queue_folding(access: ChatAccess, conversation_id: UUID, *, now: datetime) -> bool:
    """Let the worker fold in what is due of a conversation; False where nobody but the open session may.

    Called after a reply, which it does not hold up.
    """
    with space_scope(access.space):
        if not due_conversations(access.space).filter(pk=conversation_id).exists():
            return True
        if isinstance(access.key, OpenSpaceKey) or grant_lease(access.key, now=now):
            enqueue(JOB, access.space, conversation_id)
            return True
        await_key(access.space, now=now)
        return False


def fold_after_reply(access: ChatAccess, conversation: UUID, *, now: datetime) -> None:
    """Queue what is due, or do it here and now where no worker may hold the key."""
    if not queue_folding(access, conversation, now=now) and not settings.LEASE_HOURS:
        fold_conversation(access.space, conversation, key=access.key)


def _ask(instructions: str, data: str) -> list[Point] | None:
    answer = ask_model(Summary, instructions=instructions, data=data, purpose="chat.summary")
    return None if answer is None else answer.to_points()


def _write(space: UUID, batch: Batch, summary: str) -> bool:
    """Keep a summary that reaches to its batch's end; False where somebody else was there before, or another version stands there."""
    with space_scope(space):
        rows = Conversation.objects.for_space(space).filter(summarised_until=batch.begins_after)
        row = rows.filter(pk=batch.conversation).select_for_update(no_key=True).first()
        read = Message.objects.for_space(space).current().filter(pk__in=batch.messages)
        if row is None or read.count() < len(batch.messages):
            return False
        row.summary, row.summarised_until = summary, batch.until
        row.save(update_fields=["summary", "summarised_until"])
        return True
