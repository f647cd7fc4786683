"""What a person types on the page of their mood and goals."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from companion_site.fields import DayField, LinesField
from memory.student.life.kinds import MOODS, Journal
from memory.student.life.limits import LIFE
from memory.student.life.metrics import RANGES, WHOLE, Name

LEVELS = (
    ("low", pgettext_lazy("mood", "A little")),
    ("medium", pgettext_lazy("mood", "Quite")),
    ("high", pgettext_lazy("mood", "Very")),
)
ENERGY = (
    ("low", pgettext_lazy("energy", "Tired")),
    ("medium", pgettext_lazy("energy", "As usual")),
    ("high", pgettext_lazy("energy", "Full of energy")),
)


class MoodForm(forms.Form):
    """How somebody feels now."""

    prefix = "mood"
    emotion = forms.ChoiceField(label=_("I feel"), choices=MOODS, widget=forms.RadioSelect)
    intensity = forms.ChoiceField(label=_("How much"), choices=LEVELS, initial="medium")
    energy = forms.ChoiceField(label=_("Energy"), choices=ENERGY, initial="medium")
    note = forms.CharField(
        label=_("A few words, if you like"), required=False, max_length=LIFE.mood_note_chars
    )


class GoalForm(forms.Form):
    """A goal, new or in other words."""

    prefix = "goal"
    text = forms.CharField(label=_("What I want to reach"), max_length=LIFE.goal_chars)


class NoteForm(forms.Form):
    """How it went with a goal."""

    prefix = "note"
    text = forms.CharField(label=_("How it went"), max_length=LIFE.note_chars)


class JournalForm(forms.Form):
    """A note in a journal."""

    def __init__(self, given: Mapping[str, Any] | None = None, *, journal: Journal) -> None:
        super().__init__(given, prefix=journal.name)
        self.fields["text"] = forms.CharField(label=journal.label, max_length=journal.chars)


def _measure(name: Name) -> forms.Field:
    least, most = RANGES[name]
    bounds: dict[str, Any] = {"min_value": int(least), "max_value": int(most)}
    if name in WHOLE:
        return forms.IntegerField(label=name.label, required=False, **bounds)
    widget = forms.NumberInput(attrs={"step": 0.25})
    return forms.FloatField(label=name.label, required=False, widget=widget, **bounds)


class MeasuresForm(forms.Form):
    """The measures of one day, as far as they are known."""

    prefix = "measures"
    day = DayField(label=_("Day"))

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields |= {str(name): _measure(name) for name in Name}

    def clean(self) -> dict[str, Any]:
        """Return the day, and by name what was given."""
        given = {str(name): self.cleaned_data.get(name) for name in Name}
        values = {name: value for name, value in given.items() if value is not None}
        if not values and not self.errors:
            raise forms.ValidationError(gettext("Give at least one number."))
        return {"day": self.cleaned_data.get("day"), "values": values}


class WishesForm(forms.Form):
    """How somebody wants to be spoken with."""

    prefix = "wishes"
    avoid = LinesField(
        label=_("Never bring up"),
        required=False,
        max_length=LIFE.avoided * (LIFE.topic_chars + 2),
        help_text=_(
            "One topic on each line. Your companion keeps away from it unless you speak of it yourself."
        ),
    )
    calm = forms.BooleanField(label=_("Keep a calm tone with me"), required=False)
    speaks = forms.BooleanField(label=_("Read replies aloud"), required=False)
    initiative_on = forms.BooleanField(label=_("My companion may speak first"), required=False)
    quiet_from = forms.TimeField(
        label=_("Quiet from"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    quiet_until = forms.TimeField(
        label=_("Quiet until"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
