"""Writing the ledger: recording, revising, retiring. Nothing is ever edited in place.

Everything here joins the transaction of its caller where there is one, and takes the space's lock, which the caller
may hold already. The space is unlocked by the caller.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event, record_events
from companion_site.ids import new_id
from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import write_scope
from companion_site.vault.services import bump_version
from ledger.entries import CHANGEABLE, EntryDraft, as_draft, check_draft
from ledger.errors import EntryChanged, EntryExists, InvalidEntry
from ledger.models import LedgerEntry, ThreatAlert

#: the category of an entry and the hash of its words
Key = tuple[str, bytes]


def raise_alerts(space: UUID, source_ids: Collection[UUID], *, said_at: datetime, now: datetime) -> None:
    """Raise the one alert of each source that has none, in the caller's transaction and under the space's lock.

    Args:
        source_ids: messages or boxes in which somebody is surely in danger, or entries that were written by hand.
    """
    if not source_ids:
        return
    rows = ThreatAlert.objects.for_space(space).filter(source_id__in=source_ids)
    raised = set(rows.values_list("source_id", flat=True))
    new = [source for source in source_ids if source not in raised]
    alerts = [ThreatAlert(id=new_id(), space_id=space, source_id=source, said_at=said_at) for source in new]
    ThreatAlert.objects.bulk_create(alerts)
    told = [(alert, {"source": str(alert.source_id)}) for alert in alerts]
    record_events("ledger.alert_raised", told, chain=space, now=now)


def alerts_for_spaces(spaces: Iterable[UUID]) -> list[ThreatAlert]:
    """Return the alerts of these spaces, the newest first; who may ask about which is the caller's to check."""
    # Across spaces, so by the role that sees no more than ids and times.
    rows = ThreatAlert.objects.using("metadata").filter(space_id__in=list(spaces))
    return list(rows.order_by("-said_at", "-id"))


def mark_seen(space: UUID, alert: UUID, person: models.Model, *, now: datetime) -> None:
    """Note who saw an alert first, and when; seen again, it stays as it is. Needs no key.

    Raises:
        NotFound: the space has no such alert.
    """
    with write_scope(space):
        row = ThreatAlert.objects.for_space(space).find(pk=alert)
        if row.seen_at is not None:
            return
        row.seen_at, row.seen_by_id = now, person.pk
        row.save(update_fields=["seen_at", "seen_by"])
        data = {"source": str(row.source_id)}
        record_event("ledger.alert_seen", chain=space, actor=person, subject=row, data=data, now=now)


def record_entry(
    space: UUID, draft: EntryDraft, *, now: datetime, actor: models.Model | None = None
) -> LedgerEntry:
    """Write one draft as `record_entries` does several."""
    (entry,) = record_entries(space, [draft], now=now, actor=actor)
    return entry


def record_entries(
    space: UUID,
    drafts: Sequence[EntryDraft],
    *,
    now: datetime,
    actor: models.Model | None = None,
    source_id: UUID | None = None,
    said_at: datetime | None = None,
) -> list[LedgerEntry]:
    """Write each draft as a new entry and return them in order; the same words in the same category are one entry.

    Words that an expired entry said become its next revision, so that they hold again. Threats raise one alert for what they
    were said in, said before or not.

    Args:
        source_id: the message or box that they were said in; None: each was written by hand and is its own source.
        said_at: when that was; None: now.

    Raises:
        InvalidEntry: a draft cannot be written; nothing was.
    """
    keyed = [(_key(space, checked), checked) for checked in (check_draft(draft, now=now) for draft in drafts)]
    if not keyed:
        return []
    with write_scope(space):
        said, new = _said_by(space, [key for key, _ in keyed]), list[LedgerEntry]()
        for key, draft in keyed:
            known = said.get(key)
            if known is None:
                said[key] = _row(space, draft, now=now)
                new.append(said[key])
            elif known.expires_at is not None and known.expires_at <= now:
                said[key] = _revise(space, known, draft, action="ledger.revised", now=now, actor=actor)
        _insert(space, new, action="ledger.recorded", now=now, actor=actor)
        threats = {source_id or said[key].entry_id for key, draft in keyed if _is_threat(draft)}
        raise_alerts(space, threats, said_at=said_at or now, now=now)
    return [said[key] for key, _ in keyed]


