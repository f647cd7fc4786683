"""Writing a copy, as JSON to be taken in again or as text to be read: piece by piece, so a memory of any size takes the same room.

A few rows are open at once, each lot in a short transaction.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext as _

from companion_site.ids import new_id
from companion_site.shortening import shorten
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import space_scope
from ledger.models import LedgerEntry
from memory.models import Entity, EntityMention, LifeFact, MemoryNode, MemorySource
from memory.student.copies.tables import FORMAT, QUOTE, TABLES, VERSION, Table, encode
from memory.student.life.kinds import KINDS, day_of, one_line
from memory.student.pages.selectors import HELD_NOW, say_confidence

#: rows of one transaction
BATCH = 200
#: what a picture can show and still be read
MOST_ENTITIES, MOST_OF_EACH, MOST_CHARS = 12, 4, 80


@dataclass(frozen=True, kw_only=True)
class Original:
    """The memory that is copied, and what only others know of it.

    Attributes:
        quotes: returns what was said at each of these places, as far as its words are still here.
        references: lists of what is outside of the memory, such as conversations, by their names in the copy.
        until: rows that were made later are no part of the copy.
    """

    space: UUID
    key: SpaceKey
    at: datetime
    quotes: Callable[[Sequence[MemorySource]], Mapping[UUID, str]]
    references: Mapping[str, Callable[[], Iterable[Mapping[str, Any]]]]
    until: UUID = field(default_factory=new_id)


def write_json(copied: Original) -> Iterator[str]:
    """Yield one JSON object: what it is, then each table with a row on every line."""
    head = {"format": FORMAT, "version": VERSION, "memory": copied.space, "exported_at": copied.at}
    yield encode(head)[:-1]
    for table in TABLES:
        yield from _write_list(table.name, _rows_of(copied, table))
    for name, read in copied.references.items():
        yield from _write_list(name, read())
    yield "\n}\n"


def read_rows(
    copied: Original,
    model: type[SpaceModel],
    tell: Callable[[Original, Sequence[Any]], Iterable[Any]],
    which: Q | None = None,
) -> Iterator[Any]:
    """Yield what `tell` makes of each lot of rows, the first made first; it is called with scope and key open."""
    last: UUID | None = None
    Rows = model
    while True:
        with space_scope(copied.space), unlocked(copied.space, copied.key):
            rows = Rows.objects.for_space(copied.space).filter(which or Q(), pk__lt=copied.until)
            lot = list((rows if last is None else rows.filter(pk__gt=last)).order_by("pk")[:BATCH])
            told = list(tell(copied, lot))
        yield from told
        if not lot:
            return
        last = lot[-1].pk


def _rows_of(copied: Original, table: Table) -> Iterator[dict[str, Any]]:
    def tell(copied: Original, lot: Sequence[SpaceModel]) -> Iterator[dict[str, Any]]:
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


def write_markdown(copied: Original) -> Iterator[str]:
    """Yield a text with a heading for each part. Its words are those of the language that is active when it is begun."""
    title = _("What your companion remembers")
    yield f"# {title}\n\n{day_of(copied.at)}\n"
    yield from _draw(copied)
    facts = LifeFact.objects.for_space(copied.space).filter(node=OuterRef("pk"))
    for kind in LifeFact.Kind:
        which = HELD_NOW & Q(Exists(facts.filter(kind=kind)))
        yield from _part(copied, str(kind.label), MemoryNode, _tell_memories, which)
    for category in MemoryNode.Category:
        title = str(category.label) if category.value else _("Everything else")
        which = HELD_NOW & Q(category=category) & ~Q(Exists(facts))
        yield from _part(copied, title, MemoryNode, _tell_memories, which)
    entries = Q(superseded_at__isnull=True, is_active=True)
    yield from _part(copied, _("Kept word for word"), LedgerEntry, _each(_tell_entry), entries)
    for told in (one for one in KINDS if one.title):
        yield from _part(copied, str(told.title), told.model, _each(told.line))
    past = Q(superseded_at__isnull=False) & Q(content__isnull=False)
    yield from _part(copied, _("What was replaced"), MemoryNode, _each(_tell_past), past)


def _draw(copied: Original) -> Iterator[str]:
    """Yield a picture, as a Mermaid diagram, of those who most is told of, with what was told of each last; nothing where there is nobody."""
    with space_scope(copied.space), unlocked(copied.space, copied.key):
        mentions = EntityMention.objects.for_space(copied.space).filter(
            node__in=MemoryNode.objects.for_space(copied.space).filter(HELD_NOW, pk__lt=copied.until)
        )
        entities = Entity.objects.for_space(copied.space).filter(mentions__in=mentions)
        entities = entities.annotate(count=Count("mentions")).order_by("-count", "pk")[:MOST_ENTITIES]
        lines = []
        for place, entity in enumerate(entities):
            lines.append(f"  me --- e{place}[{_label(entity.name or entity.relation)}]\n")
            told = mentions.filter(entity=entity).select_related("node").order_by("-node_id")[:MOST_OF_EACH]
            lines += [
                f"  e{place} --- e{place}n{number}({_label(mention.node.content)})\n"
                for number, mention in enumerate(told)
            ]
    if lines:
        title, person = _("A picture of it"), _label(_("Me"))
        yield f"\n## {title}\n\n```mermaid\ngraph LR\n  me(({person}))\n"
        yield from lines
        yield "```\n"


def _label(words: str | None) -> str:
    """Return words as the label of a node: one line, with no character that means something in a diagram or in HTML."""
    line = shorten(one_line(words), MOST_CHARS)
    return (
        '"' + "".join(one if one.isalnum() or one in " .,:!?…'-" else f"#{ord(one)};" for one in line) + '"'
    )


def _part(
    copied: Original,
    title: str,
    model: type[SpaceModel],
    tell: Callable[[Original, Sequence[Any]], Iterable[str]],
    which: Q | None = None,
) -> Iterator[str]:
    for number, line in enumerate(read_rows(copied, model, tell, which)):
        yield line if number else f"\n## {title}\n\n{line}"


def _tell_memories(copied: Original, lot: Sequence[MemoryNode]) -> Iterator[str]:
    sources = MemorySource.objects.for_space(copied.space).filter(node_id__in=[row.pk for row in lot])
    said: dict[UUID, MemorySource] = {row.node_id: row for row in sources.order_by("-said_at", "-pk")}
    quotes = copied.quotes(list(said.values()))
    for row in lot:
        source = said.get(row.pk)
        at = source.said_at if source else row.formed_at
        line = f"- {one_line(row.content)} ({day_of(at)}, {say_confidence(row.confidence)})\n"
        quote = quotes.get(source.pk) if source else None
        yield f"{line}  > {one_line(quote)}\n" if quote and quote != row.content else line


def _each(tell: Callable[[Any], str]) -> Callable[[Original, Sequence[Any]], Iterator[str]]:
    """Return what tells a lot of rows, each on a line of its own."""
    return lambda _copied, lot: (f"- {tell(row)}\n" for row in lot)


def _tell_past(row: MemoryNode) -> str:
    line = f"{one_line(row.content)} ({day_of(row.superseded_at)})"
    newer = row.superseded_by
    return f"{line} → {one_line(newer.content)}" if newer is not None and newer.content else line


def _tell_entry(row: LedgerEntry) -> str:
    return f"{row.get_category_display()}: {one_line(row.content)} ({day_of(row.recorded_at)})"
