"""What was said where a memory comes from, word for word. Memory holds no conversations: whoever does is named in the settings."""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from companion_site.vault.scope import space_scope
from memory.models import MemorySource
from memory.student.pages.selectors import Shown

ReadQuotes = Callable[[UUID, Sequence[MemorySource]], Mapping[UUID, str]]


def quotes_of(space: UUID, memories: Sequence[Shown]) -> dict[UUID, str]:
    """Return what was said last of each memory where that differs from its own words, as far as it is still there."""
    read: ReadQuotes = import_string(settings.READ_QUOTES)
    with space_scope(space):
        rows = MemorySource.objects.for_space(space).filter(node_id__in=[memory.id for memory in memories])
        last = {row.node_id: row for row in rows.order_by("said_at", "pk")}
        said = read(space, list(last.values()))
    found = {node: " ".join(said[row.pk].split()) for node, row in last.items() if row.pk in said}
    words = {memory.id: " ".join((memory.text or "").split()).rstrip(".") for memory in memories}
    return {node: quote for node, quote in found.items() if quote.rstrip(".") != words[node]}
