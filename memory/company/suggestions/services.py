"""Offering a person what to take up, and remembering what they answered.

Offering is a few bounded queries and no model: it happens while a page opens. A fact's words stand in quotation marks,
shortened, as what they are: something that was said, and no instruction.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion_site.accounts.models import Person
from companion_site.errors import InvalidInput
from companion_site.language import sanitise
from companion_site.shortening import shorten
from companion_site.vault.scope import space_scope
from memory.company.params import COMPANY
from memory.company.reconcile.selectors import is_summary
from memory.company.suggestions.follow_ups import follow_up_of
from memory.company.suggestions.rules import (
    MOST_SHOWN,
    Candidate,
    Identity,
    find_candidates,
    label_of,
    last_at,
    read_matters,
)
from memory.company.summaries.plan import JOINT
from memory.models import CompanyFact, Deadline, Suggestion

State = Suggestion.State
#: what a person may answer
ANSWERS = (State.CHOSEN, State.SNOOZED, State.DISMISSED)


@dataclass(frozen=True, kw_only=True)
class Offer:
    """One suggestion as a page shows it."""

    id: UUID
    kind: str
    text: str
    message: str


def offer_suggestions(space: UUID, person: Person, *, now: datetime) -> list[Offer]:
    """Return what to offer a person now, the most urgent first; asked twice, it offers the same."""
    today = timezone.localdate(now)
    with space_scope(space):
        believed = CompanyFact.objects.for_space(space).active(now).in_reading_order()
        facts = list(believed.only(*_SEEN)[:MOST_FACTS])
        near = Q(done_at__isnull=True, due_on__range=(today, today + COMPANY.deadline_within))
        due = Deadline.objects.for_space(space).filter(near).order_by("due_on", "key")
        deadlines = list(due[:MOST_DEADLINES])
        candidates = find_candidates(facts, deadlines, now=now, today=today)
        lines = find_lines(space, {candidate.fact.id for candidate in candidates})
        items = set().union(*lines.values())
        about = Q(fact_id__in=items) | Q(deadline_id__in=[deadline.id for deadline in deadlines])
        given = list(Suggestion.objects.for_space(space).filter(about, person=person))
        open_ = [one for one in candidates if not _is_answered(one, lines, given, now)][:MOST_SHOWN]
        rows = _rows_of(space, person, open_, given, now)
    offers = []
    for one in open_:
        text, message = word_candidate(one, today=today)
        offers.append(Offer(id=rows[one.identity].pk, kind=one.kind, text=text, message=message))
    return offers


def answer_suggestion(space: UUID, person: Person, suggestion: UUID, *, answer: str, now: datetime) -> str:
    """Remember what a person answered; return the message that a chosen one stands for.

    The message is empty where there is nothing more to take up: what it was about has been settled meanwhile.

    Raises:
        NotFound: nothing of that id was offered to this person. InvalidInput: no such answer.
    """
    if answer not in ANSWERS:
        raise InvalidInput()
    with space_scope(space):
        rows = Suggestion.objects.for_space(space).filter(person=person, pk=suggestion)
        row = rows.select_for_update().find()
        row.state, row.answered_at = answer, now
        row.snoozed_until = now + COMPANY.snooze if answer == State.SNOOZED else None
        row.save(update_fields=["state", "answered_at", "snoozed_until"])
        return _message_of(row, now) if answer == State.CHOSEN else ""


def message_of_chosen(space: UUID, person: Person, suggestion: UUID, *, now: datetime) -> str:
    """Return the message that a suggestion chosen before stands for; empty if there is none."""
    with space_scope(space):
        rows = Suggestion.objects.for_space(space).filter(person=person, pk=suggestion, state=State.CHOSEN)
        row = rows.first()
        return _message_of(row, now) if row is not None else ""


def _is_answered(
    candidate: Candidate, lines: dict[UUID, set[UUID]], given: Iterable[Suggestion], now: datetime
) -> bool:
    """Tell whether the person has answered this, whatever row the item stood in then."""
    line = lines.get(candidate.fact.id, {candidate.fact.id})
    deadline = candidate.deadline.id if candidate.deadline else None
    same = (
        row
        for row in given
        if row.kind == candidate.kind and (row.deadline_id == deadline if deadline else row.fact_id in line)
    )
    return any(_holds(row, now) for row in same)


def _holds(row: Suggestion, now: datetime) -> bool:
    """Tell whether an answer keeps its suggestion away at `now`.

    What was chosen is away for good, but an open item that nobody has brought up since then is open still.
    """
    if row.state == State.SNOOZED:
        return row.snoozed_until is not None and row.snoozed_until > now
    if row.state == State.CHOSEN and row.kind == Suggestion.Kind.OPEN_ITEM:
        return row.answered_at is not None and now - row.answered_at <= COMPANY.open_item_after
    return row.state in (State.CHOSEN, State.DISMISSED)


def _rows_of(
    space: UUID, person: Person, candidates: Sequence[Candidate], given: Iterable[Suggestion], now: datetime
) -> dict[Identity, Suggestion]:
    """Return each offered candidate's row, made where there is none."""
    known = {(row.kind, row.fact_id, row.deadline_id): row for row in given}
    wanted = [candidate.identity for candidate in candidates]
    missing = [one for one in wanted if one not in known]
    rows = Suggestion.objects.for_space(space)
    if missing:
        made = [
            Suggestion(
                space_id=space, person=person, kind=kind, fact_id=fact, deadline_id=deadline, offered_at=now
            )
            for kind, fact, deadline in missing
        ]
        Suggestion.objects.bulk_create(made, ignore_conflicts=True)
        # Another tab may have been first: what counts is what stands there.
        stands = rows.filter(person=person, fact_id__in={fact for _, fact, _ in missing})
        known |= {(row.kind, row.fact_id, row.deadline_id): row for row in stands}
    for row in (known[one] for one in wanted):
        if row.state != State.OFFERED:
            # Offered again; an answer that another tab has given meanwhile stands.
            as_read = rows.filter(pk=row.pk, answered_at=row.answered_at)
            as_read.update(state=State.OFFERED, offered_at=now, snoozed_until=None)
    return known


