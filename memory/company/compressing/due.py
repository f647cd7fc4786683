"""When a company's memory is compressed: with too many facts, once a month, and when a year has ended."""

from datetime import datetime
from uuid import UUID

from companion_site.jobs import enqueue
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.company.compressing.annual import is_historical, year_of
from memory.company.compressing.reading import read_whole
from memory.company.params import COMPANY, CompanyParams
from memory.models import CompanyCompression, CompanyFact
from memory.querysets import FactQuerySet

_TRIGGER = CompanyCompression.Trigger
JOB = "memory.company.tasks.compress_company"


def find_trigger(
    space: UUID, *, now: datetime, params: CompanyParams = COMPANY
) -> CompanyCompression.Trigger | None:
    """Return why a company's memory is to be compressed at `now`; None where it is not. Inside the space's scope.

    What a compression has left is not too much until something is added to it.
    """
    active = CompanyFact.objects.for_space(space).active(now)
    count = active.count()
    last = last_compression(space)
    if count > max(params.most_active, last.after if last is not None else 0):
        return _TRIGGER.TOO_MANY
    since = last.at if last is not None else _first_believed(space)
    if not count or since is None:
        return None
    if since + params.compress_every <= now:
        return _TRIGGER.MONTHLY
    if year_of(since) < year_of(now) and _holds_history(space, active, now=now, params=params):
        return _TRIGGER.ANNUAL
    return None


def last_compression(space: UUID) -> CompanyCompression | None:
    return CompanyCompression.objects.for_space(space).order_by("at", "id").last()


def queue_if_due(space: UUID, *, now: datetime, params: CompanyParams = COMPANY) -> bool:
    """Queue a compression if one is due; called in the transaction that wrote facts, or by the clock."""
    with space_scope(space):
        due = find_trigger(space, now=now, params=params) is not None
        if due:
            enqueue(JOB, space)
    return due


def queue_all_due(*, now: datetime) -> int:
    """Queue the compressions that are due, in every company's space; return how many there are."""
    companies = Space.objects.filter(kind=Space.Kind.COMPANY, closed_at__isnull=True).order_by("pk")
    return sum(queue_if_due(space, now=now) for space in companies.values_list("pk", flat=True))


def _first_believed(space: UUID) -> datetime | None:
    rows = CompanyFact.objects.for_space(space).order_by("created_at")
    return rows.values_list("created_at", flat=True).first()


def _holds_history(space: UUID, active: FactQuerySet, *, now: datetime, params: CompanyParams) -> bool:
    decisions = active.filter(category=CompanyFact.Category.DECISION)
    return any(is_historical(read_whole(space, fact), now=now, params=params) for fact in decisions)
