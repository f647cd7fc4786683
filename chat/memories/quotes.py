"""What was said in messages at the places that memories come from."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from chat.models import Message
from memory.models import MemorySource


def read_quotes(space: UUID, sources: Sequence[MemorySource]) -> dict[UUID, str]:
    """Return what was said at each of these places; of a message whose words are gone, nothing."""
    places = defaultdict(list)
    for source in sources:
        if source.kind == MemorySource.Kind.MESSAGE:
            places[source.source_id].append(source)
    messages = Message.objects.for_space(space).filter(pk__in=places, text_removed_at__isnull=True)
    found = {}
    for message in messages:
        text = message.text or ""
        for source in places[message.pk]:
            if quote := text[source.start : source.end]:
                found[source.pk] = quote
    return found
