"""Facts as the pages, the exports and the API show them, plain data as they stood at a moment, page by page and in numbers."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import CharField, Count, QuerySet, Value
from django.db.models.functions import Cast, Coalesce

from companion_site.vault.scope import space_scope
from memory.company.audit.filters import FactFilter, State, in_state
from memory.company.facts import present_confidence
from memory.company.reconcile.selectors import INTO_SUMMARY
from memory.company.reconcile.undo import contradicted_by
from memory.models import CompanyEvent, CompanyFact, CompanyRefusal
from memory.querysets import READING_ORDER, FactQuerySet

_Kind = CompanyEvent.Kind
#: What changes a row beside its end, so that the row does not tell any more how it was before.
_REWRITING = (_Kind.CONFIRMED, _Kind.FLAGGED, _Kind.REVIEWED, _Kind.DOUBTED, _Kind.CLEARED)


@dataclass(frozen=True, kw_only=True)
class ShownFact:
    """One fact as it stood at the moment `at`; what came later is told as what came later.

    Attributes:
        said_by_name, superseded_actor_name, reviewed_by_name: empty for the companion itself.
        joined: other facts whose place it took: in a chain beside the one before it, in a review those it contradicted.
    """

    id: UUID
    category: str
    origin: str
    content: str
    language: str
    confidence: float
    created_at: datetime
    confirmed_at: datetime
    confirmations: int
    expires_at: datetime | None
    superseded_at: datetime | None
    superseded_by_id: UUID | None
    superseded_reason: str
    restores_id: UUID | None
    doubted_by_id: UUID | None
    doubted_since: datetime | None
    flagged_at: datetime | None
    reviewed_at: datetime | None
    source_conversation_id: UUID | None
    source_message_id: UUID | None
    said_by_id: UUID | None
    said_at: datetime
    extraction_id: UUID | None
    at: datetime
    said_by_name: str = ""
    superseded_actor_name: str = ""
    reviewed_by_name: str = ""
    joined: Sequence["ShownFact"] = ()

    @property
    def state(self) -> str:
        """What had become of it by then: believed, superseded or expired."""
        if self.superseded_at is not None and self.superseded_at <= self.at:
            return State.SUPERSEDED
        if self.expires_at is not None and self.expires_at <= self.at:
            return State.EXPIRED
        return State.ACTIVE

    @property
    def is_flagged(self) -> bool:
        """Whether it waited for a review then."""
        return self.flagged_at is not None and self.state == State.ACTIVE

    @property
    def is_doubted(self) -> bool:
        """Whether something said later probably took its place; the parts of a summary are believed by it."""
        stands = self.state == State.ACTIVE or self.superseded_reason in INTO_SUMMARY
        return self.doubted_since is not None and stands

    @property
    def state_label(self) -> str:
        return str(State(self.state).label)

    @property
    def category_label(self) -> str:
        return str(CompanyFact.Category(self.category).label)

    @property
    def origin_label(self) -> str:
        return str(CompanyFact.Origin(self.origin).label)

    @property
    def reason_label(self) -> str:
        return str(CompanyFact.Reason(self.superseded_reason).label) if self.superseded_reason else ""

    @property
    def present_confidence(self) -> float:
        """How sure the companion was then, or when it ceased to believe it: what is not confirmed fades."""
        ends = [end for end in (self.superseded_at, self.expires_at) if end is not None]
        return present_confidence(self.confidence, self.confirmed_at, min([self.at, *ends]), self.category)

    @property
    def percent(self) -> int:
        return round(100 * self.present_confidence)


#: Columns of a row that pages show as they are, and the names of people: their id where somebody is gone.
COLUMNS = [field.name for field in fields(ShownFact) if field.default is MISSING and field.name != "at"]
_NAMES = {
    f"{who}_name": Coalesce(f"{who}__display_name", Cast(f"{who}_id", CharField()), Value(""))
    for who in ("said_by", "superseded_actor", "reviewed_by")
}


def show_facts(rows: FactQuerySet, *, at: datetime) -> list[ShownFact]:
    """Return the rows of a queryset as they stand now, seen from a moment; inside the scope of its space."""
    return [ShownFact(**row, at=at) for row in rows.values(*COLUMNS, **_NAMES)]


def show_asked(space: UUID, rows: FactQuerySet, asked: FactFilter, *, at: datetime) -> list[ShownFact]:
    """Return the rows of a queryset as they are, or as they were where a moment is asked for; inside the scope."""
    facts = show_facts(rows, at=at)
    return as_it_was(space, facts, at=at) if asked.as_of else facts


def as_it_was(space: UUID, facts: Sequence[ShownFact], *, at: datetime) -> list[ShownFact]:
    """Return facts with what their rows have forgotten since a moment, told from their events; inside the scope.

    A confirmation raises the confidence and moves the expiry, a review takes the flag away. A fact to which neither
    has happened since stands in its row as it was.
    """
    events = CompanyEvent.objects.for_space(space).filter(fact_id__in=[fact.id for fact in facts])
    since: dict[UUID, Counter[str]] = defaultdict(Counter)
    for fact, kind in events.filter(at__gt=at, kind__in=_REWRITING).values_list("fact_id", "kind"):
        since[fact][kind] += 1
    told = events.filter(at__lte=at, fact_id__in=list(since))
    latest: dict[UUID, dict[str, CompanyEvent]] = defaultdict(dict)
    told = told.select_related("actor").order_by("fact_id", "kind", "-at", "-id")
    for event in told.distinct("fact_id", "kind"):
        latest[event.fact_id][event.kind] = event
    return [
        _as_told(fact, latest[fact.id], confirmed=since[fact.id][_Kind.CONFIRMED])
        if fact.id in since
        else fact
        for fact in facts
    ]


def _as_told(fact: ShownFact, latest: Mapping[str, CompanyEvent], *, confirmed: int) -> ShownFact:
    """Return a fact as the latest events of each kind tell it, so many confirmations ago."""
    sure = latest.get(_Kind.CONFIRMED) or latest.get(_Kind.BELIEVED)
    if confirmed and sure is not None and sure.confidence is not None:
        fact = replace(
            fact,
            confidence=sure.confidence,
            expires_at=sure.expires_at,
            confirmed_at=sure.at,
            confirmations=fact.confirmations - confirmed,
        )
    flagged, reviewed = latest.get(_Kind.FLAGGED), latest.get(_Kind.REVIEWED)
    doubted, cleared = latest.get(_Kind.DOUBTED), latest.get(_Kind.CLEARED)
    if flagged and reviewed and reviewed.at >= flagged.at:
        flagged = None
    if doubted and cleared and (cleared.at, cleared.pk) > (doubted.at, doubted.pk):
        doubted = None
    return replace(
        fact,
        flagged_at=flagged.at if flagged else None,
        reviewed_at=reviewed.at if reviewed else None,
        reviewed_by_name=reviewed.actor_name if reviewed else "",
        doubted_by_id=doubted.other_id if doubted else None,
        doubted_since=doubted.since if doubted else None,
    )


def people_heard(space: UUID) -> dict[UUID, str]:
    """Return everybody whose words are in a company's memory, by name."""
    with space_scope(space):
        said = CompanyFact.objects.for_space(space).filter(said_by__isnull=False).order_by()
        named = list(said.values_list("said_by_id", _NAMES["said_by_name"]).distinct())
    return dict(sorted(named, key=lambda entry: (entry[1].casefold(), str(entry[0]))))


