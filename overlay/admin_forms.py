"""The admin's forms about worlds: a file to look at, the same file to take in, one concept to change."""

import zlib
from base64 import b64decode, b64encode
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from companion_site.accounts.models import School
from overlay.errors import WorldRefused
from overlay.models import Concept
from overlay.params import BOUNDS
from overlay.world_files import WorldFile, parse_world

#: What a form may carry beside its files (Django's DATA_UPLOAD_MAX_MEMORY_SIZE), less what the other fields need.
PACKED_CHARS = 2_400_000


def pack_world(world: WorldFile) -> str:
    """Return a world as the text by which the page that shows it hands it on."""
    return b64encode(zlib.compress(world.model_dump_json().encode(), 9)).decode()


def unpack_world(packed: str) -> bytes:
    """Return the file that a world was packed as; of what swells up one byte more than is allowed.

    Raises:
        ValueError, zlib.error: it is damaged, or was never packed.
    """
    return zlib.decompressobj().decompress(b64decode(packed, validate=True), BOUNDS.file_bytes + 1)


class WorldFileField(forms.Field):
    """A world file, chosen by hand; one that is too large is not read."""

    widget = UnfoldAdminFileFieldWidget

    def clean(self, value: Any) -> WorldFile:
        file: UploadedFile = super().clean(value)
        if (file.size or 0) > BOUNDS.file_bytes:
            size = _("The file is larger than %(most)d MB.") % {"most": BOUNDS.file_bytes // 2**20}
            raise forms.ValidationError(size)
        return _parse(file.read())


class PackedWorldField(forms.Field):
    """A world that was shown before, handed on by the page; it is looked at as if it were new."""

    widget = forms.HiddenInput

    def clean(self, value: Any) -> WorldFile:
        try:
            raw = unpack_world(super().clean(value))
        except (ValueError, zlib.error):
            raise forms.ValidationError(_("This cannot be used as it is.")) from None
        return _parse(raw)


def _parse(raw: bytes) -> WorldFile:
    try:
        return parse_world(raw)
    except WorldRefused as error:
        more = _("… and %(count)d more.") % {"count": error.others}
        words = [str(problem) for problem in error.problems] + ([str(more)] if error.others else [])
        raise forms.ValidationError(words) from None


def _school_field() -> forms.ModelChoiceField:
    return forms.ModelChoiceField(
        School.objects.all(), label=_("School"), widget=UnfoldAdminSelectWidget, empty_label=None
    )


class UploadForm(forms.Form):
    """A file for a school, to see what it would change."""

    school = _school_field()
    file = WorldFileField(label=_("World file"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "file" in cleaned:
            cleaned["packed"] = pack_world(cleaned["file"])
            if len(cleaned["packed"]) > PACKED_CHARS:
                large = _("This world is too large for this page. Use `manage.py import_world`.")
                self.add_error("file", large)
        return cleaned


class ApplyForm(forms.Form):
    """What was looked at, to be taken in."""

    school = forms.ModelChoiceField(School.objects.all(), widget=forms.HiddenInput)
    packed = PackedWorldField()
    version = forms.IntegerField(widget=forms.HiddenInput)


class ExportForm(forms.Form):
    """Whose world to give out."""

    export = _school_field()


class ConceptForm(forms.Form):
    """A concept's names and description; one other name on each line."""

    name = forms.CharField(label=_("Name"), max_length=BOUNDS.name_chars, widget=UnfoldAdminTextInputWidget)
    aliases = forms.CharField(
        label=_("Other names, one a line"), required=False, widget=UnfoldAdminTextareaWidget
    )
    kind = forms.CharField(label=_("Kind"), required=False, max_length=50, widget=UnfoldAdminTextInputWidget)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=BOUNDS.description_chars,
        widget=UnfoldAdminTextareaWidget,
    )

    def __init__(self, data: Any, *, concept: Concept) -> None:
        fields = {name: getattr(concept, name) for name in ("name", "kind", "description")}
        super().__init__(data, initial={**fields, "aliases": "\n".join(concept.aliases)})

    def values(self) -> dict[str, Any]:
        """Return what was typed as the service takes it."""
        given = self.cleaned_data
        return {**given, "aliases": [line.strip() for line in given["aliases"].splitlines() if line.strip()]}

    def add_problems(self, error: WorldRefused) -> None:
        """Show each problem at the field it is about."""
        for problem in error.problems:
            field = problem.place.partition("[")[0]
            self.add_error(field if field in self.fields else None, problem.what)
