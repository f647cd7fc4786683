"""The ledgers of unlocked spaces as automata, held by this process while their people are there.

A held index is checked against the space's version by one query. The version also counts writes to the graph, so where it
moved, two numbers tell whether the ledger did: each change adds a row, and none ever goes.
"""

from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock
from uuid import UUID

from django.conf import settings
from django.db import models

from companion_site.vault import key_of
from companion_site.vault.models import Space
from companion_site.vault.plaintext import HeldBySpace
from companion_site.vault.scope import space_scope
from ledger.matching import EntryIndex, Triggered
from ledger.models import LedgerEntry
from ledger.params import MATCHING, MatchingParams
from ledger.selectors import EntryData, as_data

#: bytes of an entry beside its text, and of one phrase in the automaton (measured: 540 and 2,570)
ENTRY_BYTES, PHRASE_BYTES = 1_000, 2_600
#: The share of the working sets' budget that ledgers may take beside them.
BUDGET_SHARE = 8


@dataclass
class _Held:
    """One space's index, with what it was built from; taking changes in excludes itself by `lock`."""

    version: int = -1
    rows: tuple[int, datetime | None] = (-1, None)
    index: EntryIndex = field(default_factory=lambda: EntryIndex([]))
    size_bytes: int = 0
    lock: RLock = field(default_factory=RLock, repr=False)

    def refresh(self, space: UUID, version: int) -> None:
        """Read the entries that are new and build the automaton anew, where the ledger changed."""
        with space_scope(space):
            rows = LedgerEntry.objects.for_space(space)
            counted = rows.aggregate(count=models.Count("id"), last=models.Max("recorded_at"))
            state = (counted["count"], counted["last"])
            if state != self.rows:
                known = {entry.id: entry for entry in self.index.entries}
                active = rows.current().filter(is_active=True)
                new = {row.pk: as_data(row) for row in active.exclude(pk__in=known)}
                ids = active.order_by("id").values_list("pk", flat=True)
                self.index = EntryIndex([new.get(pk) or known[pk] for pk in ids])
                self.size_bytes = sum(map(_size_bytes, self.index.entries))
                self.rows = state
        self.version = version


class EntryIndexes(HeldBySpace[_Held]):
    """The indexes of this process."""

    def get(self, space: UUID) -> EntryIndex:
        """Return the current index of an unlocked space: one query when nothing changed.

        Raises:
            SpaceLocked: the space is not unlocked here.
        """
        key_of(space)
        held = self.take(space, _Held)
        with held.lock:
            version = Space.objects.values_list("version", flat=True).get(pk=space)
            if version != held.version:
                held.refresh(space, version)
            index = held.index
        self.trim()
        return index


entry_indexes = EntryIndexes(
    budget_bytes=settings.WORKING_SET_MB * 2**20 // BUDGET_SHARE, idle_s=settings.SESSION_IDLE_MINUTES * 60
)


def find_triggered(
    space: UUID, text: str, *, now: datetime, params: MatchingParams = MATCHING
) -> list[Triggered]:
    """Return the live entries that `text` brings up and those that hold always; the space is unlocked."""
    return entry_indexes.get(space).find(text, now=now, params=params)


def _size_bytes(entry: EntryData) -> int:
    phrases = (*entry.triggers, *entry.trigger_entities)
    return ENTRY_BYTES + 2 * len(entry.content) + PHRASE_BYTES * len(phrases)