#: Facts of one category on the overview, facts of one page of a list, flagged facts of one page.
MOST_SHOWN, PAGE_LENGTH, REVIEW_LENGTH = 10, 40, 20


def look_over(space: UUID, asked: FactFilter, *, at: datetime) -> dict[str, Any]:
    """Return what was believed at a moment, by category in the order of reading what was said last, and how much of what else there was."""
    with space_scope(space):
        past = asked.as_of is not None
        believed = CompanyFact.objects.for_space(space).believed_at(at)
        totals = dict(believed.order_by().values_list("category").annotate(Count("pk")))
        newest = {
            category: believed.filter(category=category).order_by("-said_at", "-id")[:MOST_SHOWN]
            for category in READING_ORDER
        }
        sections = [
            {
                "category": category,
                "label": CompanyFact.Category(category).label,
                "total": totals.get(category, 0),
                "facts": show_asked(space, rows, asked, at=at),
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


def page_of(
    space: UUID,
    rows: QuerySet,
    number: str | None,
    *,
    show: Callable[[Any], list] = list,
    length: int = PAGE_LENGTH,
) -> Page:
    """Return one page of rows of the space in the order they have, as `show` shows them."""
    with space_scope(space):
        page = Paginator(rows, length).get_page(number)
        page.object_list = show(page.object_list)
    return page


def page_of_facts(space: UUID, asked: FactFilter, *, at: datetime, number: str | None) -> Page:
    """Return one page of the facts asked for, what was said last first, as they stood at a moment."""
    rows = asked.facts_of(space, at=at).order_by("-said_at", "-id")
    return page_of(space, rows, number, show=lambda page: show_asked(space, page, asked, at=at))


def count_flagged(space: UUID, *, now: datetime) -> int:
    """Return how many facts wait for a review."""
    with space_scope(space):
        return in_state(space, State.FLAGGED, at=now).count()


def page_of_flagged(space: UUID, *, now: datetime, number: str | None) -> Page:
    """Return one page of what waits for a review, the longest waiting first, with what it contradicted."""

    def show(page: FactQuerySet) -> list[ShownFact]:
        flagged = show_facts(page, at=now)
        against = contradicted_by(space, [fact.id for fact in flagged])
        rows = CompanyFact.objects.for_space(space).filter(pk__in=list(against))
        old = show_facts(rows.order_by("created_at", "id"), at=now)
        return [replace(fact, joined=[one for one in old if against[one.id] == fact.id]) for fact in flagged]

    waiting = in_state(space, State.FLAGGED, at=now).order_by("flagged_at", "id")
    return page_of(space, waiting, number, show=show, length=REVIEW_LENGTH)
