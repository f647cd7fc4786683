"""What an auditor takes along: facts as CSV or JSON, written piece by piece, and on record in numbers."""

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from unicodedata import normalize
from uuid import UUID

from companion_site.audit.services import record_event
from companion_site.vault.scope import space_scope
from memory.company.audit.access import AuditAccess
from memory.company.audit.chains import events_of
from memory.company.audit.facts import ShownFact, read_asked, with_names
from memory.company.audit.filters import FactFilter
from memory.company.audit.serializers import COLUMNS, tell_event, tell_fact, tell_moment
from memory.models import CompanyFact
from memory.querysets import FactQuerySet

#: Facts read in one short transaction.
BATCH = 500
#: By these a spreadsheet knows a formula; also in their wide forms.
FORMULA = ("=", "+", "-", "@")
#: Spreadsheets take a file without it for something older than UTF-8.
BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, kw_only=True)
class Export:
    """What is taken along.

    Attributes:
        ids: the facts of a search, best first; None: all that `asked` names, the oldest first.
        at: the moment whose memory is told.
    """

    access: AuditAccess
    asked: FactFilter
    at: datetime
    exported_at: datetime
    ids: Sequence[UUID] | None = None


def begin_export(export: Export, *, form: str) -> Iterator[str]:
    """Put an export on record; return its pieces, which are read from the database as they are taken.

    Args:
        form: "csv" or "json".
    """
    with space_scope(export.access.space):
        count = len(export.ids) if export.ids is not None else _rows(export).count()
        record_event(
            "company.memory_exported",
            chain=export.access.space,
            actor=export.access.person,
            subject=export.access.company,
            data={"facts": count, "form": form, "of": _kind(export)},
            now=export.exported_at,
        )
    return WRITERS[form](export)


def _kind(export: Export) -> str:
    if export.ids is not None:
        return "search"
    return "as_of" if export.asked.as_of else "history" if export.asked.is_whole else "filtered"


def write_csv(export: Export) -> Iterator[str]:
    """Yield a table, its first row the names of the columns."""
    writer = csv.writer(_Echo(), quoting=csv.QUOTE_ALL)
    yield BYTE_ORDER_MARK + writer.writerow(COLUMNS)
    for facts in read_batches(export):
        yield "".join(
            writer.writerow([to_cell(told[name]) for name in COLUMNS]) for told in map(tell_fact, facts)
        )


def write_json(export: Export) -> Iterator[str]:
    """Yield one JSON object that holds each fact with its events."""
    head = {
        "company": export.access.company.name,
        "as_of": tell_moment(export.at),
        "exported_at": tell_moment(export.exported_at),
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "facts": ['
    separator = "\n"
    for facts in read_batches(export):
        events = events_of(export.access.space, [fact.id for fact in facts], until=export.at)
        for fact in facts:
            told = {**tell_fact(fact), "events": [tell_event(event) for event in events[fact.id]]}
            yield separator + json.dumps(told, ensure_ascii=False)
            separator = ",\n"
    yield "\n]}\n"


WRITERS: Mapping[str, Callable[[Export], Iterator[str]]] = {"csv": write_csv, "json": write_json}
CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


class _Echo:
    """Gives back what a writer writes."""

    def write(self, text: str) -> str:
        return text


def to_cell(value: Any) -> str:
    """Return a value as a cell of a table that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    first = normalize("NFKC", text.lstrip()[:1])
    return f"'{text}" if first.startswith(FORMULA) or text[:1] in ("\t", "\r", "\n") else text


def read_batches(export: Export) -> Iterator[list[ShownFact]]:
    """Yield the facts of an export, some hundreds at a time, each lot in a transaction of its own."""
    lots = _lots_of_ids(export) if export.ids is not None else _lots_by_id(export)
    for facts in lots:
        yield with_names(facts)


def _lots_of_ids(export: Export) -> Iterator[list[ShownFact]]:
    ids = export.ids or ()
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        with space_scope(export.access.space):
            rows = CompanyFact.objects.for_space(export.access.space).filter(pk__in=part)
            facts = {fact.id: fact for fact in _read(export, rows)}
        yield [facts[fact] for fact in part if fact in facts]


def _lots_by_id(export: Export) -> Iterator[list[ShownFact]]:
    last: UUID | None = None
    while True:
        with space_scope(export.access.space):
            rows = _rows(export).order_by("id")
            facts = _read(export, (rows.filter(pk__gt=last) if last else rows)[:BATCH])
        if not facts:
            return
        yield facts
        last = facts[-1].id


def _rows(export: Export) -> FactQuerySet:
    return export.asked.facts_of(export.access.space, at=export.at)


def _read(export: Export, rows: FactQuerySet) -> list[ShownFact]:
    return read_asked(export.access.space, rows, export.asked, at=export.at)
