"""Entries of the ledger as plain data: what is to be written, the check that it can be, and what is read."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.errors import NotFound
from companion_site.language import fold_words, sanitise
from companion_site.shortening import shorten
from companion_site.vault.scope import space_scope
from ledger.errors import InvalidEntry
from ledger.models import LedgerEntry


@dataclass(frozen=True, kw_only=True)
class EntryLimits:
    """How large an entry may be. What is larger is refused, never cut: the ledger loses nothing quietly."""

    content_chars: int = 4_000
    summary_chars: int = 200
    triggers: int = 32
    trigger_entities: int = 32
    #: of one trigger or entity
    phrase_chars: int = 80


LIMITS = EntryLimits()


@dataclass(frozen=True, kw_only=True)
class EntryDraft:
    """What an entry will say.

    Attributes:
        content: word for word.
        summary: the short form that a reply is given; made from the content where it is empty.
        triggers: words and phrases that bring the entry up; with neither these nor entities it holds always.
        trigger_entities: names of people and places that do.
        importance: 0 to 1, the order in which entries come.
        trigger_threshold: 0 to 1, how much evidence brings it up.
        node_id: the memory it was promoted from.
    """

    content: str
    category: str
    summary: str = ""
    importance: float = 0.5
    trigger_threshold: float = 0.5
    triggers: Sequence[str] = ()
    trigger_entities: Sequence[str] = ()
    expires_at: datetime | None = None
    node_id: UUID | None = None
    trust: str = LedgerEntry.Trust.PERSON


#: The fields of a draft that a revision may change; where an entry came from stays.
CHANGEABLE = frozenset(EntryDraft.__dataclass_fields__) - {"trust", "node_id"}


def check_draft(draft: EntryDraft, *, now: datetime) -> EntryDraft:
    """Return `draft` as it will be written: sanitised, blank and repeated triggers dropped, a summary made.

    Raises:
        InvalidEntry: something is missing, too large or of no known kind; the message says what.
    """
    content = _clean_text(draft.content, LIMITS.content_chars).strip()
    if not content:
        raise InvalidEntry(_("An entry needs words."))
    summary = " ".join(_clean_text(draft.summary, LIMITS.summary_chars).split())
    entities = _clean_phrases(draft.trigger_entities, LIMITS.trigger_entities)
    named = {fold_words(entity) for entity in entities}
    triggers = _clean_phrases(draft.triggers, LIMITS.triggers)
    return replace(
        draft,
        content=content,
        summary=summary or shorten(content, LIMITS.summary_chars),
        category=_check_choice(draft.category, LedgerEntry.Category.values),
        trust=_check_choice(draft.trust, LedgerEntry.Trust.values),
        importance=_check_share(draft.importance),
        trigger_threshold=_check_share(draft.trigger_threshold),
        triggers=tuple(trigger for trigger in triggers if fold_words(trigger) not in named),
        trigger_entities=entities,
        expires_at=_check_expiry(draft.expires_at, now),
    )


def _clean_text(value: str, most: int) -> str:
    text = sanitise(value)
    if len(text) > most:
        raise InvalidEntry(_("A text of the ledger has at most %(most)d characters.") % {"most": most})
    return text


def _clean_phrases(values: Sequence[str], most: int) -> tuple[str, ...]:
    if len(values) > most:
        raise InvalidEntry(_("An entry has at most %(most)d triggers and as many names.") % {"most": most})
    kept: dict[str, str] = {}
    for value in values:
        phrase = " ".join(_clean_text(value, LIMITS.phrase_chars).split())
        if phrase and not any(map(str.isalnum, phrase)):
            raise InvalidEntry(_("A trigger needs a letter or a digit."))
        if phrase:
            kept.setdefault(fold_words(phrase), phrase)
    return tuple(kept.values())


def _check_choice(value: str, choices: Sequence[str]) -> str:
    if value not in choices:
        raise InvalidEntry(_("The ledger has no such category."))
    return str(value)


def _check_share(value: float) -> float:
    # NaN is in no range.
    if not 0 <= value <= 1:
        raise InvalidEntry(_("Importance and threshold are numbers from 0 to 1."))
    return float(value)


def _check_expiry(moment: datetime | None, now: datetime) -> datetime | None:
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise InvalidEntry()
    if moment <= now:
        raise InvalidEntry(_("An entry cannot expire in the past."))
    try:
        timezone.localtime(moment)
    except OverflowError:  # the calendar has ended by then on the clock here: no page could show it
        raise InvalidEntry() from None
    return moment


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
