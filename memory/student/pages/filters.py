"""What somebody asks of the picture: kinds, words, a day. Read from the address, so that it can be kept and shared."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django import forms
from django.utils.translation import gettext_lazy as _

from companion_site.days import end_of
from companion_site.fields import DayField
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
    as_of = DayField(label=_("As it was on"), required=False)
    history = forms.BooleanField(label=_("With what was replaced or removed"), required=False)

    def asked(self) -> GraphFilter:
        """Return what is asked for; what could not be understood asks for nothing."""
        given = {**self.cleaned_data} if self.is_valid() else {}
        day, search = given.pop("as_of", None), given.pop("q", "")
        return GraphFilter(search=search, as_of=end_of_day(day) if day else None, **given)


def end_of_day(day: date) -> datetime:
    """Return the last moment of a day here: what was remembered on it counts."""
    return end_of(min(day, LAST_DAY))
