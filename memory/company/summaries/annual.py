"""Decisions of more than a year ago: one summary for each calendar year, in several parts where one is too short."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.utils.timezone import get_default_timezone, localtime

from memory.company.confidence import present_confidence
from memory.company.params import CompanyParams
from memory.company.summaries.draft import Planned, chars_of, most_chars
from memory.company.summaries.selectors import Whole
from memory.models import CompanyFact

_ORIGIN = CompanyFact.Origin
#: A year, and whether its decisions are told with a doubt.
_Shelf = tuple[int, bool]


def year_of(moment: datetime) -> int:
    """Return the calendar year of a moment where the site is."""
    return localtime(moment, get_default_timezone()).year


def is_fresh_review(fact: CompanyFact, *, now: datetime, within: timedelta) -> bool:
    """Tell whether somebody has still to look at a fact that contradicted another, and has had less time than `within`."""
    return fact.flagged_at is not None and fact.reviewed_at is None and fact.flagged_at > now - within


def is_doubtful(fact: CompanyFact, *, now: datetime, params: CompanyParams) -> bool:
    """Tell whether a fact is told with a doubt at `now`."""
    present = present_confidence(fact.confidence, fact.confirmed_at, now, fact.category, params=params)
    return present < params.hedged_below


def is_historical(whole: Whole, *, now: datetime, params: CompanyParams) -> bool:
    """Tell whether a decision belongs to the summary of its year by now; not if somebody took it out of one by hand.

    A summary of decisions, which are all of one year, goes as a whole once the oldest in it is a year old: the year has
    ended by then, and none is split.
    """
    fact = whole.fact
    if fact.category != CompanyFact.Category.DECISION or fact.origin == _ORIGIN.ANNUAL or whole.is_taken_out:
        return False
    under_review = is_fresh_review(fact, now=now, within=params.compress_every)
    return not under_review and whole.parts[0].said_at <= now - params.historical_after


def plan_annual(wholes: Sequence[Whole], *, now: datetime, params: CompanyParams) -> list[Planned]:
    """Return the summaries of years to write, oldest year first."""
    found: dict[_Shelf, list[Whole]] = defaultdict(list)
    begun: dict[_Shelf, list[Whole]] = defaultdict(list)
    for whole in wholes:
        doubtful = is_doubtful(whole.fact, now=now, params=params)
        if is_historical(whole, now=now, params=params):
            found[year_of(whole.fact.said_at), doubtful].append(whole)
        elif whole.fact.origin == _ORIGIN.ANNUAL:
            begun[year_of(whole.fact.said_at), doubtful].append(whole)
    return [
        summary
        for shelf, decisions in sorted(found.items())
        for summary in _plan_year(shelf[0], decisions, _latest(begun[shelf]), bound=most_chars(params))
    ]


def _latest(written: Sequence[Whole]) -> Whole | None:
    """Return the part of a year's summary that was written last; earlier ones are full."""
    return max(written, key=lambda whole: (whole.fact.created_at, whole.fact.pk), default=None)


def _plan_year(year: int, found: Iterable[Whole], begun: Whole | None, *, bound: int) -> list[Planned]:
    """Fill what is begun, then further parts, in the order said; what was full already is left as it is."""
    shelves: list[list[Whole]] = [[begun]] if begun is not None else []
    for whole in found:
        if shelves and chars_of(part for one in (*shelves[-1], whole) for part in one.parts) <= bound:
            shelves[-1].append(whole)
        else:
            shelves.append([whole])
    return [Planned(wholes=tuple(shelf), year=year) for shelf in shelves if shelf != [begun]]
