"""The live state as the text for a prompt: newest figures with their days, what is due, what is old.

Everything in it is data. Keys and labels come from other programs: they are one line each and hold no brackets
(`entries`), so that none of them can close the block.
"""

from datetime import date, datetime
from decimal import Decimal

from django.utils.timezone import localdate

from companion_site.language import Language
from companion_site.llm.fences import defuse
from companion_site.llm.tokens import estimate_tokens
from memory.company.live.catalogue import FIGURES, deadline_label, figure_label, unit_of
from memory.company.live.entries import KpiEntry
from memory.company.live.services import LiveState
from memory.company.params import LIVE
from memory.models import Deadline, Kpi

OPENING = "[LIVE COMPANY STATE]"
CLOSING = "[END LIVE COMPANY STATE]"

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "figures": "Key figures from the company's books:",
        "deadlines": "Deadlines:",
        "as_of": "as of {day}",
        "stale": "as of {day}, old: {days} days",
        "today": "{day}, today",
        "ahead": "{day}, in {days} days",
        "tomorrow": "{day}, tomorrow",
        "overdue": "{day}, passed and not marked as done",
        "more": "… and {count} more",
    },
    "sv": {
        "figures": "Nyckeltal ur företagets bokföring:",
        "deadlines": "Tidsfrister:",
        "as_of": "per {day}",
        "stale": "per {day}, gammal: {days} dagar",
        "today": "{day}, i dag",
        "ahead": "{day}, om {days} dagar",
        "tomorrow": "{day}, i morgon",
        "overdue": "{day}, har passerat och är inte markerad som klar",
        "more": "… och {count} till",
    },
}


def live_state(state: LiveState, *, now: datetime, language: Language, tokens: int = LIVE.most_tokens) -> str:
    """Return a company's live state for a prompt, with what is due soon; an empty string where nothing stands.

    It stays within so many tokens: known figures first, then deadlines, then the other figures, and what does
    not fit is counted.
    """
    today = localdate(now)
    soon = [due for due in state.deadlines if due.due_on <= today + LIVE.deadlines_within]
    told = [(figure.key in FIGURES, _figure_line(figure, today, language)) for figure in state.figures]
    lines = [
        *(("figures", line) for known, line in told if known),
        *(("deadlines", _deadline_line(due, today, language)) for due in soon),
        *(("figures", line) for known, line in told if not known),
    ]
    words = WORDS[language]
    more = words["more"].format(count=LIVE.most_rows)
    frame = "\n".join([OPENING, CLOSING, words["figures"], words["deadlines"], more, more, ""])
    room, kept = tokens - estimate_tokens(frame), []
    for section, line in lines:
        room -= estimate_tokens(line + "\n")
        if room < 0:  # a shorter one further down is not taken before its turn
            break
        kept.append((section, line))
    parts = []
    for section in ("figures", "deadlines"):
        shown = [line for name, line in kept if name == section]
        left = sum(name == section for name, _line in lines) - len(shown)
        rest = [words["more"].format(count=left)] if left else []
        parts += [words[section], *shown, *rest] if shown or rest else []
    return "\n".join([OPENING, *parts, CLOSING]) if parts else ""


def _figure_line(figure: Kpi, today: date, language: Language) -> str:
    """Return "- Employees: 3 (as of 2026-03-01)"; an old figure says how old it is."""
    form = "stale" if is_stale(figure, today) else "as_of"
    when = WORDS[language][form].format(day=figure.as_of, days=(today - figure.as_of).days)
    return defuse(f"- {tell_figure(figure, language)} ({when})")


def _deadline_line(due: Deadline, today: date, language: Language) -> str:
    """Return "- VAT return: 2026-03-12, in 10 days"."""
    when = WORDS[language][name_due(due, today)].format(day=due.due_on, days=(due.due_on - today).days)
    return defuse(f"- {deadline_label(due, language)}: {when}")


def is_stale(figure: Kpi, today: date) -> bool:
    """Tell whether a figure is told as old."""
    return today - figure.as_of > LIVE.stale_after


def name_due(due: Deadline, today: date) -> str:
    """Return by which words a deadline is told: overdue, today, tomorrow or ahead."""
    days = (due.due_on - today).days
    return "overdue" if days < 0 else {0: "today", 1: "tomorrow"}.get(days, "ahead")


def tell_figure(figure: Kpi, language: Language) -> str:
    """Return a figure as a statement: "Employees: 3"."""
    return f"{figure_label(figure, language)}: {format_amount(figure, language)}"


def format_amount(figure: Kpi | KpiEntry, language: Language) -> str:
    """Return a figure's number with its unit: "412,000.5 SEK", "3"."""
    return f"{format_number(figure.value, language)} {unit_of(figure)}".rstrip()


def format_number(value: Decimal, language: Language) -> str:
    """Return 412000.5000 as "412,000.5" or "412 000,5"."""
    digits = f"{value:,f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return digits.translate({ord(","): " ", ord("."): ","}) if language == "sv" else digits
