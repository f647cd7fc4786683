"""What a company's memory holds at a moment, in numbers and by category, and what waits for an auditor's word."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet

from companion_site.vault.scope import space_scope
from memory.company.audit.facts import read_asked, read_facts
from memory.company.audit.filters import FactFilter, State, in_state
from memory.company.reconcile.undo import contradicted_by
from memory.models import CompanyFact, CompanyRefusal
from memory.querysets import READING_ORDER

#: Facts of one category on the overview, facts of one page of a list, flagged facts of one page.
MOST_SHOWN, PAGE_LENGTH, REVIEW_LENGTH = 10, 40, 20


def look_over(space: UUID, asked: FactFilter, *, at: datetime) -> dict[str, Any]:
    """Return what was believed at a moment, by category in the order of reading the newest, and how much of what else there was."""
    with space_scope(space):
        past = asked.as_of is not None
        believed = CompanyFact.objects.for_space(space).believed_at(at)
        totals = dict(believed.order_by().values_list("category").annotate(Count("pk")))
        newest = {
            category: believed.filter(category=category).order_by("-created_at", "-id")[:MOST_SHOWN]
            for category in READING_ORDER
        }
        sections = [
            {
                "category": category,
                "label": CompanyFact.Category(category).label,
                "total": totals.get(category, 0),
                "facts": read_asked(space, rows, asked, at=at),
            }
            for category, rows in newest.items()
        ]
        counts = {
            str(state): in_state(space, state, at=at).count() for state in (State.SUPERSEDED, State.EXPIRED)
        }
        flagged = in_state(space, State.FLAGGED, at=at, is_past=past).count()
        refused = CompanyRefusal.objects.for_space(space).filter(at__lte=at).count()
    believed = sum(totals.values())
    return {"sections": sections, "believed": believed, **counts, "flagged": flagged, "refused": refused}


def page_of_facts(space: UUID, asked: FactFilter, *, at: datetime, number: str | None) -> Page:
    """Return one page of the facts asked for, the newest first, as they stood at a moment."""
    with space_scope(space):
        rows = asked.facts_of(space, at=at).order_by("-created_at", "-id")
        page = Paginator(rows, PAGE_LENGTH).get_page(number)
        page.object_list = read_asked(space, page.object_list, asked, at=at)  # type: ignore[arg-type]  # a slice of the rows
    return page


def page_of_rows(space: UUID, rows: QuerySet, number: str | None) -> Page:
    """Return one page of other rows of the space, in the order they have."""
    with space_scope(space):
        page = Paginator(rows, PAGE_LENGTH).get_page(number)
        page.object_list = list(page.object_list)
    return page


def count_flagged(space: UUID, *, now: datetime) -> int:
    """Return how many facts wait for a review."""
    with space_scope(space):
        return in_state(space, State.FLAGGED, at=now).count()


def page_of_flagged(space: UUID, *, now: datetime, number: str | None) -> Page:
    """Return one page of what waits for a review, the longest waiting first, with what it contradicted."""
    with space_scope(space):
        rows = CompanyFact.objects.for_space(space)
        waiting = in_state(space, State.FLAGGED, at=now).order_by("flagged_at", "id")
        page = Paginator(waiting, REVIEW_LENGTH).get_page(number)
        flagged = read_facts(page.object_list, at=now)  # type: ignore[arg-type]  # a slice of the rows above
        against = contradicted_by(space, [fact.id for fact in flagged])
        old = read_facts(rows.filter(pk__in=list(against)).order_by("created_at", "id"), at=now)
    page.object_list = [
        replace(fact, joined=[one for one in old if against[one.id] == fact.id]) for fact in flagged
    ]
    return page
