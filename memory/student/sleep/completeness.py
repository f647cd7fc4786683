"""Whether a consolidation says of every memory of its batch, once, what becomes of it."""

from collections import Counter

from memory.models import MemoryNode
from memory.student.sleep.errors import BatchNotAccountedFor
from memory.student.sleep.insights import Batch, Consolidation

CATEGORIES = frozenset(MemoryNode.Category.values) - {MemoryNode.Category.NONE}


def check_accounts(batch: Batch, done: Consolidation) -> None:
    """Check what was thought out, before a row is written.

    Raises:
        BatchNotAccountedFor: an item stands nowhere or twice, something foreign stands somewhere, what has to stay word
            for word does not, or a category is none.
    """
    items = {item.id for item in batch.items}
    context = {item.id for item in batch.context} - items
    members = [member for insight in done.insights for member in insight.members]
    places = Counter([*members, *done.kept, *done.let_go, *done.left])
    fixed = {item.id for item in (*batch.items, *batch.context) if item.fixed}
    categories = {*done.kept.values(), *(insight.category for insight in done.insights)}
    sound = (
        items <= set(places)
        and max(places.values(), default=1) == 1
        and set(places) - items <= context & set(members)
        and fixed.isdisjoint([*members, *done.let_go])
        and categories <= CATEGORIES
        and all(insight.members and insight.text.strip() for insight in done.insights)
    )
    if not sound:
        raise BatchNotAccountedFor()
