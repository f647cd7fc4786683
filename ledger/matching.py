"""Which entries a text brings up. The formula and its figures: docs/algorithms/storing.md."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from threading import RLock
from unicodedata import normalize
from uuid import UUID

from django.db import models

from companion_site.language import fold_words
from companion_site.phrases import Phrase, PhraseMatcher
from companion_site.vault.plaintext import BUDGET_BYTES
from companion_site.vault.services import space_version
from companion_site.vault.workingsets import CurrentBySpace
from ledger.entries import EntryData, as_data
from ledger.models import LedgerEntry


@dataclass(frozen=True, kw_only=True)
class MatchingParams:
    """How surely a phrase that was found speaks for its entry, and how many entries surface.

    A name says more than a word, and a word as written more than a bent or joined form of it. One word of any kind reaches
    the usual threshold of .5, a secret's .7 needs two, or a name as it is written.
    """

    trigger_exact: float = 0.6
    trigger_inflected: float = 0.5
    entity_exact: float = 0.75
    entity_inflected: float = 0.6
    #: entries that a message brings up, at the most
    triggered: int = 10
    #: entries that hold always, at the most; apart, so that neither kind can crowd out the other. Of wishes that were read the likeliest
    #: stay: in years of warm talk many a sentence is taken for one
    standing: int = 6


MATCHING = MatchingParams()

#: bytes of an entry beside its text, and of one phrase in the automaton (measured: 540 and 2,570)
ENTRY_BYTES, PHRASE_BYTES = 1_000, 2_600
#: The share of the working sets' budget that ledgers may take beside them.
BUDGET_SHARE = 8


@dataclass(frozen=True, kw_only=True)
class Triggered(EntryData):
    """An entry that a text brought up, or that holds always.

    Attributes:
        score: 0 to 1, how surely the text is about it; 1 for what holds always.
    """

    score: float


class EntryIndex:
    """Entries with one automaton over all their triggers and names; never changed once it is built."""

    def __init__(self, entries: Sequence[EntryData]) -> None:
        self.entries = tuple(entries)
        self._standing = [entry for entry in self.entries if entry.is_standing]
        #: by folded phrase: the entries that it speaks for, by number, and whether as a name
        self._speaks_for: dict[str, list[tuple[int, bool]]] = {}
        self._phrases_of = [len(entry.triggers) + len(entry.trigger_entities) for entry in self.entries]
        spelled: dict[str, str] = {}
        for number, entry in enumerate(self.entries):
            for phrases, is_entity in ((entry.triggers, False), (entry.trigger_entities, True)):
                for phrase in phrases:
                    key = fold_words(phrase)
                    spelled.setdefault(key, phrase)
                    self._speaks_for.setdefault(key, []).append((number, is_entity))
        self._matcher = PhraseMatcher(
            [Phrase(key, normalize("NFC", phrase)) for key, phrase in spelled.items()]
        )

    def __len__(self) -> int:
        return len(self.entries)

    def find(self, text: str, *, now: datetime) -> list[Triggered]:
        """Return what `text` brings up and what holds always, the most important first, then the surest."""
        scores = self._score(text)
        found = [
            Triggered(**vars(self.entries[number]), score=score)
            for number, score in scores.items()
            if score >= self.entries[number].trigger_threshold and self.entries[number].is_live(now)
        ]
        standing = [Triggered(**vars(entry), score=1.0) for entry in self._standing if entry.is_live(now)]
        return _first(_first(found, MATCHING.triggered) + _first(standing, MATCHING.standing), None)

    def _score(self, text: str) -> dict[int, float]:
        """Return each entry's evidence 1 - Π(1 - w) over its phrases found, or 1 where all of them were."""
        missing: dict[int, float] = {}
        left: dict[int, int] = {}
        for key, exact in self._phrases_in(text).items():
            for number, is_entity in self._speaks_for[key]:
                weight = _weigh(exact=exact, is_entity=is_entity)
                missing[number] = missing.get(number, 1.0) * (1.0 - weight)
                left[number] = left.get(number, self._phrases_of[number]) - 1
        return {number: 1.0 - rest if left[number] else 1.0 for number, rest in missing.items()}

    def _phrases_in(self, text: str) -> dict[str, bool]:
        """Return each phrase that the text has, once, and whether anywhere as it is written."""
        found: dict[str, bool] = {}
        # Letters with their accents apart are the same words: where they stand is nobody's question here.
        for hit in self._matcher.find(normalize("NFC", text)):
            found[hit.key] = found.get(hit.key, False) or hit.exact
        return found


def _weigh(*, exact: bool, is_entity: bool) -> float:
    if is_entity:
        return MATCHING.entity_exact if exact else MATCHING.entity_inflected
    return MATCHING.trigger_exact if exact else MATCHING.trigger_inflected


def _first(found: list[Triggered], most: int | None) -> list[Triggered]:
    """Return at most `most`, in the order in which a reply is given them; the newest first among equals."""
    ordered = sorted(found, key=lambda one: (-one.importance, -one.score, -one.entry_id.int))
    return ordered[:most]


@dataclass
class _Held:
    """One space's index, with what it was built from.

    The space's version also counts writes to the graph, so where it moved, two numbers tell whether the ledger did: each
    change adds a row, and none ever goes.
    """

    space: UUID
    version: int = -1
    rows: tuple[int, datetime | None] = (-1, None)
    index: EntryIndex = field(default_factory=lambda: EntryIndex([]))
    size_bytes: int = 0
    lock: RLock = field(default_factory=RLock, repr=False)

    def refresh(self) -> None:
        """Read the entries that are new and build the automaton anew, where the ledger changed."""
        version, rows = space_version(self.space), LedgerEntry.objects.for_space(self.space)
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


class EntryIndexes(CurrentBySpace[_Held]):
    """The indexes that this process holds of unlocked spaces, while their people are there."""

    def get(self, space: UUID) -> EntryIndex:
        """Return the current index of an unlocked space, as `current` does."""
        return self.current(space, partial(_Held, space)).index


entry_indexes = EntryIndexes(budget_bytes=BUDGET_BYTES // BUDGET_SHARE)


def find_triggered(space: UUID, text: str, *, now: datetime) -> list[Triggered]:
    """Return the live entries that `text` brings up and those that hold always; the space is unlocked."""
    return entry_indexes.get(space).find(text, now=now)


def _size_bytes(entry: EntryData) -> int:
    phrases = (*entry.triggers, *entry.trigger_entities)
    return ENTRY_BYTES + 2 * len(entry.content) + PHRASE_BYTES * len(phrases)
