"""What was said where a memory comes from, as pages show it: the words themselves, and what stands before them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from companion_site.vault.scope import space_scope
from memory.models import MemorySource


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What was said before, on one line: by the person themselves, or to them."""

    is_own: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A quotation on one line.

    Attributes:
        before: how the message goes on before it; "" where the quotation opens it.
        earlier: what had been said before the message, the last of it last.
    """

    quote: str
    before: str = ""
    earlier: tuple[Line, ...] = ()

    def is_word_for_word(self, text: str) -> bool:
        """Tell whether a memory's text is the quotation."""
        return self.quote.rstrip(".") == " ".join(text.split()).rstrip(".")

    def adds_to(self, text: str) -> bool:
        """Tell whether it shows more than a memory's text does."""
        return bool(self.before or self.earlier) or not self.is_word_for_word(text)


def passages_of(space: UUID, nodes: Collection[UUID], *, earlier: int) -> dict[UUID, Passage]:
    """Return where each memory was said last, as far as the words are still there.

    Args:
        earlier: with so many of the messages before, two at the most.
    """
    read = import_string(settings.READ_PASSAGES)
    with space_scope(space):
        rows = MemorySource.objects.for_space(space).filter(node_id__in=nodes)
        last = {row.node_id: row for row in rows.order_by("said_at", "pk")}
        said: Mapping[UUID, Passage] = read(space, list(last.values()), earlier=earlier)
    return {node: said[row.pk] for node, row in last.items() if row.pk in said}
