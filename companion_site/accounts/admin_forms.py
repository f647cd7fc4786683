"""The admin's forms about people and systems. None asks for a password: people choose theirs themselves."""

from django import forms
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.models import Person
from companion_site.accounts.systems import owner_field


class PersonForm(forms.ModelForm):
    """What staff may say about a person."""

    class Meta:
        model = Person
        fields = (
            "username",
            "display_name",
            "role",
            "language",
            "school",
            "company",
            "is_active",
            "is_superuser",
        )

    def clean(self):
        cleaned = super().clean() or {}
        if cleaned.get("role") == Person.Role.BUSINESS and not cleaned.get("company"):
            self.add_error("company", _("A business user belongs to a company."))
        if cleaned.get("is_superuser") and cleaned.get("role") != Person.Role.STAFF:
            self.add_error("is_superuser", _("Only staff can have every permission."))
        return cleaned


class SystemForm(forms.ModelForm):
    """A system's name, which no other of its school or company has."""

    def validate_unique(self):
        """Compare with the owner's others also where the owner can no longer be chosen, and so is no part of the form."""
        super().validate_unique()
        if owner_field(self._meta.model) not in self.fields:
            try:
                self.instance.validate_constraints()
            except forms.ValidationError as taken:
                self.add_error(None, taken)
