"""Offering a person what to take up, and remembering what they answered.

Offering is a few bounded queries and no model: it happens while a page opens.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from companion_site.accounts.models import Person
from companion_site.errors import InvalidInput, NotFound
from companion_site.vault.scope import space_scope
from memory.company.params import COMPANY
from memory.company.suggestions.rules import MOST_SHOWN, Candidate, Identity, find_candidates
from memory.company.suggestions.selectors import find_given, find_lines, read_deadlines, read_facts
from memory.company.suggestions.wording import word_candidate
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
        facts, deadlines = read_facts(space, now=now), read_deadlines(space, today=today)
        candidates = find_candidates(facts, deadlines, now=now, today=today)
        lines = find_lines(space, {candidate.fact.id for candidate in candidates})
        given = find_given(space, person, lines, deadlines)
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
        row = rows.select_for_update().first()
        if row is None:
            raise NotFound()
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
