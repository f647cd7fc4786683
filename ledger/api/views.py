"""The ledger over the REST API: parse, authorise, call a service, tell."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils import timezone

from companion_site.accounts.models import Person
from companion_site.accounts.tokens import Scope
from companion_site.api.operations import Asked, Made, opening, operation, page_of
from companion_site.api.paging import Page, page_of_data
from companion_site.api.views import ApiView
from companion_site.errors import NotFound
from companion_site.vault.boxes import SpaceKey
from ledger import services
from ledger.api import forms
from ledger.drafts import EntryDraft
from ledger.selectors import EntryData, as_data, entry_history, list_entries

LEDGER = Scope.LEDGER


@dataclass(frozen=True)
class LedgerAccess:
    """A student, the space their ledger is in, and the key that opens it."""

    person: Person
    space: UUID
    key: SpaceKey


def ledger_access(person: Person, key: SpaceKey) -> LedgerAccess:
    """Return whose ledger a program sees.

    Raises:
        NotFound: people of this role have none.
    """
    if not person.has_memory_pages:
        raise NotFound()
    return LedgerAccess(person, key.space, key)


opened = opening(ledger_access)


class Entries(ApiView):
    @operation(
        "ledger_list",
        "List entries",
        scope=LEDGER,
        opens=opened,
        query=forms.EntryQuery,
        answer=page_of(forms.EntryOut),
    )
    def get(self, asked: Asked, access: LedgerAccess) -> Page:
        """Return the last revision of each entry, the last kept first."""
        wanted = [entry for entry in list_entries(access.space) if _is_wanted(entry, asked.given)]
        return page_of_data(wanted, asked.given, id_of=lambda entry: entry.entry_id)

    @operation(
        "ledger_keep",
        "Keep something",
        scope=LEDGER,
        opens=opened,
        body=forms.EntryBody,
        answer=forms.EntryOut,
        status=201,
        repeats="whole",
    )
    def post(self, asked: Asked, access: LedgerAccess) -> Made:
        """Keep something word for word. The same words in the same category are one entry."""
        draft = EntryDraft(**forms.as_fields(asked.given))
        row = services.record_entry(access.space, draft, now=timezone.now(), actor=access.person)
        return Made(as_data(row), "entry", (row.entry_id,))


class OneEntry(ApiView):
    @operation("ledger_read", "Show an entry", scope=LEDGER, opens=opened, answer=forms.HistoryOut)
    def get(self, asked: Asked, access: LedgerAccess, entry_id: UUID) -> dict[str, Any]:
        """Return an entry with every revision it had."""
        history = entry_history(access.space, entry_id)
        return {"entry": history[0], "revisions": history}

    @operation(
        "ledger_revise",
        "Revise an entry",
        scope=LEDGER,
        opens=opened,
        body=forms.RevisionBody,
        answer=forms.EntryOut,
        refuses=[409],
    )
    def patch(self, asked: Asked, access: LedgerAccess, entry_id: UUID) -> EntryData:
        """Write a new revision that differs in what is sent; the one before stays. What changes nothing writes nothing."""
        row = services.revise_entry(
            access.space,
            entry_id,
            changes=forms.as_fields(asked.given),
            revision=asked.given.get("revision"),
            now=timezone.now(),
            actor=access.person,
        )
        return as_data(row)


class RetireEntry(ApiView):
    @operation(
        "ledger_retire",
        "Retire an entry",
        scope=LEDGER,
        opens=opened,
        answer=forms.EntryOut,
        repeats="whole",
    )
    def post(self, asked: Asked, access: LedgerAccess, entry_id: UUID) -> EntryData:
        """Have an entry hold no longer, by a new revision."""
        row = services.deactivate_entry(access.space, entry_id, now=timezone.now(), actor=access.person)
        return as_data(row)


class BringBackEntry(ApiView):
    @operation(
        "ledger_bring_back",
        "Bring an entry back",
        scope=LEDGER,
        opens=opened,
        answer=forms.EntryOut,
        repeats="whole",
    )
    def post(self, asked: Asked, access: LedgerAccess, entry_id: UUID) -> EntryData:
        """Have a retired entry hold again, by a new revision."""
        row = services.reactivate_entry(access.space, entry_id, now=timezone.now(), actor=access.person)
        return as_data(row)


def _is_wanted(entry: EntryData, given: dict[str, Any]) -> bool:
    pairs = (("category", entry.category), ("active", entry.is_active))
    return all(given.get(name, value) == value for name, value in pairs)
