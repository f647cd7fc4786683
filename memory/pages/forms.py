"""What a person types on the pages of memory."""

from django import forms
from django.utils.translation import gettext_lazy as _

from memory.correcting import LONGEST


class CorrectionForm(forms.Form):
    """How something really is."""

    text = forms.CharField(
        label=_("How it really is"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )
