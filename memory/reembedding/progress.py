"""How far a change of embedding model is, from metadata alone."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count, Q

from companion_site.vault.models import Space
from memory.reembedding.queue import find_spaces
from memory.reembedding.tables import TABLES


@dataclass(frozen=True, kw_only=True)
class TableProgress:
    """One table: how many of the items with vectors have one of the present model."""

    name: str
    done: int
    total: int


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """Spaces that have yet to cross over.

    Attributes:
        sealed: those that wait for their key.
    """

    opened: int
    sealed: int


def read_progress(model: str) -> Iterator[TableProgress]:
    """Yield how far each table is; one pass over each table's index."""
    for table in TABLES:
        rows = table.everywhere().order_by()
        item = f"{table.item}_id"
        counted = rows.aggregate(
            total=Count(item, distinct=True), done=Count(item, distinct=True, filter=Q(model=model))
        )
        yield TableProgress(name=table.name, **counted)


def count_waiting(model: str) -> Waiting:
    """Return how many spaces have yet to cross over."""
    spaces: list[Space] = list(find_spaces(model))
    sealed = sum(space.sealed for space in spaces)
    return Waiting(opened=len(spaces) - sealed, sealed=sealed)
