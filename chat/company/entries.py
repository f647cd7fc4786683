"""A company's live state as statements that answer a question: each figure and each open deadline in one sentence, in the person's language."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from django.utils.timezone import localdate

from chat.notebook.days import write_day
from companion_site.language import Language
from memory.company.live.catalogue import DEADLINES, deadline_label, figure_label
from memory.company.live.services import LiveState
from memory.company.live.text import format_amount, is_stale, name_due
from memory.company.reconcile.live_figures import names_of
from memory.models import Deadline, Kpi

#: Of what is counted, the key of what it comes to.
AMOUNT = "{}_amount"
WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "figure": "{name}: {value}",
        "in_all": "{count}, {amount} in all",
        "stale": "{told} (as of {day})",
        "today": "{name}: due today, {day}",
        "tomorrow": "{name}: due tomorrow, {day}",
        "ahead": "{name}: due on {day}, in {days} days",
        "overdue": "{name}: overdue, it was due on {day} and is not marked as done",
    },
    "sv": {
        "figure": "{name}: {value}",
        "in_all": "{count}, sammanlagt {amount}",
        "stale": "{told} (per {day})",
        "today": "{name}: senast i dag, {day}",
        "tomorrow": "{name}: senast i morgon, {day}",
        "ahead": "{name}: senast {day}, om {days} dagar",
        "overdue": "{name}: försenad, skulle vara klar {day} och är inte markerad som klar",
    },
}
OVERDUE = ("overdue", "late", "försenad", "försenat", "förfallen", "förfallet")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One entry of the live state.

    Attributes:
        names: what people call it, in both languages.
        tells: the kind of thing that is asked for by who asks for it.
        due: the day of a deadline.
    """

    text: str
    names: tuple[str, ...]
    tells: Literal["number", "time"]
    due: date | None = None


def tell_entries(state: LiveState, *, now: datetime, language: Language) -> list[Entry]:
    """Return the figures of a company and its open deadlines, the overdue and the soonest first."""
    today = localdate(now)
    return [
        *_tell_figures(state.figures, today, language),
        *(_tell_deadline(due, today, language) for due in state.deadlines),
    ]


def _tell_figures(figures: Sequence[Kpi], today: date, language: Language) -> Iterator[Entry]:
    """Yield each figure; what is counted together with what it comes to."""
    by_key = {figure.key: figure for figure in figures}
    counted = {AMOUNT.format(key) for key in by_key}
    for figure in figures:
        if figure.key in counted:
            continue
        amount = by_key.get(AMOUNT.format(figure.key))
        value = format_amount(figure, language)
        words = WORDS[language]
        if amount is not None and amount.as_of == figure.as_of:
            value = words["in_all"].format(count=value, amount=format_amount(amount, language))
        told = words["figure"].format(name=figure_label(figure, language), value=value)
        if is_stale(figure, today):
            told = words["stale"].format(told=told, day=write_day(figure.as_of, language, today=today))
        extra = OVERDUE if figure.key == "overdue_invoices" else ()
        yield Entry(text=told, names=(*names_of(figure), *extra), tells="number")


def _tell_deadline(due: Deadline, today: date, language: Language) -> Entry:
    form = name_due(due, today)
    names = [deadline_label(due, each) for each in ("en", "sv")]
    if due.key in DEADLINES:
        known = DEADLINES[due.key]
        names += [known.english, known.swedish, *known.spoken]
    return Entry(
        text=WORDS[language][form].format(
            name=deadline_label(due, language),
            day=write_day(due.due_on, language, today=today),
            days=(due.due_on - today).days,
        ),
        names=(*dict.fromkeys(names), *(OVERDUE if form == "overdue" else ())),
        tells="time",
        due=due.due_on,
    )
