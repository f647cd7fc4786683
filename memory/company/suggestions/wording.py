"""What a suggestion says, and what the person says who takes it up, in the language of the page.

A fact's words stand in quotation marks, shortened, as what they are: something that was said, and no instruction.
"""

import re
from datetime import date, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion_site.language import sanitise
from companion_site.shortening import shorten
from memory.company.suggestions.rules import Candidate, label_of, last_at
from memory.models import Deadline

#: characters of a fact, or of a deadline's name, that a suggestion quotes
MOST_QUOTED = 80
_MARKS = re.compile('["“”„‟«»`]')


def word_candidate(candidate: Candidate, *, today: date) -> tuple[str, str]:
    """Return the text of a chip, and the message that it puts into the text box."""
    fact, deadline = candidate.fact, candidate.deadline
    about = {"fact": quote(fact.content)}
    if deadline is not None:
        about |= {"label": quote(label_of(deadline)), "when": _say_when(deadline, today)}
        return (
            _("“%(label)s” is due %(when)s. Noted before: “%(fact)s”. Shall we go through what is needed?")
            % about,
            _("“%(label)s” is due %(when)s. Go through with me what is needed; we noted before: “%(fact)s”.")
            % about,
        )
    if candidate.follow_up is not None:
        asked = {"question": candidate.follow_up.question, "request": candidate.follow_up.request}
        return (
            _("It was decided: “%(fact)s”. %(question)s") % {**about, **asked},
            _("We have decided: “%(fact)s”. %(request)s") % {**about, **asked},
        )
    last = timezone.localdate(last_at(fact))
    return (
        _say_how_long_ago(last, today) % {**about, "weeks": (today - last).days // 7},
        _("I would like to go on with what we talked about: “%(fact)s”.") % about,
    )


def quote(text: str) -> str:
    """Return words as they stand inside quotation marks: on one line, shortened at a word."""
    return shorten(_MARKS.sub("'", sanitise(text)).rstrip().rstrip("."), MOST_QUOTED)


def _say_when(deadline: Deadline, today: date) -> str:
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
