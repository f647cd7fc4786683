"""When a company's memory is compressed: with too many facts, once a month, and when a year has ended."""

from datetime import datetime
from uuid import UUID

from django.db.models import Count

from companion_site.jobs import enqueue
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.company.params import COMPANY
from memory.company.summaries.plan import is_historical, year_of
from memory.company.summaries.selectors import read_whole
from memory.models import CompanyCompression, CompanyFact

_TRIGGER = CompanyCompression.Trigger
JOB = "memory.company.tasks.compress_company"


def find_trigger(space: UUID, *, now: datetime) -> CompanyCompression.Trigger | None:
    """Return why a company's memory is to be compressed at `now`; None where it is not. Inside the space's scope.

    What a compression has left is not too much until something is added to it.
    """
    active = CompanyFact.objects.for_space(space).active(now)
    count = active.count()
    last = last_compression(space)
    if count > max(COMPANY.most_active, last.after if last is not None else 0):
        return _TRIGGER.TOO_MANY
    first = CompanyFact.objects.for_space(space).order_by("created_at").values_list("created_at", flat=True)
    since = last.at if last is not None else first.first()
    if not count or since is None:
        return None
    if since + COMPANY.compress_every <= now:
        return _TRIGGER.MONTHLY
    if year_of(since) < year_of(now):
        decisions = active.filter(category=CompanyFact.Category.DECISION)
        for fact in decisions.exclude(origin=CompanyFact.Origin.ANNUAL):
            if is_historical(read_whole(space, fact), now=now):
                return _TRIGGER.ANNUAL
    return None


def last_compression(space: UUID) -> CompanyCompression | None:
    return CompanyCompression.objects.for_space(space).order_by("at", "id").last()


def queue_if_due(space: UUID, *, now: datetime) -> bool:
    """Queue a compression if one is due; called in the transaction that wrote facts, or by the clock."""
    with space_scope(space):
        due = find_trigger(space, now=now) is not None
        if due:
            enqueue(JOB, space)
    return due


def queue_all_due(*, now: datetime) -> int:
    """Queue the compressions that are due, in every company's space; return how many there are.

    Only companies are looked into that believe something, and too much or for a month without a compression; the turn of a
    year counts as a month. So many queries whatever the number of the others.
    """
    # Across spaces, so by the role that sees no content.
    believed = CompanyFact.objects.using("metadata").active(now).order_by().values_list("space_id")
    counts = dict(believed.annotate(Count("pk")))
    last_month = CompanyCompression.objects.using("metadata").filter(at__gt=now - COMPANY.compress_every)
    resting = {space for space, at in last_month.values_list("space_id", "at") if year_of(at) == year_of(now)}
    companies = Space.objects.filter(kind=Space.Kind.COMPANY, closed_at__isnull=True).order_by("pk")
    restless = [
        space
        for space in companies.values_list("pk", flat=True)
        if space in counts and (space not in resting or counts[space] > COMPANY.most_active)
    ]
    return sum(queue_if_due(space, now=now) for space in restless)
