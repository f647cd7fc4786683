"""A reply while it is being written: kept piece by piece by one writer, and finished once."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from chat.access import ChatAccess
from chat.models import Conversation, Message
from chat.personalisation.measure import note_measures
from companion_site.language import Language
from companion_site.vault.columns import seal_column
from companion_site.vault.grants import working_under
from companion_site.vault.scope import space_scope

#: What a reply ends with that was longer than one may be.
CUT_NOTES: dict[Language, str] = {
    "en": "\n\n[…] The reply was cut here, since it was longer than a reply may be.",
    "sv": "\n\n[…] Svaret klipptes av här, eftersom det var längre än ett svar får vara.",
}


def save_partial(access: ChatAccess, reply: UUID, *, text: str, now: datetime) -> bool:
    """Keep what has been streamed so far; False once the reply is no longer this writer's to finish."""
    with space_scope(access.space), access.open():
        row = _streaming(access, reply)
        if row is None:
            return False
        row.text, row.streamed_at = text, now
        row.save(update_fields=["text", "streamed_at"])
        return True


def note_outcome(access: ChatAccess, reply: UUID, *, outcome: dict[str, Any]) -> None:
    """Keep what the steps before a reply came to, while it is still to be written."""
    with space_scope(access.space), access.open():
        rows = Message.objects.for_space(access.space).filter(pk=reply, state=Message.State.STREAMING)
        rows.update(outcome=seal_column(access.space, Message, "outcome", reply, outcome))


def interrupt_reply(space: UUID, reply: UUID) -> None:
    """Mark a reply whose grant has ended as cut short. No word of it is written, so no key is needed for it."""
    with working_under(None), space_scope(space):
        rows = Message.objects.for_space(space).filter(pk=reply, state=Message.State.STREAMING)
        rows.update(state=Message.State.INTERRUPTED)


def finish_reply(
    access: ChatAccess,
    reply: UUID,
    *,
    text: str,
    state: Message.State,
    now: datetime,
    recalled: Sequence[dict[str, Any]] = (),
    memory_tokens: int | None = None,
    is_danger: bool = False,
    provider: str = "",
    model: str = "",
    timings_ms: dict[str, float] | None = None,
    steps: Sequence[dict[str, Any]] = (),
    outcome: dict[str, Any] | None = None,
) -> None:
    """Write a reply's last form with what is known of how it came about, and of what it came to show.

    Args:
        recalled: the memories that stood in the prompt.
        is_danger: whether the message is about danger to somebody.
        steps: what led to it, as metadata; outcome: what those steps came to, sealed.
    """
    with space_scope(access.space), access.open():
        # The conversation before its message, as whoever speaks in it locks them.
        conversations = Conversation.objects.for_space(access.space).filter(messages=reply)
        conversation = conversations.select_for_update(no_key=True, of=("self",)).first()
        row = _streaming(access, reply)
        if row is None or conversation is None:
            return
        row.text, row.state, row.streamed_at = text, state, now
        # A local model may go by the whole path of its weights.
        longest = Message._meta.get_field("model").max_length
        row.provider, row.model, row.timings_ms = provider, model[:longest], timings_ms or {}
        row.recalled, row.memory_tokens = list(recalled), memory_tokens
        row.steps, row.outcome = list(steps), outcome
        if text:
            note_measures(row, text, is_danger=is_danger, now=now)
        row.save()
        conversation.updated_at = now
        conversation.save(update_fields=["updated_at"])


def _streaming(access: ChatAccess, reply: UUID) -> Message | None:
    rows = Message.objects.for_space(access.space).filter(pk=reply, state=Message.State.STREAMING)
    return rows.select_for_update(no_key=True).first()
