"""What an auditor takes along: facts as CSV or JSON, written piece by piece, and on record in numbers."""

import csv
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from unicodedata import normalize
from uuid import UUID

from companion_site.accounts.access import Access
from companion_site.audit.services import record_event
from companion_site.vault.scope import space_scope
from memory.company.audit.chains import events_of
from memory.company.audit.facts import ShownFact, show_asked
from memory.company.audit.filters import FactFilter
from memory.company.audit.search import search_history
from memory.company.audit.serializers import FactEventOut, FactOut, tell_moment

#: Facts read in one short transaction.
BATCH = 500
#: By these a spreadsheet knows a formula; also in their wide forms.
FORMULA = ("=", "+", "-", "@")
#: Spreadsheets take a file without it for something older than UTF-8.
BYTE_ORDER_MARK = "\ufeff"


def begin_export(access: Access, asked: FactFilter, *, form: str, now: datetime) -> Iterator[str]:
    """Put an export on record; return its pieces, which are read from the database as they are taken.

    A search gives its hits, the best first; anything else all facts asked for, the oldest first.

    Args:
        form: of `CONTENT_TYPES`.
    """
    space, at = access.space, asked.moment(now)
    hits = [hit.fact for hit in search_history(space, asked, at=at)] if asked.search else None
    kind = "as_of" if asked.as_of else "history" if asked.is_whole else "filtered"
    with space_scope(space):
        count = asked.facts_of(space, at=at).count() if hits is None else len(hits)
        record_event(
            "company.memory_exported",
            chain=space,
            actor=access.person,
            subject=access.person.company,
            data={"facts": count, "form": form, "of": kind if hits is None else "search"},
            now=now,
        )
    batches = _read_batches(space, asked, at=at) if hits is None else iter([hits])
    return write_csv(batches) if form == "csv" else write_json(batches, access, at=at, now=now)


def _read_batches(space: UUID, asked: FactFilter, *, at: datetime) -> Iterator[list[ShownFact]]:
    """Yield the facts asked for, some hundreds at a time, each lot in a transaction of its own."""
    last: UUID | None = None
    while True:
        with space_scope(space):
            rows = asked.facts_of(space, at=at).order_by("id")
            facts = show_asked(space, (rows.filter(pk__gt=last) if last else rows)[:BATCH], asked, at=at)
        if not facts:
            return
        yield facts
        last = facts[-1].id


def write_csv(batches: Iterator[list[ShownFact]]) -> Iterator[str]:
    """Yield a table, its first row the names of the columns."""
    writer = csv.writer(_Echo(), quoting=csv.QUOTE_ALL)
    yield BYTE_ORDER_MARK + writer.writerow(FactOut().fields)
    for facts in batches:
        told = FactOut(facts, many=True).data
        yield "".join(writer.writerow(map(to_cell, fact.values())) for fact in told)


def write_json(
    batches: Iterator[list[ShownFact]], access: Access, *, at: datetime, now: datetime
) -> Iterator[str]:
    """Yield one JSON object that holds each fact with its events; `at` is the moment whose memory it is."""
    head = {"company": str(access.person.company), "as_of": tell_moment(at), "exported_at": tell_moment(now)}
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "facts": ['
    separator = "\n"
    for facts in batches:
        events = events_of(access.space, [fact.id for fact in facts], until=at)
        for fact, told in zip(facts, FactOut(facts, many=True).data, strict=True):
            told["events"] = FactEventOut(events[fact.id], many=True).data
            yield separator + json.dumps(told, ensure_ascii=False)
            separator = ",\n"
    yield "\n]}\n"


#: The forms in which a memory is taken along.
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
