"""The forms of the teachers' pages."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from companion_site.ids import new_id
from memory.inbound.contents import TEXT_LENGTH, TITLE_LENGTH


class SealableText(forms.CharField):
    """A text without control characters, its lines ended alike."""

    def clean(self, value):
        text = super().clean(value)
        if any(ord(character) < 32 and character not in "\n\r\t" for character in text):
            raise ValidationError(_("This holds characters that cannot be read."))
        return text.replace("\r\n", "\n")


def _text(label, *, rows=4, required=True, help_text="", max_length=TEXT_LENGTH):
    widget = forms.Textarea(attrs={"rows": rows, "autocomplete": "off"})
    return SealableText(
        label=label, max_length=max_length, required=required, widget=widget, help_text=help_text
    )


class SentOnceForm(forms.Form):
    """A form that carries an id of its own: sent twice, it counts once."""

    id = forms.UUIDField(widget=forms.HiddenInput, initial=new_id)

    def renewed(self) -> "SentOnceForm":
        """Return the form with the same words and a new id, for what was changed after it was sent."""
        form = type(self)({**self.data.dict(), "id": str(new_id())})  # type: ignore[attr-defined]  # bound to a QueryDict
        form.add_error(
            None, _("What you sent with this form before stands. Send again to send this as well.")
        )
        return form


class ObservationForm(SentOnceForm):
    text = _text(
        _("What did you notice?"),
        help_text=_(
            "One or two sentences that can stand by themselves, at most 500 characters. You cannot read them again."
        ),
        max_length=500,
    )


class LessonForm(SentOnceForm):
    title = SealableText(
        label=_("Title"), max_length=TITLE_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    taught = _text(_("What was taught"), required=False)
    result = _text(_("How it went"), rows=2, required=False)
    introduces = forms.BooleanField(label=_("It introduced new concepts: choose them next"), required=False)
