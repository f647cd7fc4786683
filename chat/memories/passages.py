"""What was said where memories come from: the words, and what stands before them. Pages and copies of a memory read it."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from chat.models import Message
from ledger.models import ThreatAlert
from memory.models import MemorySource
from memory.student.pages.passages import Line, Passage

#: So much is shown of what stands before a quotation, and of each message before it, from its end.
MOST_BEFORE = 240


def read_quotes(space: UUID, sources: Sequence[MemorySource]) -> dict[UUID, str]:
    """Return what was said at each of these places; of a message whose words are gone, nothing."""
    return {
        source.pk: quote for source, message in _said(space, sources) if (quote := _quote(source, message))
    }


def read_passages(space: UUID, sources: Sequence[MemorySource], *, earlier: int = 0) -> dict[UUID, Passage]:
    """Return the same with what stands before it in the message, and so many of the messages before that one, two at the most.

    What surely speaks of danger is not shown beside anything else, nor is what answered it.
    """
    said = list(_said(space, sources, with_earlier=bool(earlier)))
    lines = _earlier_lines(space, {message for _, message in said}, most=earlier)
    return {
        source.pk: Passage(
            quote=" ".join(quote.split()),
            before=_end_of((message.text or "")[: source.start]),
            earlier=lines.get(message.pk, ()),
        )
        for source, message in said
        if (quote := _quote(source, message))
    }


def _said(
    space: UUID, sources: Sequence[MemorySource], *, with_earlier: bool = False
) -> Iterator[tuple[MemorySource, Message]]:
    """Return each place with the message that it is in, as far as the words are still there."""
    places = defaultdict(list)
    for source in sources:
        if source.kind == MemorySource.Kind.MESSAGE:
            places[source.source_id].append(source)
    messages = Message.objects.for_space(space).filter(pk__in=places, text_removed_at__isnull=True)
    for message in messages.select_related("parent__parent") if with_earlier else messages:
        for source in places[message.pk]:
            yield source, message


def _earlier_lines(space: UUID, messages: Collection[Message], *, most: int) -> dict[UUID, tuple[Line, ...]]:
    """Return of each message what was said before it, in the order in which it was."""
    if not most:
        return {}
    before = {
        message.pk: [
            one for one in (message.parent, message.parent and message.parent.parent) if one is not None
        ]
        for message in messages
    }
    alerts = ThreatAlert.objects.for_space(space).filter(
        source_id__in={one.pk for earlier in before.values() for one in earlier}
    )
    of_danger = set(alerts.values_list("source_id", flat=True))
    return {
        message: tuple(
            Line(is_own=one.role == Message.Role.PERSON, text=text)
            for one in reversed(earlier[:most])
            if (text := _end_of(one.text or ""))
        )
        for message, earlier in before.items()
        if of_danger.isdisjoint(one.pk for one in earlier)
    }


def _quote(source: MemorySource, message: Message) -> str:
    return (message.text or "")[source.start : source.end]


def _end_of(text: str) -> str:
    """Return the end of a text on one line, cut before a word."""
    line = " ".join(text.split())
    return line if len(line) <= MOST_BEFORE else f"…{line[-MOST_BEFORE:].partition(' ')[2]}"
