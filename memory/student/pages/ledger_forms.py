"""What a person types to keep something in their ledger."""

from datetime import date, datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ledger.models import LedgerEntry
from ledger.params import LIMITS
from ledger.selectors import EntryData
from memory.student.pages.filters import end_of_day

#: What importance is called here, and what it is as a number.
IMPORTANCE = (("0.25", _("Small")), ("0.5", _("Medium")), ("0.9", _("Great")))


class LinesField(forms.CharField):
    """Words or names, one on a line or with commas between them."""

    widget = forms.Textarea(attrs={"rows": 2})

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]  # a field of lines gives a list
        text = super().to_python(value) or ""
        parts = (part.strip() for line in text.splitlines() for part in line.split(","))
        return [part for part in parts if part]

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else ", ".join(value)


class EntryForm(forms.Form):
    """One entry of the ledger, new or as its next revision."""

    category = forms.ChoiceField(label=_("What it is"), choices=LedgerEntry.Category.choices)
    content = forms.CharField(
        label=_("Word for word"), max_length=LIMITS.content_chars, widget=forms.Textarea(attrs={"rows": 3})
    )
    triggers = LinesField(
        label=_("Words that bring it up"),
        required=False,
        max_length=20_000,
        help_text=_("With commas between them. Without any, your companion always has it in mind."),
    )
    trigger_entities = LinesField(
        label=_("People and places that bring it up"), required=False, max_length=20_000
    )
    importance = forms.TypedChoiceField(
        label=_("Importance"), choices=IMPORTANCE, coerce=float, initial="0.5"
    )
    expires = forms.DateField(
        label=_("Holds until"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
    )

    def fields_of_entry(self) -> dict[str, Any]:
        """Return what an entry will say."""
        given = dict(self.cleaned_data)
        given["expires_at"] = _last_moment(given.pop("expires"))
        return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}

    def changes(self) -> dict[str, Any]:
        """Return what differs from the revision that the form was filled from."""
        touched = {"expires_at" if name == "expires" else name for name in self.changed_data}
        return {name: value for name, value in self.fields_of_entry().items() if name in touched}


def entry_form(entry: EntryData, given: QueryDict | None = None) -> EntryForm:
    """Return the form as the last revision fills it, with what was typed over it."""
    expires = timezone.localtime(entry.expires_at).date() if entry.expires_at else None
    nearest = min(IMPORTANCE, key=lambda choice: abs(float(choice[0]) - entry.importance))
    return EntryForm(
        given,
        initial={
            "category": entry.category,
            "content": entry.content,
            "triggers": list(entry.triggers),
            "trigger_entities": list(entry.trigger_entities),
            "importance": nearest[0],
            "expires": expires,
        },
    )


def _last_moment(day: date | None) -> datetime | None:
    return end_of_day(day) if day else None
