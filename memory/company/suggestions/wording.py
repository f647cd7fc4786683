"""What a suggestion says, and what the person says who takes it up, in the language of the page.

A fact's words stand in quotation marks, shortened, as what they are: something that was said, and no instruction.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from companion_site.language import sanitise
from companion_site.shortening import shorten
from memory.company.suggestions.rules import Candidate, DeadlineSeen, FactSeen

#: characters of a fact, or of a deadline's name, that a suggestion quotes
MOST_QUOTED = 80
_MARKS = re.compile('["“”„‟«»`]')

#: By kind of follow-up: what the companion asks, and what the person asks of it.
_FOLLOW_UPS: dict[str, tuple[Promise, Promise]] = {
    "dividend": (
        gettext_lazy("Shall we go through what the K10 form needs?"),
        gettext_lazy("Help me go through what the K10 form needs."),
    ),
    "hiring": (
        gettext_lazy("Shall we make a checklist for registering as an employer?"),
        gettext_lazy("Make a checklist for registering as an employer."),
    ),
    "accounting rules": (
        gettext_lazy("Shall we talk through what it means for the annual report?"),
        gettext_lazy("Talk me through what it means for the annual report."),
    ),
    "financial year": (
        gettext_lazy("Shall I explain what changing the financial year takes?"),
        gettext_lazy("Explain what changing the financial year takes."),
    ),
    "vat period": (
        gettext_lazy("Shall we make a list of what VAT takes from now on?"),
        gettext_lazy("Make a list of what VAT takes from now on."),
    ),
    "premises": (
        gettext_lazy("Shall we make a checklist for the premises: address, insurance, agreement?"),
        gettext_lazy("Make a checklist for the premises: address, insurance, agreement."),
    ),
    "late payment": (
        gettext_lazy("Shall we draft a reminder to the customer?"),
        gettext_lazy("Draft a reminder to the customer."),
    ),
    "prices": (
        gettext_lazy("Shall we draft a letter to the customers?"),
        gettext_lazy("Draft a letter to the customers."),
    ),
    "pay": (
        gettext_lazy("Shall we talk through what the pay means for tax and for dividends?"),
        gettext_lazy("Talk me through what the pay means for tax and for dividends."),
    ),
    "pension": (
        gettext_lazy("Shall we make a checklist for the pension?"),
        gettext_lazy("Make a checklist for the pension."),
    ),
    "loan": (
        gettext_lazy("Shall we talk through what the loan means for the company?"),
        gettext_lazy("Talk me through what the loan means for the company."),
    ),
    "capital": (
        gettext_lazy("Shall we draft the minutes?"),
        gettext_lazy("Draft the minutes."),
    ),
}


@dataclass(frozen=True)
class Wording:
    """The text of a chip, and the message that it puts into the text box."""

    offer: str
    message: str


def word_candidate(candidate: Candidate, *, today: date) -> Wording:
    """Return the words of a suggestion."""
    if candidate.deadline is not None:
        return _word_deadline(candidate.deadline, candidate.fact, today)
    if candidate.follow_up is not None:
        return _word_follow_up(candidate.follow_up.key, candidate.fact)
    return _word_open_item(candidate.fact, today)


def quote(text: str) -> str:
    """Return words as they stand inside quotation marks: on one line, shortened at a word."""
    return shorten(_MARKS.sub("'", sanitise(text)).rstrip().rstrip("."), MOST_QUOTED)


def _word_open_item(fact: FactSeen, today: date) -> Wording:
    last = timezone.localdate(fact.last_at)
    about = {"fact": quote(fact.content), "weeks": (today - last).days // 7}
    return Wording(
        _say_how_long_ago(last, today) % about,
        _("I would like to go on with what we talked about: “%(fact)s”.") % about,
    )


def _word_follow_up(key: str, fact: FactSeen) -> Wording:
    question, request = _FOLLOW_UPS[key]
    about = quote(fact.content)
    return Wording(
        _("It was decided: “%(fact)s”. %(question)s") % {"fact": about, "question": question},
        _("We have decided: “%(fact)s”. %(request)s") % {"fact": about, "request": request},
    )


def _word_deadline(deadline: DeadlineSeen, fact: FactSeen, today: date) -> Wording:
    about = {"label": quote(deadline.label), "fact": quote(fact.content), "when": _say_when(deadline, today)}
    return Wording(
        _("“%(label)s” is due %(when)s. Noted before: “%(fact)s”. Shall we go through what is needed?")
        % about,
        _("“%(label)s” is due %(when)s. Go through with me what is needed; we noted before: “%(fact)s”.")
        % about,
    )


def _say_when(deadline: DeadlineSeen, today: date) -> str:
    days = (deadline.due_on - today).days
    if days == 0:
        return _("today")
    return ngettext("tomorrow", "in %(days)s days", days) % {"days": days}


def _say_how_long_ago(last: date, today: date) -> str:
    """Return the offer of an open item; last week is the calendar's, from Monday to Sunday."""
    mondays = last - timedelta(days=last.weekday()), today - timedelta(days=today.weekday())
    if mondays[1] - mondays[0] == timedelta(days=7):
        return _("Last week we talked about “%(fact)s”. Would you like to go on with it?")
    if today - last < timedelta(weeks=2):
        return _("A good week ago we talked about “%(fact)s”. Would you like to go on with it?")
    return _("%(weeks)s weeks ago we talked about “%(fact)s”. Would you like to go on with it?")
