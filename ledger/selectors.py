"""Reads of the ledger that end in plain data."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from ledger.drafts import EntryDraft
from ledger.models import LedgerEntry


@dataclass(frozen=True, kw_only=True)
class EntryData(EntryDraft):
    """One revision of an entry as plain data; `id` is the revision's own, `entry_id` the entry's."""

    id: UUID
    entry_id: UUID
    revision: int
    is_active: bool
    recorded_at: datetime
    superseded_at: datetime | None

    @property
    def category_label(self) -> str:
        return str(LedgerEntry.Category(self.category).label)

    @property
    def trust_label(self) -> str:
        return str(LedgerEntry.Trust(self.trust).label)

    @property
    def is_standing(self) -> bool:
        """Whether it holds always, because nothing in particular brings it up."""
        return not (self.triggers or self.trigger_entities)

    def is_live(self, now: datetime) -> bool:
        """Tell whether it holds at `now`: the last revision, active and unexpired."""
        unexpired = self.expires_at is None or self.expires_at > now
        return self.superseded_at is None and self.is_active and unexpired


def list_entries(space: UUID) -> list[EntryData]:
    """Return the last revision of every entry, active or not, the most important first; the space is unlocked."""
    with space_scope(space):
        rows = LedgerEntry.objects.for_space(space).current().order_by("-importance", "-id")
        return [as_data(row) for row in rows]


def entry_history(space: UUID, entry_id: UUID) -> list[EntryData]:
    """Return all revisions of an entry, the newest first; the space is unlocked.

    Raises:
        NotFound: the space has no such entry.
    """
    with space_scope(space):
        rows = LedgerEntry.objects.for_space(space).filter(entry_id=entry_id).order_by("-revision")
        found = [as_data(row) for row in rows]
    if not found:
        raise NotFound()
    return found


def live_sources(space: UUID, *, now: datetime) -> set[UUID]:
    """Return the memories that live entries came from, which must not be pruned; needs no key."""
    with space_scope(space):
        rows = LedgerEntry.objects.for_space(space).live(now).filter(node_id__isnull=False)
        return set(rows.values_list("node_id", flat=True))


def as_data(row: LedgerEntry) -> EntryData:
    """Return a row as plain data, opened."""
    return EntryData(**_values(row, EntryData))


def as_draft(row: LedgerEntry) -> EntryDraft:
    """Return what a row says, opened, as it could be written again."""
    return EntryDraft(**_values(row, EntryDraft))


def _values(row: LedgerEntry, kind: type[EntryDraft]) -> dict[str, Any]:
    values = {one.name: getattr(row, one.name) for one in fields(kind)}
    return {**values, "triggers": tuple(row.triggers), "trigger_entities": tuple(row.trigger_entities)}
