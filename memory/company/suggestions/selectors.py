"""What suggestions are made of, read in a bounded number of queries."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Q

from companion_site.accounts.models import Person
from memory.company.params import COMPANY
from memory.models import CompanyFact, Deadline, Suggestion

#: facts and deadlines that are looked at; compression keeps the first far below
MOST_FACTS = 200
MOST_DEADLINES = 50
#: What of a fact is looked at; whole rows take twice the time.
_SEEN = ("category", "content", "said_at", "confirmed_at", "expires_at")
#: Reasons after which the newer row is the same item as the older one.
_SAME_ITEM = (
    CompanyFact.Reason.RESTATED,
    CompanyFact.Reason.RENEWED,
    CompanyFact.Reason.SUMMARISED,
)
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


def read_facts(space: UUID, *, now: datetime) -> list[CompanyFact]:
    """Return what is believed at `now`, by category, the newest first."""
    rows = CompanyFact.objects.for_space(space).active(now).in_reading_order()
    return list(rows.only(*_SEEN)[:MOST_FACTS])


def read_deadlines(space: UUID, *, today: date) -> list[Deadline]:
    """Return what is due within the days that count as near, and not done."""
    rows = Deadline.objects.for_space(space).filter(done_at__isnull=True, due_on__gte=today)
    near = rows.filter(due_on__lte=today + COMPANY.deadline_within).order_by("due_on", "key")
    return list(near[:MOST_DEADLINES])


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


def find_given(
    space: UUID, person: Person, lines: Mapping[UUID, set[UUID]], deadlines: Sequence[Deadline]
) -> list[Suggestion]:
    """Return what this person was offered before of these items and deadlines."""
    items = set().union(*lines.values())
    about = Q(fact_id__in=items) | Q(deadline_id__in=[deadline.id for deadline in deadlines])
    return list(Suggestion.objects.for_space(space).filter(about, person=person))
