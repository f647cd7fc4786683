"""The pages of the ledger: what is kept word for word, with every revision it had, and the form that takes in more."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from companion_site.accounts.access import Access, student_action, student_form
from companion_site.accounts.requests import PersonRequest
from companion_site.errors import InvalidInput, NotFound
from companion_site.fields import DayField, LinesField
from ledger import services
from ledger.entries import LIMITS, EntryData, EntryDraft, entry_history, list_entries
from ledger.errors import EntryChanged, EntryExists
from ledger.models import LedgerEntry
from memory.student.pages.filters import end_of_day
from memory.student.pages.navigation import refusals_on, render_page

#: What importance is called here, and what it is as a number.
IMPORTANCE = (
    ("0.25", gettext_lazy("Small")),
    ("0.5", gettext_lazy("Medium")),
    ("0.9", gettext_lazy("Great")),
)
REFUSALS = (InvalidInput, EntryExists, EntryChanged)


class EntryForm(forms.Form):
    """One entry of the ledger, new or as its next revision."""

    category = forms.ChoiceField(label=gettext_lazy("What it is"), choices=LedgerEntry.Category.choices)
    content = forms.CharField(
        label=gettext_lazy("Word for word"),
        max_length=LIMITS.content_chars,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    triggers = LinesField(
        commas=True,
        label=gettext_lazy("Words that bring it up"),
        required=False,
        max_length=20_000,
        help_text=gettext_lazy(
            "With commas between them. Without any, your companion always has it in mind."
        ),
    )
    trigger_entities = LinesField(
        commas=True,
        label=gettext_lazy("People and places that bring it up"),
        required=False,
        max_length=20_000,
    )
    importance = forms.TypedChoiceField(
        label=gettext_lazy("Importance"), choices=IMPORTANCE, coerce=float, initial="0.5"
    )
    expires = DayField(label=gettext_lazy("Holds until"), required=False)

    def fields_of_entry(self) -> dict[str, Any]:
        """Return what an entry will say."""
        given = dict(self.cleaned_data)
        day = given.pop("expires")
        given["expires_at"] = end_of_day(day) if day else None
        return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}

    def changes(self) -> dict[str, Any]:
        """Return what differs from the revision that the form was filled from."""
        touched = {"expires_at" if name == "expires" else name for name in self.changed_data}
        return {name: value for name, value in self.fields_of_entry().items() if name in touched}


def entry_form(entry: EntryData, given: QueryDict | None = None) -> EntryForm:
    """Return the form as the last revision fills it, with what was typed over it."""
    expires = timezone.localtime(entry.expires_at).date() if entry.expires_at else None
    nearest = min(IMPORTANCE, key=lambda choice: abs(float(choice[0]) - entry.importance))
    lists = {"triggers": list(entry.triggers), "trigger_entities": list(entry.trigger_entities)}
    return EntryForm(given, initial={**vars(entry), **lists, "importance": nearest[0], "expires": expires})


@student_form
def ledger(request: PersonRequest, access: Access) -> HttpResponse:
    """List what is kept, by category, and take in more."""
    form = EntryForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form, of=REFUSALS):
            row = services.record_entry(
                access.space, EntryDraft(**form.fields_of_entry()), now=timezone.now(), actor=access.person
            )
            messages.success(request, _("Kept."))
            return redirect("memory:ledger_entry", row.entry_id)
    entries = list_entries(access.space)
    context = {
        "form": form,
        "groups": group_entries(entries),
        "retired": [e for e in entries if not e.is_active],
    }
    return render_page(request, access, "ledger", context, status=400 if form.errors else 200)


@student_form
def ledger_entry(request: PersonRequest, access: Access, entry_id: UUID) -> HttpResponse:
    """Show one entry with its revisions, and write the next."""
    history = entry_history(access.space, entry_id)
    form = entry_form(history[0], request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form, of=REFUSALS):
            services.revise_entry(
                access.space,
                entry_id,
                changes=form.changes(),
                now=timezone.now(),
                actor=access.person,
                revision=_revision(request.POST.get("revision")),
            )
            messages.success(request, _("Changed. The old words stay to be seen."))
            return redirect("memory:ledger_entry", entry_id)
    context = {"form": form, "entry": history[0], "history": history}
    return render_page(request, access, "ledger_entry", context, status=400 if form.errors else 200)


@student_action
def switch_entry(request: PersonRequest, access: Access, entry_id: UUID, verb: str) -> HttpResponse:
    """Retire an entry, or bring it back."""
    if verb not in ("retire", "bring-back"):
        raise NotFound()
    services.switch_entry(
        access.space, entry_id, is_active=verb == "bring-back", now=timezone.now(), actor=access.person
    )
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


def _revision(text: str | None) -> int | None:
    """Return the revision that the form was filled from; a page that names none takes whatever is last."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None