def _message_of(row: Suggestion, now: datetime) -> str:
    """Return the message of a suggestion whose fact is believed and whose deadline is ahead; else nothing."""
    today = timezone.localdate(now)
    fact = CompanyFact.objects.for_space(row.space_id).active(now).filter(pk=row.fact_id).first()
    due = Deadline.objects.for_space(row.space_id).filter(done_at__isnull=True, due_on__gte=today)
    deadline = due.filter(pk=row.deadline_id).first()
    if fact is None or (row.deadline_id is not None and deadline is None):
        return ""
    _text, message = word_candidate(Candidate(kind=row.kind, fact=fact, deadline=deadline), today=today)
    return message


#: facts and deadlines that are looked at; compression keeps the first far below
MOST_FACTS = 200
MOST_DEADLINES = 50
#: What of a fact is looked at; whole rows take twice the time.
_SEEN = ("category", "content", "origin", "said_at", "confirmed_at", "expires_at")
#: Reasons after which the newer row is the same item as the older one.
_SAME_ITEM = (CompanyFact.Reason.RESTATED, CompanyFact.Reason.RENEWED, CompanyFact.Reason.SUMMARISED)
_LINES = """
WITH RECURSIVE line(fact, earlier) AS (
    SELECT id, id FROM company_memory WHERE space_id = %(space)s AND id = ANY(%(facts)s)
  UNION
    SELECT line.fact, before.id
    FROM line
    JOIN company_memory AS after ON after.space_id = %(space)s AND after.id = line.earlier
    JOIN company_memory AS before ON before.space_id = %(space)s AND (
        (before.superseded_by_id = after.id AND before.superseded_reason = ANY(%(same)s))
        OR before.id = after.restores_id
    )
)
SELECT fact, earlier FROM line
"""


def find_lines(space: UUID, facts: Iterable[UUID]) -> dict[UUID, set[UUID]]:
    """Return, for each fact, itself and the rows in which the same item stood before."""
    wanted = list(facts)
    found: defaultdict[UUID, set[UUID]] = defaultdict(set)
    if wanted:
        given: dict[str, Any] = {
            "space": space,
            "facts": wanted,
            "same": [str(reason) for reason in _SAME_ITEM],
        }
        with connection.cursor() as cursor:
            cursor.execute(_LINES, given)
            for fact, earlier in cursor.fetchall():
                found[fact].add(earlier)
    return found


#: characters of a fact, or of a deadline's name, that a suggestion quotes
MOST_QUOTED = 80
_MARKS = re.compile('["“”„‟«»`]')


def word_candidate(candidate: Candidate, *, today: date) -> tuple[str, str]:
    """Return the text of a chip, and the message that it puts into the text box."""
    fact, deadline = candidate.fact, candidate.deadline
    about = {"fact": quote(_last_part(candidate))}
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


def _last_part(candidate: Candidate) -> str:
    """Return what a fact says; of a summary the last of its parts that the suggestion has to do with, since the earlier ones may be over."""
    content = candidate.fact.content
    if not is_summary(candidate.fact):
        return content
    parts = content.split(JOINT)
    if candidate.deadline is not None:
        matters = read_matters(label_of(candidate.deadline))
        near = [part for part in parts if any(map(frozenset.intersection, matters, read_matters(part)))]
    else:
        near = [part for part in parts if follow_up_of(part) is not None]
    return (near or parts)[-1]


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
