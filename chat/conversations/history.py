"""The part of a conversation that is shown: its newest messages, those before or after a position, or those around one message.

It is read by position, so that opening a conversation of years costs what opening a short one does.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from chat.access import ChatAccess, own_conversation
from chat.models import Conversation, Message
from chat.querysets import MessageQuerySet
from chat.services import settle
from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope

#: Messages of one part.
PART = 50


@dataclass(frozen=True, kw_only=True)
class Part:
    """Messages that follow one another, opened lazily while the space is unlocked.

    Attributes:
        earlier: the position of the first, if there are messages before it.
        later: the position of the last, if there are messages after it.
    """

    conversation: Conversation
    messages: list[Message]
    earlier: int | None
    later: int | None


def load_part(
    access: ChatAccess,
    conversation: UUID,
    *,
    now: datetime,
    before: int | None = None,
    after: int | None = None,
    around: UUID | None = None,
) -> Part:
    """Return a part of a person's own conversation, the newest where no other is asked for.

    Raises:
        NotFound: there is no such conversation of theirs, or it does not hold the message.
    """
    row = own_conversation(access, conversation)
    with space_scope(access.space):
        every = Message.objects.for_space(access.space).filter(conversation=row)
        rows = every.current()
        if around is not None:
            middle = every.filter(pk=around).values_list("position", flat=True).first()
            if middle is None:
                raise NotFound()
            messages = [*_last(rows.before(middle + 1), PART // 2), *_first(rows, middle, PART // 2)]
        elif after is not None:
            messages = _first(rows, after, PART)
        else:
            messages = _last(rows if before is None else rows.before(before), PART)
        first, last = (messages[0].position, messages[-1].position) if messages else (0, 0)
        has_earlier = bool(messages) and rows.before(first).exists()
        has_later = bool(messages) and rows.filter(position__gt=last).exists()
    settle(access, messages, now=now)
    return Part(
        conversation=row,
        messages=messages,
        earlier=first if has_earlier else None,
        later=last if has_later else None,
    )


def _last(rows: MessageQuerySet, most: int) -> list[Message]:
    return list(rows.order_by("-position")[:most])[::-1]


def _first(rows: MessageQuerySet, after: int, most: int) -> list[Message]:
    return list(rows.filter(position__gt=after).order_by("position")[:most])
