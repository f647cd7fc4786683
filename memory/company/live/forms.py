"""The admin's forms about a company's live state: one figure, one deadline, a SIE file; and what was shown of it, signed."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import RegexValidator
from django.utils.functional import Promise
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from companion_site.fields import DayField
from memory.company.errors import SieRefused, StateRefused
from memory.company.live.entries import KEY, DeadlineEntry, Entry, KpiEntry
from memory.company.live.importer import FigureChange, derive_figures, fingerprint
from memory.company.live.sie import MOST_BYTES, Books, read_sie
from memory.company.params import LIVE

SALT = "memory.company.live.shown"
#: how long a preview may stand before it is taken in
SHOWN_FOR_S = 3600


def _day_field(label: Promise) -> DayField:
    """Return a field for a day within the years that books are kept of."""
    return DayField(
        label=label,
        bounds=(LIVE.earliest, LIVE.latest),
        refusal=_("Choose a day from 1990 to 2100."),
        widget=UnfoldAdminTextInputWidget(attrs={"type": "date"}),
    )


class EntryForm(forms.Form):
    """One entry, checked as one from another program is; `known` is the list of keys that are offered."""

    entry_class: type[Entry] = Entry
    entry: Entry
    known = ""

    key = forms.CharField(
        label=_("Key"),
        max_length=64,
        validators=[RegexValidator(rf"^{KEY}\Z", _("Use lower-case letters, digits, “-” and “_”."))],
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
    )
    label = forms.CharField(
        label=_("Name"), max_length=100, required=False, widget=UnfoldAdminTextInputWidget
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["key"].widget.attrs["list"] = self.known

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.entry = self.entry_class(**cleaned)
            except ValidationError:
                raise forms.ValidationError(_("This cannot be used as it is.")) from None
        return cleaned


class FigureForm(EntryForm):
    """One key figure, entered by hand."""

    entry_class = KpiEntry
    entry: KpiEntry
    known = "known-figures"

    value = forms.DecimalField(
        label=_("Value"), max_digits=20, decimal_places=4, widget=UnfoldAdminDecimalFieldWidget
    )
    unit = forms.CharField(label=_("Unit"), max_length=16, required=False, widget=UnfoldAdminTextInputWidget)
    as_of = _day_field(_("As of"))

    def clean_as_of(self) -> date:
        day: date = self.cleaned_data["as_of"]
        if day > localdate() + LIVE.ahead:
            raise forms.ValidationError(_("This day is still to come. Give the day that the figure is of."))
        return day


class DeadlineForm(EntryForm):
    """One deadline, entered by hand."""

    entry_class = DeadlineEntry
    entry: DeadlineEntry
    known = "known-deadlines"

    due_on = _day_field(_("Due"))
    done = forms.BooleanField(label=_("Done"), required=False, widget=UnfoldBooleanWidget)


class SieUploadForm(forms.Form):
    """A SIE file, to see what it would change."""

    file = forms.FileField(label=_("SIE file"), widget=UnfoldAdminFileFieldWidget)

    def clean_file(self) -> tuple[Books, list[KpiEntry]]:
        file: UploadedFile = self.cleaned_data["file"]
        try:
            # A byte more than may be read tells that there is too much.
            books = read_sie(file.read(MOST_BYTES + 1))
            return books, derive_figures(books, today=localdate())
        except SieRefused as error:
            raise forms.ValidationError(str(error)) from None


def pack(company: UUID, changes: Sequence[FigureChange]) -> str:
    """Return what was shown of a file as the text by which the page hands it on, signed."""
    entries = [change.entry.model_dump(mode="json") for change in changes]
    shown = {"company": str(company), "entries": entries, "shown": fingerprint(changes)}
    return signing.dumps(shown, salt=SALT, compress=True)


def unpack(company: UUID, packed: str) -> tuple[list[KpiEntry], str]:
    """Return the figures that were shown of a file, and their fingerprint.

    Raises:
        StateRefused: they were shown too long ago, for another company, or never.
    """
    try:
        given = signing.loads(packed, salt=SALT, max_age=SHOWN_FOR_S)
    except signing.BadSignature:
        raise StateRefused(_("This page is too old. Choose the file again.")) from None
    if given["company"] != str(company):
        raise StateRefused(_("This cannot be used as it is."))
    return [KpiEntry.model_validate(entry) for entry in given["entries"]], given["shown"]
