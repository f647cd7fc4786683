"""What sleep reads and what it makes of it, as plain data; and whether that says of every memory, once, what becomes of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError
from memory.models import MemoryNode, MemorySource
from memory.student.compression.selectors import vouched_by

#: the parts of long-term memory
CATEGORIES = frozenset(MemoryNode.Category.values) - {MemoryNode.Category.NONE}


@dataclass(frozen=True, kw_only=True)
class Item:
    """One memory as sleep reads it.

    Attributes:
        node: its row, opened.
        sources: the messages, lessons or observations that it came from, the first said first.
        vector: (d,) unit length, under the present embedding model; of a derived memory the mean of others'.
        tells_life: a life fact was read from it that still stands: an appointment, a medicine, who is family.
        fixed: it stays word for word: a live ledger entry came from it, or the person has to decide about it, put it right, or
            wanted it back.
    """

    node: MemoryNode
    sources: Sequence[MemorySource]
    vector: np.ndarray
    tells_life: bool = False
    fixed: bool = False

    @property
    def id(self) -> UUID:
        return self.node.pk

    @property
    def text(self) -> str:
        return self.node.content or ""

    @property
    def vouched_by(self) -> str:
        """Whose word it is (`MemoryNode.Trust`); of a derived memory, whose words it holds."""
        return vouched_by(self.node, self.sources) or self.node.trust

    @property
    def speaker(self) -> str | None:
        return self.sources[0].speaker if self.sources else None

    @property
    def said_at(self) -> datetime:
        return self.sources[0].said_at if self.sources else self.node.formed_at

    @property
    def is_derived(self) -> bool:
        """Whether sleep or compression made it of others."""
        return self.node.trust == MemoryNode.Trust.DERIVED


@dataclass(frozen=True, kw_only=True)
class Insight:
    """One long-term memory to be: what its members come to.

    Attributes:
        category: one of `MemoryNode.Category`, never none.
        text: one statement a line.
        members: items that it covers, and long-term memories of the batch's context that it renews; all of one
            speaker, one who vouches, and one language.
        vector: (d,) unit length.
    """

    category: str
    text: str
    language: str
    confidence: float
    members: tuple[UUID, ...]
    vector: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Consolidation:
    """What a batch came to. Every item stands in exactly one place.

    Attributes:
        insights: what is new or renewed; their members are covered.
        kept: item → category: taken into long-term memory word for word, as they are.
        let_go: of no lasting importance; recalled until they expire.
        left: important and covered by nothing: they stay short-term.
        provider, model: who thought; "offline" where no model was asked.
    """

    insights: Sequence[Insight] = ()
    kept: dict[UUID, str]
    let_go: Sequence[UUID] = ()
    left: Sequence[UUID] = ()
    provider: str = ""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class BatchNotAccountedFor(CompanionError):
    """What was thought out leaves something open about a memory, or does to one what may not be done to it."""

    code = "sleep.not-accounted-for"
    message = _("What was thought out in sleep does not say what becomes of every memory.")


class NeverAtRest(CompanionError):
    code = "sleep.never-at-rest"
    message = _("The memory changed again and again while it slept.")


def check_accounts(batch: Sequence[Item], context: Sequence[Item], done: Consolidation) -> None:
    """Check what was thought out, before a row is written.

    Raises:
        BatchNotAccountedFor: an item stands nowhere or twice, something foreign stands somewhere, what has to stay word
            for word does not, or a category is none.
    """
    items = {item.id for item in batch}
    beside = {item.id for item in context} - items
    members = [member for insight in done.insights for member in insight.members]
    places = Counter([*members, *done.kept, *done.let_go, *done.left])
    fixed = {item.id for item in (*batch, *context) if item.fixed}
    categories = {*done.kept.values(), *(insight.category for insight in done.insights)}
    sound = (
        items <= set(places)
        and max(places.values(), default=1) == 1
        and set(places) - items <= beside & set(members)
        and fixed.isdisjoint([*members, *done.let_go])
        and categories <= CATEGORIES
        and all(insight.members and insight.text.strip() for insight in done.insights)
    )
    if not sound:
        raise BatchNotAccountedFor()
