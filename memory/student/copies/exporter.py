"""Writing a copy, piece by piece: a few rows are open at once, each lot in a short transaction, so a memory of any size takes the same room."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Q

from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import space_scope
from memory.models import MemorySource
from memory.student.copies.tables import FORMAT, QUOTE, TABLES, VERSION, Table, encode

#: rows of one transaction
BATCH = 200


@dataclass(frozen=True, kw_only=True)
class Original:
    """The memory that is copied, and what only others know of it.

    Attributes:
        until: rows that were made later are no part of the copy.
        quotes: returns what was said at each of these places, as far as its words are still here.
        references: lists of what is outside of the memory, such as conversations, by their names in the copy.
    """

    space: UUID
    key: SpaceKey
    at: datetime
    until: UUID
    quotes: Callable[[Sequence[MemorySource]], Mapping[UUID, str]]
    references: Mapping[str, Callable[[], Iterable[Mapping[str, Any]]]]


def original(space: UUID, key: SpaceKey, *, at: datetime, **given: Any) -> Original:
    """Return a memory as it is to be copied from now on."""
    return Original(space=space, key=key, at=at, until=new_id(), **given)


def write_json(copied: Original) -> Iterator[str]:
    """Yield one JSON object: what it is, then each table with a row on every line."""
    head = {"format": FORMAT, "version": VERSION, "memory": copied.space, "exported_at": copied.at}
    yield encode(head)[:-1]
    for table in TABLES:
        yield from _write_list(table.name, _rows(copied, table))
    for name, read in copied.references.items():
        yield from _write_list(name, read())
    yield "\n}\n"


def read_rows(
    copied: Original,
    model: type[SpaceModel],
    tell: Callable[[Sequence[Any]], Iterable[Any]],
    which: Q | None = None,
) -> Iterator[Any]:
    """Yield what `tell` makes of each lot of rows, the first made first; it is called with scope and key open."""
    last: UUID | None = None
    Rows = model
    while True:
        with space_scope(copied.space), unlocked(copied.space, copied.key):
            rows = Rows.objects.for_space(copied.space).filter(which or Q(), pk__lt=copied.until)
            lot = list((rows if last is None else rows.filter(pk__gt=last)).order_by("pk")[:BATCH])
            told = list(tell(lot))
        yield from told
        if not lot:
            return
        last = lot[-1].pk


def _rows(copied: Original, table: Table) -> Iterator[dict[str, Any]]:
    def tell(lot: Sequence[SpaceModel]) -> Iterator[dict[str, Any]]:
        quotes = copied.quotes(lot) if table.model is MemorySource else {}  # type: ignore[arg-type]  # its rows
        for row in lot:
            values = {name: _value(copied, row, name, field) for name, field in table.fields.items()}
            yield {**values, QUOTE: quotes[row.pk]} if row.pk in quotes else values

    return read_rows(copied, table.model, tell)


def _value(copied: Original, row: SpaceModel, name: str, field: models.Field) -> Any:
    value = getattr(row, name)
    is_later = isinstance(field, models.ForeignKey) and value is not None and value >= copied.until
    return None if is_later else value


def _write_list(name: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    yield f",\n{encode(name)}: ["
    separator = "\n"
    for row in rows:
        yield separator + encode(row)
        separator = ",\n"
    yield "]"
