"""Alerts: that something threatening came up, and when; whoever is told learns no word of it."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.ids import new_id
from companion_site.vault.scope import lock_space, space_scope
from ledger.models import ThreatAlert


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
