"""What somebody asks of the picture: kinds, words, a day. Read from the address, so that it can be kept and shared.

The fields that the forms of memory have in common are here as well.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from companion_site.days import end_of
from memory.models import MemoryNode

#: Longer than anybody looks for.
LONGEST_SEARCH = 200
#: The end of the calendar's very last day is, west of Greenwich, in a year that nothing can read back.
LAST_DAY = date.max - timedelta(days=1)
#: the parts of long-term memory
CATEGORIES = [choice for choice in MemoryNode.Category.choices if choice[0]]


@dataclass(frozen=True, kw_only=True)
class GraphFilter:
    """Which memories are asked for; empty means all that hold now."""

    modality: str = ""
    tier: str = ""
    category: str = ""
    search: str = ""
    as_of: datetime | None = None
    history: bool = False


def day_field(label: Any, *, required: bool = True) -> forms.DateField:
    """Return a field for a day, as browsers have one."""
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=required, widget=widget, input_formats=["%Y-%m-%d"])


class LinesField(forms.CharField):
    """Several words, names or topics, one on a line; where `commas` is set, also with commas between them."""

    def __init__(self, *, commas: bool = False, **given: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 2 if commas else 3})
        super().__init__(**{"widget": widget, **given})
        self.commas = commas

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]  # a field of lines gives a list
        text = super().to_python(value) or ""
        lines = text.replace(",", "\n").splitlines() if self.commas else text.splitlines()
        return [line.strip() for line in lines if line.strip()]

    def prepare_value(self, value: Any) -> Any:
        between = ", " if self.commas else "\n"
        return value if isinstance(value, str) or value is None else between.join(value)


class GraphFilterForm(forms.Form):
    """The form above the picture."""

    q = forms.CharField(label=_("Search"), required=False, max_length=LONGEST_SEARCH, strip=True)
    modality = forms.ChoiceField(
        label=_("Kind"), required=False, choices=[("", _("All kinds")), *MemoryNode.Modality.choices]
    )
    tier = forms.ChoiceField(
        label=_("Kept as"),
        required=False,
        choices=[("", _("Either")), *MemoryNode.Tier.choices],
    )
    category = forms.ChoiceField(
        label=_("About"), required=False, choices=[("", _("Everything")), *CATEGORIES]
    )
    as_of = day_field(_("As it was on"), required=False)
    history = forms.BooleanField(label=_("With what was replaced or removed"), required=False)

    def asked(self) -> GraphFilter:
        """Return what is asked for; what could not be understood asks for nothing."""
        given = {**self.cleaned_data} if self.is_valid() else {}
        day, search = given.pop("as_of", None), given.pop("q", "")
        return GraphFilter(search=search, as_of=end_of_day(day) if day else None, **given)


def end_of_day(day: date) -> datetime:
    """Return the last moment of a day here: what was remembered on it counts."""
    return end_of(min(day, LAST_DAY))
