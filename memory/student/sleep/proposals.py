"""What thinking proposes, before it is known to cover anything."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.student.sleep.insights import Item


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """One insight to be.

    Attributes:
        lines: one statement each.
        members: items that it shall cover.
        renews: long-term memories whose place it shall take; it has to cover them too.
    """

    category: str
    lines: Sequence[str]
    confidence: float
    members: Sequence[Item]
    renews: Sequence[Item] = ()


@dataclass(frozen=True, kw_only=True)
class Thought:
    """What was proposed, and by whom."""

    proposals: Sequence[Proposal]
    provider: str
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


def whose(item: Item) -> tuple[str | None, str, str]:
    """Return what items must have in common to be taken together: who said it, who vouches, in which language."""
    return (item.speaker, item.vouched_by, item.language)
