"""Taking a SIE file in: compared with what stands first, and written as it was shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from uuid import UUID

from django.db import models

from companion_site.vault.scope import lock_space, space_scope
from memory.company.errors import StateChanged
from memory.company.live.entries import KpiEntry
from memory.company.live.selectors import standing_figures
from memory.company.live.services import KPI_FIELDS, Written, differs, set_kpis
from memory.company.live.sie.figures import derive_figures
from memory.company.live.sie.parser import read_sie
from memory.models import Kpi


@dataclass(frozen=True, kw_only=True)
class SieFile:
    """What a file says of a company, as far as it becomes key figures.

    Attributes:
        name: whose books they are, as the file says.
    """

    name: str
    organisation_number: str
    program: str
    type: int
    encoding: str
    entries: tuple[KpiEntry, ...]


@dataclass(frozen=True, kw_only=True)
class FigureChange:
    """A figure of a file beside the one that stands."""

    entry: KpiEntry
    standing: Kpi | None

    @property
    def is_older(self) -> bool:
        """Whether a newer figure stands, which this one does not replace."""
        return self.standing is not None and self.entry.as_of < self.standing.as_of

    @property
    def is_same(self) -> bool:
        return self.standing is not None and not differs(self.standing, self.entry)


def read_file(raw: bytes, *, today: date) -> SieFile:
    """Return what a file says.

    Raises:
        SieRefused: with the line, and what to do.
    """
    books = read_sie(raw)
    return SieFile(
        name=books.name[:200],
        organisation_number=books.organisation_number[:40],
        program=books.program[:100],
        type=books.type,
        encoding=books.encoding,
        entries=tuple(derive_figures(books, today=today)),
    )


def compare(space: UUID, entries: Sequence[KpiEntry]) -> list[FigureChange]:
    """Return what setting the figures would change now."""
    standing = {figure.key: figure for figure in standing_figures(space)}
    return [FigureChange(entry=entry, standing=standing.get(entry.key)) for entry in entries]


def fingerprint(changes: Sequence[FigureChange]) -> str:
    """Return by what a page that showed these changes is known to show them still."""
    told = [
        [getattr(one, field) for field in KPI_FIELDS]
        for change in changes
        for one in (change.entry, change.standing or change.entry)
    ]
    return sha256(repr(told).encode()).hexdigest()


def take_in(
    space: UUID, entries: Sequence[KpiEntry], *, shown: str, now: datetime, actor: models.Model | None
) -> Written:
    """Set the figures of a file, as they were shown.

    Args:
        shown: the fingerprint of the changes that were shown.

    Raises:
        StateChanged: something else stands by now; nothing was written.
    """
    with space_scope(space):
        lock_space(space)
        if fingerprint(compare(space, entries)) != shown:
            raise StateChanged()
        return set_kpis(space, entries, source=Kpi.Source.SIE, now=now, actor=actor)
