"""Writing the ledger: recording, revising, retiring. Nothing is ever edited in place.

Everything here joins the transaction of its caller where there is one, and takes the space's lock, which the caller
may hold already. The space is unlocked by the caller.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.ids import new_id
from companion_site.vault.keyring import hash_words
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from ledger.entries import CHANGEABLE, EntryDraft, as_draft, check_draft
from ledger.errors import EntryChanged, EntryExists, InvalidEntry
from ledger.models import LedgerEntry, ThreatAlert


def raise_alert(space: UUID, entry_id: UUID, *, now: datetime) -> None:
    """Raise an entry's one alert, in the transaction and under the lock that it is written in."""
    if ThreatAlert.objects.for_space(space).filter(entry_id=entry_id).exists():
        return
    alert = ThreatAlert.objects.create(id=new_id(), space_id=space, entry_id=entry_id, raised_at=now)
    data = {"entry": str(entry_id)}
    record_event("ledger.alert_raised", chain=space, subject=alert, data=data, now=now)


def alerts_for_spaces(spaces: Iterable[UUID]) -> list[ThreatAlert]:
    """Return the alerts of these spaces, the newest first; who may ask about which is the caller's to check."""
    # Across spaces, so by the role that sees no more than ids and times.
    rows = ThreatAlert.objects.using("metadata").filter(space_id__in=list(spaces))
    return list(rows.order_by("-raised_at", "-id"))


def mark_seen(space: UUID, alert: UUID, person: models.Model, *, now: datetime) -> None:
    """Note who saw an alert first, and when; seen again, it stays as it is. Needs no key.

    Raises:
        NotFound: the space has no such alert.
    """
    with space_scope(space):
        lock_space(space)
        row = ThreatAlert.objects.for_space(space).find(pk=alert)
        if row.seen_at is not None:
            return
        row.seen_at, row.seen_by_id = now, person.pk
        row.save(update_fields=["seen_at", "seen_by"])
        data = {"entry": str(row.entry_id)}
        record_event("ledger.alert_seen", chain=space, actor=person, subject=row, data=data, now=now)


def record_entry(
    space: UUID, draft: EntryDraft, *, now: datetime, actor: models.Model | None = None
) -> LedgerEntry:
    """Write `draft` as a new entry and return it; the same words in the same category are one entry.

    Words that an expired entry said become its next revision, so that they hold again.

    Raises:
        InvalidEntry: the draft cannot be written; nothing was.
    """
    checked = check_draft(draft, now=now)
    with space_scope(space):
        lock_space(space)
        said = _said_by(space, checked)
        if said is None:
            return _write(space, checked, action="ledger.recorded", now=now, actor=actor)
        if said.expires_at is None or said.expires_at > now:
            return said
        return _write(space, checked, action="ledger.revised", replaces=said, now=now, actor=actor)


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
    with space_scope(space):
        lock_space(space)
        last = _last_revision(space, entry_id)
        if revision is not None and revision != last.revision:
            raise EntryChanged()
        before = as_draft(last)
        changed = _changed(before, changes, now=now)
        if changed == before:
            return last
        _refuse_double(space, changed, entry_id, is_active=last.is_active)
        return _write(space, changed, action="ledger.revised", replaces=last, now=now, actor=actor)


def switch_entry(
    space: UUID, entry_id: UUID, *, is_active: bool, now: datetime, actor: models.Model | None = None
) -> LedgerEntry:
    """Retire an entry, or bring it back, by a new revision and return it; one that is so already stays as it is.

    Raises:
        NotFound: the space has no such entry.
        EntryExists: another entry says the same by now as the one that is to come back.
    """
    action = "ledger.reactivated" if is_active else "ledger.deactivated"
    with space_scope(space):
        lock_space(space)
        last = _last_revision(space, entry_id)
        if last.is_active == is_active:
            return last
        draft = as_draft(last)
        _refuse_double(space, draft, entry_id, is_active=is_active)
        return _write(space, draft, action=action, replaces=last, is_active=is_active, now=now, actor=actor)


def _write(
    space: UUID,
    draft: EntryDraft,
    *,
    action: str,
    now: datetime,
    actor: models.Model | None,
    replaces: LedgerEntry | None = None,
    is_active: bool | None = None,
) -> LedgerEntry:
    """Write a checked draft as the first revision of a new entry, or on top of the revision it replaces."""
    if replaces is not None:
        replaces.superseded_at = now
        replaces.save(update_fields=["superseded_at"])
        is_active = replaces.is_active if is_active is None else is_active
    row = LedgerEntry.objects.create(
        id=new_id(),
        space_id=space,
        entry_id=replaces.entry_id if replaces else new_id(),
        revision=replaces.revision + 1 if replaces else 1,
        content_hash=hash_words(space, draft.content),
        is_active=is_active is not False,
        recorded_at=now,
        **vars(draft),
    )
    if replaces is not None:
        replaces.superseded_by = row
        replaces.save(update_fields=["superseded_by"])
    bump_version(space)
    data = {"entry": str(row.entry_id), "revision": row.revision, "category": row.category}
    record_event(action, chain=space, actor=actor, subject=row, data=data, now=now)
    if row.category == LedgerEntry.Category.THREAT:
        raise_alert(space, row.entry_id, now=now)
    return row


def _last_revision(space: UUID, entry_id: UUID) -> LedgerEntry:
    return LedgerEntry.objects.for_space(space).current().find(entry_id=entry_id)


def _said_by(space: UUID, draft: EntryDraft) -> LedgerEntry | None:
    rows = LedgerEntry.objects.for_space(space).current().filter(is_active=True, category=draft.category)
    return rows.filter(content_hash=hash_words(space, draft.content)).first()


def _refuse_double(space: UUID, draft: EntryDraft, entry_id: UUID, *, is_active: bool) -> None:
    said = _said_by(space, draft) if is_active else None
    if said is not None and said.entry_id != entry_id:
        raise EntryExists()


def _changed(before: EntryDraft, changes: Mapping[str, Any], *, now: datetime) -> EntryDraft:
    """Return the draft with its changes, checked; an expiry that nobody touched may lie in the past."""
    # New words without a summary of their own do not keep the summary of the old.
    summary = {"summary": ""} if "content" in changes else {}
    checked = check_draft(replace(before, **{"expires_at": None, **summary, **changes}), now=now)
    return checked if "expires_at" in changes else replace(checked, expires_at=before.expires_at)
