"""A conversation of a company, read part by part, and what was read noted on it."""

from datetime import datetime
from functools import partial
from uuid import UUID

from chat.memories.due import count_parts, find_said, is_waiting, next_messages, rest
from chat.models import Conversation, Message
from companion_site.vault import unlocked
from companion_site.vault.boxes import OpenSpaceKey
from companion_site.vault.scope import space_scope
from memory.company.extraction.dialogue import Dialogue, Line
from memory.company.extraction.service import count_failures, extract
from memory.company.params import COMPANY
from memory.models import Extraction

Trigger = Extraction.Trigger
#: Messages of one part and characters in them, so that a model reads each with care; earlier ones that help to understand.
PART_MESSAGES, PART_CHARS, EARLIER = 40, 16_000, 6
#: a part that could not be read so often is left alone until something more is said
MOST_FAILURES = 5


def read_conversation(space: UUID, conversation: UUID, *, now: datetime) -> int:
    """Read what was said since the last reading, part by part; return how many parts.

    Nothing happens where its memory is off, where its person goes on talking, or where another worker is at it.
    """

    def read_next() -> bool:
        with space_scope(space), unlocked(space, OpenSpaceKey(space)):
            found = _next_part(space, conversation, now=now)
        if found is None:
            return False
        dialogue, trigger = found
        settle = partial(_settle, space, conversation, now=now)
        return extract(space, dialogue, trigger=trigger, settle=settle, now=now) is not None

    return count_parts(read_next)


def _next_part(
    space: UUID, conversation: UUID, *, now: datetime
) -> tuple[Dialogue, Extraction.Trigger] | None:
    row = Conversation.objects.for_space(space).with_memory().filter(pk=conversation).first()
    if row is None:
        return None
    messages, last = find_said(row)
    if last is None or is_waiting(row, said_at=last.said_at, remembers=False, now=now):
        return None
    failures = count_failures(space, row.pk, after=row.extracted_until, since=last.said_at)
    if last.position <= row.extracted_until or failures >= MOST_FAILURES:
        rest(row)
        return None
    return _cut(row, messages), _trigger(row, last, now=now)


def _cut(row: Conversation, messages) -> Dialogue:
    """Return the next part, with what helps to understand it."""
    earlier = list(messages.filter(position__lte=row.extracted_until).order_by("-position")[:EARLIER])[::-1]
    part = next_messages(messages, after=row.extracted_until, most=PART_MESSAGES, most_chars=PART_CHARS)
    # A person's danger is nothing that their colleagues are told.
    left_out = set(messages.of_danger().values_list("pk", flat=True))
    lines = []
    for message in [*earlier, *part]:
        # A reply that is still being written or broke off says nothing.
        if not message.text or message.state != Message.State.COMPLETE or message.pk in left_out:
            continue
        is_person = message.role == Message.Role.PERSON
        lines.append(
            Line(
                id=message.pk,
                position=message.position,
                text=message.text,
                language=message.language or "sv",
                said_at=message.said_at,
                is_person=is_person,
                speaker=row.author_id if is_person and not message.speaker else None,
            )
        )
    return Dialogue(
        conversation=row.pk, lines=tuple(lines), after=row.extracted_until, until=part[-1].position
    )


def _trigger(row: Conversation, last: Message, *, now: datetime) -> Extraction.Trigger:
    """Return why the conversation is read now."""
    if now - last.said_at >= COMPANY.silence:
        return Trigger.SILENCE
    others = Conversation.objects.for_space(row.space_id).filter(author_id=row.author_id).exclude(pk=row.pk)
    return Trigger.NEW_CONVERSATION if others.filter(created_at__gte=last.said_at).exists() else Trigger.LEFT


def _settle(space: UUID, conversation: UUID, until: int, *, now: datetime) -> None:
    """Note up to where a conversation has been read; if that is all of it, it is due no more."""
    row = Conversation.objects.for_space(space).filter(pk=conversation).select_for_update(no_key=True).get()
    row.extracted_until = max(row.extracted_until, until)
    _, last = find_said(row)
    if last is None or last.position <= row.extracted_until:
        row.extract_at = None
    elif not is_waiting(row, said_at=last.said_at, remembers=False, now=now):
        row.extract_at = now
    row.save(update_fields=["extracted_until", "extract_at"])
