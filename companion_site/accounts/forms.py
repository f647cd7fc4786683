"""The forms of log-in, account and API tokens."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.utils.translation import gettext_lazy as _

from companion_site.accounts.errors import TooManyTokens
from companion_site.accounts.models import ApiToken, Person
from companion_site.accounts.tokens import Scope, issue_token
from companion_site.vault.boxes import SpaceKey

SECRET_LENGTH = 1024
#: For how many days a token opens; the first is offered.
LASTS = (
    ("90", _("Three months")),
    ("30", _("A month")),
    ("365", _("A year")),
    ("", _("Until it is revoked")),
)


def _secret(label, autocomplete):
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(label=label, strip=False, max_length=SECRET_LENGTH, widget=widget)


def _username():
    widget = forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"})
    return forms.CharField(label=_("Log-in name"), max_length=64, widget=widget)


class LanguageForm(forms.Form):
    language = forms.ChoiceField(choices=settings.LANGUAGES)


class MemoryForm(forms.Form):
    """What the person's memory is to be."""

    memory = forms.ChoiceField(choices=[("on", _("On")), ("off", _("Off"))])

    @property
    def is_on(self) -> bool:
        return self.cleaned_data["memory"] == "on"


class LogInForm(forms.Form):
    username = _username()
    password = _secret(_("Password"), "current-password")


class NewPasswordForm(forms.Form):
    """A new password, typed twice; subclasses put their own fields before it."""

    new_password = _secret(_("New password"), "new-password")
    repeat = _secret(_("New password again"), "new-password")

    def __init__(self, *args, person=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.person = person

    def clean(self):
        cleaned = super().clean() or {}
        first, second = cleaned.get("new_password"), cleaned.get("repeat")
        if first and second and first != second:
            self.add_error("repeat", _("The two passwords differ."))
        elif first:
            try:
                password_validation.validate_password(first, self.person)
            except forms.ValidationError as error:
                self.add_error("new_password", error)
        return cleaned


class ChangePasswordForm(NewPasswordForm):
    current_password = _secret(_("Current password"), "current-password")
    field_order = ("current_password", "new_password", "repeat")


class ReadableSecretInput(forms.PasswordInput):
    """What is typed can be read, since it is long; like a password it is never sent back with the page."""

    input_type = "text"


class RecoverForm(NewPasswordForm):
    username = _username()
    code = forms.CharField(
        label=_("Recovery code"), max_length=80, widget=ReadableSecretInput(attrs={"autocomplete": "off"})
    )
    field_order = ("username", "code", "new_password", "repeat")


class StartAnewForm(NewPasswordForm):
    username = _username()
    current_password = _secret(_("Current password"), "current-password")
    confirm = forms.BooleanField(label=_("I understand that everything remembered so far is lost for good."))
    field_order = ("username", "current_password", "new_password", "repeat", "confirm")


def _code(label, *, required=True):
    attributes = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
    widget = forms.TextInput(attrs=attributes)
    return forms.CharField(label=label, max_length=80, widget=widget, required=required)


class InvitationForm(forms.Form):
    """The code of an invitation, as it is typed."""

    code = _code(_("Invitation code"))


class FirstPasswordForm(NewPasswordForm):
    """The password that an invited person chooses; the code goes along out of sight."""

    code = forms.CharField(max_length=80, widget=forms.HiddenInput)


class NewPasswordByInvitationForm(FirstPasswordForm):
    """The same after a reset, with what opens the memory again."""

    recovery_code = _code(_("Recovery code, if you have it"), required=False)
    field_order = ("new_password", "repeat", "recovery_code")


class TokenForm(forms.Form):
    """A token to make, for some of these scopes."""

    name = forms.CharField(
        label=_("What is it for?"),
        max_length=100,
        help_text=_("A name that you will know it by. Auditors can see it."),
    )
    scopes = forms.MultipleChoiceField(label=_("It may be used for"), widget=forms.CheckboxSelectMultiple)
    lasts = forms.ChoiceField(label=_("It opens for"), choices=LASTS, initial=LASTS[0][0], required=False)

    def __init__(self, data: Any = None, *, scopes: Iterable[Scope], initial: Any = None) -> None:
        super().__init__(data, auto_id="token_%s", initial=initial)
        self.fields["scopes"].choices = [(scope.value, scope.label) for scope in scopes]  # type: ignore[attr-defined]

    def issue(self, key: SpaceKey, *, actor: Person, now: datetime) -> tuple[ApiToken, str] | None:
        """Return a token that was made, with its text; None where it was refused: why stands beside its field then."""
        if not self.is_valid():
            return None
        given, days = self.cleaned_data, self.cleaned_data["lasts"]
        expires_at = now + timedelta(days=int(days)) if days else None
        try:
            return issue_token(
                key, name=given["name"], scopes=given["scopes"], actor=actor, now=now, expires_at=expires_at
            )
        except TooManyTokens as refused:
            self.add_error(None, str(refused))
            return None


def scopes_for(person: Person) -> list[Scope]:
    """Return what a token of a person's own space can be of use for."""
    wanted = {Scope.AUDIT, Scope.PACKS}
    if person.can_chat:
        wanted.add(Scope.CHAT)
    if person.has_memory_pages:
        wanted |= {Scope.MEMORY_READ, Scope.MEMORY_WRITE, Scope.LEDGER, Scope.MAP}
    if person.audits_company:
        wanted.add(Scope.COMPANY)
    return [scope for scope in Scope if scope in wanted]
