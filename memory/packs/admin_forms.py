"""The admin's form about packs: a file, what opens it, and whose it will be."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
)

from companion_site.accounts.models import Company, School
from memory.packs.importer import Audience
from memory.packs.keys import site_private_key
from memory.packs.limits import LIMITS


class UploadForm(forms.Form):
    """A pack to take in."""

    file = forms.FileField(label=gettext_lazy("Pack (.kpack)"), widget=UnfoldAdminFileFieldWidget)
    passphrase = forms.CharField(
        label=gettext_lazy("Passphrase; empty where the pack was sealed to this site's key"),
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "off"}),
        required=False,
        strip=False,
        max_length=1_000,
    )
    school = forms.ModelChoiceField(
        School.objects.all(),
        label=gettext_lazy("For one school"),
        widget=UnfoldAdminSelectWidget,
        empty_label="—",
        required=False,
    )
    company = forms.ModelChoiceField(
        Company.objects.all(),
        label=gettext_lazy("For one company"),
        widget=UnfoldAdminSelectWidget,
        empty_label="—",
        required=False,
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > LIMITS.file_bytes:
            size = _("The file is larger than %(most)d MB.") % {"most": LIMITS.file_bytes // 2**20}
            raise forms.ValidationError(size)
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("school") and cleaned.get("company"):
            raise forms.ValidationError(_("A pack is for a school, for a company, or for everybody."))
        return cleaned

    def audience(self) -> Audience:
        """Return whose the pack will be; with nothing chosen, everybody's."""
        school, company = self.cleaned_data["school"], self.cleaned_data["company"]
        return Audience(school_id=school.pk if school else None, company_id=company.pk if company else None)

    def opener(self) -> dict[str, Any]:
        """Return what opens the pack."""
        passphrase = self.cleaned_data["passphrase"]
        return {"passphrase": passphrase} if passphrase else {"private_key": site_private_key()}
