"""The forms of log-in and account."""

from django import forms
from django.conf import settings
from django.contrib.auth import password_validation
from django.utils.translation import gettext_lazy as _

SECRET_LENGTH = 1024


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


def _code(label):
    attributes = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
    return forms.CharField(label=label, max_length=80, widget=forms.TextInput(attrs=attributes))


class InvitationForm(forms.Form):
    """The code of an invitation, as it is typed."""

    code = _code(_("Invitation code"))


class FirstPasswordForm(NewPasswordForm):
    """The password that an invited person chooses; the code goes along out of sight."""

    code = forms.CharField(max_length=80, widget=forms.HiddenInput)


class NewPasswordByInvitationForm(FirstPasswordForm):
    """The same after a reset, with what opens the memory again."""

    recovery_code = _code(_("Recovery code, if you have it"))
    field_order = ("new_password", "repeat", "recovery_code")

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["recovery_code"].required = False
