"""Which facts an auditor asks for: of what kind, in what state, said by whom, when, and as believed at which moment."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.days import end_of, start_of
from companion_site.errors import InvalidInput
from companion_site.fields import DayField
from memory.models import CompanyEvent, CompanyFact
from memory.querysets import FactQuerySet

#: What the calendars of people, Python and PostgreSQL agree on with room to spare.
FIRST, LAST = date(1970, 1, 2), date(2199, 12, 30)
NO_DAY = _("Write a day as year-month-day, such as 2026-03-02.")
#: Longer than anybody looks for.
LONGEST_SEARCH = 200
#: Stands for the companion, who says the summaries.
COMPANION = "companion"
_Kind = CompanyEvent.Kind


def parse_moment(text: str) -> datetime:
    """Return the moment that a text names: the end of a day, or a time of it.

    Without an offset it is the time here; an hour that comes twice in autumn is then meant as it comes first.

    Raises:
        ValueError: it names none, or one out of range.
    """
    if "T" not in text:
        return end_of(_in_range(date.fromisoformat(text)))
    moment = datetime.fromisoformat(text)
    _in_range(moment.date())
    return moment if moment.tzinfo else timezone.make_aware(moment)


def _in_range(day: date) -> date:
    if not FIRST <= day <= LAST:
        raise ValueError(day)
    return day


class MomentInput(forms.TextInput):
    """A date and time picker, which shows a moment in the time here; it cannot show what is no moment."""

    input_type = "datetime-local"

    def format_value(self, value):
        try:
            moment = parse_moment(str(value or ""))
        except ValueError:
            return None
        return timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M:%S")


class MomentField(forms.CharField):
    """A moment, as a date and time picker or a program writes it."""

    widget = MomentInput(attrs={"step": 1})

    def to_python(self, value):
        text = super().to_python(value)
        if not text:
            return None
        try:
            return parse_moment(text)
        except ValueError:
            raise ValidationError(
                _(
                    "Write a day such as 2026-03-02, or a moment such as 2026-03-02T14:05 or 2026-03-02T14:05:00Z."
                ),
                code="moment",
            ) from None


class State(models.TextChoices):
    """What has become of a fact by a moment."""

    ACTIVE = "active", _("Believed")
    SUPERSEDED = "superseded", _("Superseded")
    EXPIRED = "expired", _("Expired")
    FLAGGED = "flagged", _("Flagged for review")
    DOUBTED = "doubted", _("May be out of date")
    ALL = "all", _("Everything")


class BadQuestion(InvalidInput):
    """An address asks for what does not exist."""

    code = "company.bad-question"
    message = _("What was asked for could not be understood.")


#: Of what waits for somebody's word: the column that says so now, and the events by which it began and ended.
_WAITING: dict[str, tuple[str, str, str]] = {
    State.FLAGGED: ("flagged_at", _Kind.FLAGGED, _Kind.REVIEWED),
    State.DOUBTED: ("doubted_since", _Kind.DOUBTED, _Kind.CLEARED),
}


@dataclass(frozen=True, kw_only=True)
class FactFilter:
    """Which facts are asked for.

    Attributes:
        as_of: the moment whose beliefs are asked for; None: now.
        said_by: a person; COMPANION for what nobody said; empty for anybody.
    """

    state: str = State.ACTIVE
    category: str = ""
    said_by: str = ""
    since: date | None = None
    until: date | None = None
    as_of: datetime | None = None
    search: str = ""

    def facts_of(self, space: UUID, *, at: datetime) -> FactQuerySet:
        """Return the facts of a space that are asked for, as they stood at a moment; read them inside its scope."""
        rows = in_state(space, self.state, at=at, is_past=self.as_of is not None)
        if self.category:
            rows = rows.filter(category=self.category)
        if self.said_by == COMPANION:
            rows = rows.filter(said_by__isnull=True)
        elif self.said_by:
            rows = rows.filter(said_by_id=UUID(self.said_by))
        if self.since:
            rows = rows.filter(created_at__gte=start_of(self.since))
        if self.until:
            rows = rows.filter(created_at__lte=end_of(self.until))
        return rows

    def moment(self, now: datetime) -> datetime:
        """Return the moment asked for; what is still to come cannot be told yet, so `now` at the latest."""
        return min(self.as_of, now) if self.as_of else now

    @property
    def is_whole(self) -> bool:
        """Whether everything there is now is asked for."""
        return self == FactFilter(state=State.ALL, search=self.search)


def in_state(space: UUID, state: str, *, at: datetime, is_past: bool = False) -> FactQuerySet:
    """Return the facts that were in a state at a moment; what came later did not exist then.

    Args:
        is_past: the moment is not the present: what was reviewed since waited for its review then, and only
            the events tell so.
    """
    rows: FactQuerySet = CompanyFact.objects.for_space(space)
    if state == State.ACTIVE:
        return rows.believed_at(at)
    if state in _WAITING:
        column, beginning, end = _WAITING[state]
        if not is_past:
            return rows.believed_at(at).filter(**{f"{column}__isnull": False})
        # What had begun by then and not ended since; what began again waits again.
        events = CompanyEvent.objects.for_space(space).filter(at__lte=at)
        over = events.filter(kind=end, fact=OuterRef("fact"), pk__gt=OuterRef("pk"))
        waiting = events.filter(~Exists(over), kind=beginning)
        return rows.believed_at(at).filter(pk__in=waiting.values("fact_id"))
    begun = rows.filter(created_at__lte=at)
    if state == State.SUPERSEDED:
        return begun.filter(superseded_at__lte=at)
    if state == State.EXPIRED:
        standing = Q(superseded_at__isnull=True) | Q(superseded_at__gt=at)
        return begun.filter(standing, expires_at__lte=at)
    return begun


class FactFilterForm(forms.Form):
    """The form above lists of facts."""

    state = forms.ChoiceField(label=_("State"), required=False, choices=State.choices)
    category = forms.ChoiceField(
        label=_("Category"),
        required=False,
        choices=[("", _("All categories")), *CompanyFact.Category.choices],
    )
    said_by = forms.ChoiceField(label=_("Said by"), required=False)
    since = DayField(label=_("Believed since, from"), required=False, bounds=(FIRST, LAST), refusal=NO_DAY)
    until = DayField(label=_("Believed since, until"), required=False, bounds=(FIRST, LAST), refusal=NO_DAY)
    as_of = MomentField(label=_("As of"), required=False)

    #: what is asked for where nothing is said of the state
    default_state: str = State.ACTIVE

    def __init__(self, given: QueryDict | Mapping[str, str], *, people: Mapping[UUID, str]) -> None:
        known = {name: value for name, value in given.items() if name in self.base_fields}
        super().__init__({**known, "state": known.get("state") or self.default_state})
        who = [("", _("Anybody")), (COMPANION, _("The companion"))]
        self.fields["said_by"].choices = [*who, *((str(key), name) for key, name in people.items())]  # type: ignore[attr-defined]

    def clean(self) -> None:
        cleaned = self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", _("This day is before the first."))

    def asked(self) -> FactFilter | None:
        """Return what is asked for; None where it cannot be understood and the form has errors to show."""
        if not self.is_valid():
            return None
        given = dict(self.cleaned_data)
        search = given.pop("q", "")
        return FactFilter(**given, search=search)


class SearchForm(FactFilterForm):
    """The form of the search, which goes over the whole history."""

    default_state = State.ALL
    field_order = ("q",)

    q = forms.CharField(label=_("Search"), max_length=LONGEST_SEARCH, strip=True)
