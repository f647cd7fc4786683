"""Which conversations have a batch to fold in, and what it says."""

from dataclasses import dataclass
from typing import cast
from uuid import UUID

from django.db.models import Exists, OuterRef

from chat.models import Conversation, Message
from chat.querysets import ConversationQuerySet
from chat.summaries.params import SUMMARY
from companion_site.language import Language, as_language
from companion_site.vault.scope import space_scope

SETTLED = (Message.State.COMPLETE, Message.State.STOPPED)


@dataclass(frozen=True)
class Line:
    """One message of a batch."""

    by_person: bool
    text: str


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The oldest messages that a conversation's summary does not reach yet.

    Attributes:
        begins_after: the summary's reach, by which it is known whether somebody else folded it in meanwhile.
        until: the position that it will reach.
        messages: what was read for it, which must still stand in the conversation when it is written.
    """

    conversation: UUID
    begins_after: int
    until: int
    summary: str
    lines: tuple[Line, ...]
    language: Language
    messages: tuple[UUID, ...] = ()


def due_conversations(space: UUID) -> ConversationQuerySet:
    """Return the conversations with a whole batch beyond their summary; asked inside the space's scope.

    One is due by a reply that was given here: what was brought in from elsewhere and nobody goes on with is left as
    it is. A reply still being written holds its batch back. Nothing is kept of a conversation whose memory is off.
    """
    messages = Message.objects.for_space(space).current().filter(conversation=OuterRef("pk"))
    reach = OuterRef("summarised_until") + SUMMARY.batch
    replied = messages.filter(role=Message.Role.COMPANION, state__in=SETTLED, position__gte=reach).exclude(
        provider=""
    )
    writing = messages.filter(
        state=Message.State.STREAMING, position__gt=OuterRef("summarised_until"), position__lte=reach
    )
    rows = Conversation.objects.for_space(space).with_memory()
    return cast(ConversationQuerySet, rows.filter(Exists(replied), ~Exists(writing)))


def awaits_folding(space: UUID) -> bool:
    """Tell whether a conversation of the space has a batch to fold in; asked inside its scope."""
    return due_conversations(space).exists()


def read_batch(space: UUID, conversation: UUID) -> Batch | None:
    """Return the batch that is next, None where none is due; read while the space is unlocked."""
    with space_scope(space):
        row = due_conversations(space).filter(pk=conversation).first()
        if row is None:
            return None
        until = row.summarised_until + SUMMARY.batch
        rows = Message.objects.for_space(space).filter(
            conversation=row, position__gt=row.summarised_until, position__lte=until
        )
        messages = list(rows.may_be_kept().filter(state__in=SETTLED).order_by("position"))
        lines = tuple(
            Line(message.role == Message.Role.PERSON, message.text[: SUMMARY.most_read])
            for message in messages
            if message.text
        )
        said = [message.language for message in messages if message.role == Message.Role.PERSON]
        return Batch(
            conversation=row.pk,
            begins_after=row.summarised_until,
            until=until,
            summary=row.summary or "",
            lines=lines,
            language=as_language(said[-1] if said else ""),
            messages=tuple(message.pk for message in messages),
        )