def revise_entry(
    space: UUID,
    entry_id: UUID,
    *,
    changes: Mapping[str, Any],
    now: datetime,
    actor: models.Model | None = None,
    revision: int | None = None,
) -> LedgerEntry:
    """Write a new revision that differs in `changes` alone and return it; the one before stays as it was.

    Args:
        changes: fields of `EntryDraft`, but neither `trust` nor `node_id`. What changes nothing writes nothing.
        revision: the revision that the changes were made on, where somebody looked at it; without it they go on top of
            whatever is last.

    Raises:
        NotFound: the space has no such entry.
        EntryChanged: another revision came in between.
        EntryExists: another entry says the same.
        InvalidEntry: the changes cannot be written.
    """
    if not changes.keys() <= CHANGEABLE:
        raise InvalidEntry()
    with write_scope(space):
        last = _last_revision(space, entry_id)
        if revision is not None and revision != last.revision:
            raise EntryChanged()
        before = as_draft(last)
        changed = _changed(before, changes, now=now)
        if changed == before:
            return last
        _refuse_double(space, changed, entry_id, is_active=last.is_active)
        return _revise(space, last, changed, action="ledger.revised", now=now, actor=actor)


def switch_entry(
    space: UUID, entry_id: UUID, *, is_active: bool, now: datetime, actor: models.Model | None = None
) -> LedgerEntry:
    """Retire an entry, or bring it back, by a new revision and return it; one that is so already stays as it is.

    Raises:
        NotFound: the space has no such entry.
        EntryExists: another entry says the same by now as the one that is to come back.
    """
    action = "ledger.reactivated" if is_active else "ledger.deactivated"
    with write_scope(space):
        last = _last_revision(space, entry_id)
        if last.is_active == is_active:
            return last
        draft = as_draft(last)
        _refuse_double(space, draft, entry_id, is_active=is_active)
        return _revise(space, last, draft, action=action, is_active=is_active, now=now, actor=actor)


def _revise(
    space: UUID,
    last: LedgerEntry,
    draft: EntryDraft,
    *,
    action: str,
    now: datetime,
    actor: models.Model | None,
    is_active: bool | None = None,
) -> LedgerEntry:
    """Write a checked draft on top of the last revision; it is active as that was where nothing else is said."""
    last.superseded_at = now
    last.save(update_fields=["superseded_at"])
    row = _row(space, draft, now=now, entry_id=last.entry_id, revision=last.revision + 1)
    row.is_active = last.is_active if is_active is None else is_active
    _insert(space, [row], action=action, now=now, actor=actor)
    last.superseded_by = row
    last.save(update_fields=["superseded_by"])
    if _is_threat(draft) and not _is_threat(last):
        raise_alerts(space, {row.entry_id}, said_at=now, now=now)
    return row


def _row(
    space: UUID, draft: EntryDraft, *, now: datetime, entry_id: UUID | None = None, revision: int = 1
) -> LedgerEntry:
    """Return a checked draft as a row that is not written yet."""
    return LedgerEntry(
        id=new_id(),
        space_id=space,
        entry_id=entry_id or new_id(),
        revision=revision,
        content_hash=hash_words(space, draft.content),
        is_active=True,
        recorded_at=now,
        **vars(draft),
    )


def _insert(
    space: UUID,
    rows: Sequence[LedgerEntry],
    *,
    action: str,
    now: datetime,
    actor: models.Model | None,
) -> None:
    """Write rows with their audit events."""
    if not rows:
        return
    LedgerEntry.objects.bulk_create(rows)
    bump_version(space)
    told = [
        (row, {"entry": str(row.entry_id), "revision": row.revision, "category": row.category})
        for row in rows
    ]
    record_events(action, told, chain=space, actor=actor, now=now)


def _is_threat(told: EntryDraft | LedgerEntry) -> bool:
    return told.category == LedgerEntry.Category.THREAT


def _last_revision(space: UUID, entry_id: UUID) -> LedgerEntry:
    return LedgerEntry.objects.for_space(space).current().find(entry_id=entry_id)


def _key(space: UUID, draft: EntryDraft) -> Key:
    return draft.category, hash_words(space, draft.content)


def _said_by(space: UUID, keys: Collection[Key]) -> dict[Key, LedgerEntry]:
    """Return the active entry of each category and words that has one."""
    rows = LedgerEntry.objects.for_space(space).current().filter(is_active=True)
    categories, hashes = ({key[place] for key in keys} for place in (0, 1))
    found = rows.filter(category__in=categories, content_hash__in=hashes)
    return {(row.category, bytes(row.content_hash)): row for row in found}


def _refuse_double(space: UUID, draft: EntryDraft, entry_id: UUID, *, is_active: bool) -> None:
    key = _key(space, draft)
    said = _said_by(space, [key]).get(key) if is_active else None
    if said is not None and said.entry_id != entry_id:
        raise EntryExists()


def _changed(before: EntryDraft, changes: Mapping[str, Any], *, now: datetime) -> EntryDraft:
    """Return the draft with its changes, checked; an expiry that nobody touched may lie in the past."""
    # New words without a summary of their own do not keep the summary of the old.
    summary = {"summary": ""} if "content" in changes else {}
    checked = check_draft(replace(before, **{"expires_at": None, **summary, **changes}), now=now)
    return checked if "expires_at" in changes else replace(checked, expires_at=before.expires_at)
