"""The pages of the ledger: what is kept word for word, with every revision it had."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput, NotFound
from ledger import services
from ledger.drafts import EntryDraft
from ledger.errors import EntryChanged, EntryExists
from ledger.models import LedgerEntry
from ledger.selectors import EntryData, entry_history, list_entries
from memory.student.pages.access import MemoryAccess, memory_page
from memory.student.pages.ledger_forms import EntryForm, entry_form
from memory.student.pages.rendering import render_page

form_page = require_http_methods(["GET", "HEAD", "POST"])
REFUSALS = (InvalidInput, EntryExists, EntryChanged)


@form_page
@memory_page
def ledger(request: PersonRequest, access: MemoryAccess) -> HttpResponse:
    """List what is kept, by category, and take in more."""
    form = EntryForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            row = services.record_entry(
                access.space, EntryDraft(**form.fields_of_entry()), now=timezone.now(), actor=access.person
            )
        except REFUSALS as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Kept."))
            return redirect("memory:ledger_entry", row.entry_id)
    entries = list_entries(access.space)
    context = {
        "form": form,
        "groups": group_entries(entries),
        "retired": [e for e in entries if not e.is_active],
    }
    return render_page(request, access, "ledger", context, status=400 if form.errors else 200)


@form_page
@memory_page
def ledger_entry(request: PersonRequest, access: MemoryAccess, entry_id: UUID) -> HttpResponse:
    """Show one entry with its revisions, and write the next."""
    history = entry_history(access.space, entry_id)
    form = entry_form(history[0], request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            services.revise_entry(
                access.space,
                entry_id,
                changes=form.changes(),
                now=timezone.now(),
                actor=access.person,
                revision=_revision(request.POST.get("revision")),
            )
        except REFUSALS as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Changed. The old words stay to be seen."))
            return redirect("memory:ledger_entry", entry_id)
    context = {"form": form, "entry": _shown(history[0]), "history": [_shown(entry) for entry in history]}
    return render_page(request, access, "ledger_entry", context, status=400 if form.errors else 200)


@require_POST
@memory_page
def switch_entry(request: PersonRequest, access: MemoryAccess, entry_id: UUID, verb: str) -> HttpResponse:
    """Retire an entry, or bring it back."""
    switch = {"retire": services.deactivate_entry, "bring-back": services.reactivate_entry}.get(verb)
    if switch is None:
        raise NotFound()
    switch(access.space, entry_id, now=timezone.now(), actor=access.person)
    return redirect("memory:ledger_entry", entry_id)


def group_entries(entries: list[EntryData]) -> list[dict[str, Any]]:
    """Return the active entries by category, in the order that the categories have."""
    found: dict[str, list[EntryData]] = defaultdict(list)
    for entry in entries:
        if entry.is_active:
            found[entry.category].append(entry)
    return [
        {"category": category, "label": category.label, "entries": found[category]}
        for category in LedgerEntry.Category
        if found[category]
    ]


def _shown(entry: EntryData) -> dict[str, Any]:
    return {
        "data": entry,
        "category": LedgerEntry.Category(entry.category).label,
        "trust": LedgerEntry.Trust(entry.trust).label,
    }


def _revision(text: str | None) -> int | None:
    """Return the revision that the form was filled from; a page that names none takes whatever is last."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None
