"""What was said where memories come from: the words, and what stands before them. Pages and copies of a memory read it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from uuid import UUID

from chat.models import Message
from companion_site.shortening import shorten
from memory.models import MemorySource
from memory.reading.splitter import split_sentences
from memory.student.pages.passages import Passage

#: So much is shown of what stands before a quotation, from its end, and of what had been said last.
MOST_BEFORE = 240


def read_quotes(space: UUID, sources: Sequence[MemorySource]) -> dict[UUID, str]:
    """Return what was said at each of these places; of a message whose words are gone, nothing."""
    return {
        source.pk: quote for source, message in _said(space, sources) if (quote := _quote(source, message))
    }


def read_passages(space: UUID, sources: Sequence[MemorySource], *, asked: bool = True) -> dict[UUID, Passage]:
    """Return the same with what stands before it: in the message, or, where asked for, at the end of the one that it follows."""
    found = {}
    for source, message in _said(space, sources, with_parents=asked):
        before = " ".join((message.text or "")[: source.start].split())
        follows = message.parent if asked and not before else None
        if quote := _quote(source, message):
            found[source.pk] = Passage(
                quote=" ".join(quote.split()),
                before=_end_of(before),
                asked=_last_sentence((follows.text or "") if follows is not None else ""),
            )
    return found


def _said(
    space: UUID, sources: Sequence[MemorySource], *, with_parents: bool = False
) -> Iterator[tuple[MemorySource, Message]]:
    """Return each place with the message that it is in, as far as the words are still there."""
    places = defaultdict(list)
    for source in sources:
        if source.kind == MemorySource.Kind.MESSAGE:
            places[source.source_id].append(source)
    messages = Message.objects.for_space(space).filter(pk__in=places, text_removed_at__isnull=True)
    for message in messages.select_related("parent") if with_parents else messages:
        for source in places[message.pk]:
            yield source, message


def _quote(source: MemorySource, message: Message) -> str:
    return (message.text or "")[source.start : source.end]


def _end_of(text: str) -> str:
    """Return the end of a text on one line, cut before a word."""
    return text if len(text) <= MOST_BEFORE else f"…{text[-MOST_BEFORE:].partition(' ')[2]}"


def _last_sentence(text: str) -> str:
    sentences = split_sentences(text[-2 * MOST_BEFORE :])
    return shorten(text[-2 * MOST_BEFORE :][sentences[-1].start :], MOST_BEFORE) if sentences else ""
