"""What a person types on the pages of memory."""

from django import forms
from django.utils.translation import gettext_lazy as _

from memory.student.corrections import LONGEST
from memory.student.pages.filters import CATEGORIES


class CorrectionForm(forms.Form):
    """How something really is."""

    text = forms.CharField(
        label=_("How it really is"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 3})
    )


class SortForm(forms.Form):
    """Which part of long-term memory something belongs to."""

    category = forms.ChoiceField(label=_("It is about my"), choices=CATEGORIES)
