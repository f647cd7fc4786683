"""What a student may say about a concept they know."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from overlay.params import PARAMS
from overlay.selectors import Known

#: From 0 to 4; the numbers behind the words are evenly spread over the range.
ATTITUDES = (
    (0, _("I do not like it at all")),
    (1, _("I do not like it much")),
    (2, _("I do not mind it")),
    (3, _("I like it")),
    (4, _("I love it")),
)
FAMILIARITIES = (
    (0, _("I have just met it")),
    (1, _("I have heard of it")),
    (2, _("I am getting there")),
    (3, _("I know it well")),
    (4, _("I could explain it")),
)
STEPS = 4


def attitude_step(attitude: float) -> int:
    """Return the step, 0 to 4, that is nearest to an attitude of -1 to 1."""
    return round((attitude + 1) / 2 * STEPS)


def familiarity_step(familiarity: float) -> int:
    """Return the step, 0 to 4, that is nearest to a familiarity of 0 to 1."""
    return round(familiarity * STEPS)


class OpinionForm(forms.Form):
    """Attitude and familiarity in words, and notes."""

    attitude = forms.TypedChoiceField(label=_("How do you like it?"), choices=ATTITUDES, coerce=int)
    familiarity = forms.TypedChoiceField(
        label=_("How well do you know it?"), choices=FAMILIARITIES, coerce=int
    )
    notes = forms.CharField(
        label=_("Your notes"),
        required=False,
        max_length=PARAMS.notes_chars,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("They are sealed with your key, like your memories."),
    )

    def __init__(self, data: QueryDict | None, *, known: Known) -> None:
        initial = {
            "attitude": attitude_step(known.attitude),
            "familiarity": familiarity_step(known.familiarity),
            "notes": known.notes,
        }
        super().__init__(data, initial=initial)

    def opinion(self) -> dict[str, Any]:
        """Return what was changed, as numbers in their ranges; a value between two steps stays if its step does."""
        given = self.cleaned_data
        opinion = {
            "attitude": given["attitude"] / STEPS * 2 - 1,
            "familiarity": given["familiarity"] / STEPS,
            "notes": given["notes"],
        }
        return {name: value for name, value in opinion.items() if name in self.changed_data}
