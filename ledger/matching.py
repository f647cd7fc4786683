"""Which entries a text brings up. The formula and its figures: docs/algorithms/storing.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from unicodedata import normalize
from uuid import UUID

from companion_site.language import fold_words
from companion_site.phrases import Phrase, PhraseMatcher
from ledger.params import MATCHING, MatchingParams
from ledger.selectors import EntryData


@dataclass(frozen=True, kw_only=True)
class Triggered:
    """An entry that a text brought up, or that holds always.

    Attributes:
        score: 0 to 1, how surely the text is about it; 1 for what holds always.
    """

    entry_id: UUID
    category: str
    summary: str
    content: str
    importance: float
    score: float
    trust: str


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

    def find(self, text: str, *, now: datetime, params: MatchingParams = MATCHING) -> list[Triggered]:
        """Return what `text` brings up and what holds always, the most important first, then the surest."""
        scores = self._score(text, params)
        found = [
            _triggered(self.entries[number], score)
            for number, score in scores.items()
            if score >= self.entries[number].trigger_threshold and self.entries[number].is_live(now)
        ]
        standing = [_triggered(entry, 1.0) for entry in self._standing if entry.is_live(now)]
        return _first(_first(found, params.triggered) + _first(standing, params.standing), None)

    def _score(self, text: str, params: MatchingParams) -> dict[int, float]:
        """Return each entry's evidence 1 - Π(1 - w) over its phrases found, or 1 where all of them were."""
        missing: dict[int, float] = {}
        left: dict[int, int] = {}
        for key, exact in self._phrases_in(text).items():
            for number, is_entity in self._speaks_for[key]:
                weight = _weigh(params, exact=exact, is_entity=is_entity)
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


def _weigh(params: MatchingParams, *, exact: bool, is_entity: bool) -> float:
    if is_entity:
        return params.entity_exact if exact else params.entity_inflected
    return params.trigger_exact if exact else params.trigger_inflected


def _triggered(entry: EntryData, score: float) -> Triggered:
    return Triggered(
        entry_id=entry.entry_id,
        category=entry.category,
        summary=entry.summary,
        content=entry.content,
        importance=entry.importance,
        score=score,
        trust=entry.trust,
    )


def _first(found: list[Triggered], most: int | None) -> list[Triggered]:
    """Return at most `most`, in the order in which a reply is given them; the newest first among equals."""
    ordered = sorted(found, key=lambda one: (-one.importance, -one.score, -one.entry_id.int))
    return ordered[:most]
