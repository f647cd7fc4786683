"""One fact's chain: what it took the place of, what took its place, and what happened to it, in order."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from companion_site.errors import NotFound
from companion_site.vault.scope import space_scope
from memory.company.audit.facts import ShownFact, show_facts
from memory.models import CompanyEvent, CompanyFact
from memory.querysets import FactQuerySet

#: Links followed to either side, other facts shown that gave way to a chain, and events shown of one fact.
MOST_LINKS, MOST_JOINED, MOST_EVENTS = 100, 200, 300


@dataclass(frozen=True, kw_only=True)
class FactChain:
    """A fact between what came before it and what came after, the earliest first.

    Attributes:
        links: each with the others whose place it took as well, such as the members of a summary.
        is_cut: there is more to one side than is shown.
        events: the last of them; `events_total` are kept.
    """

    fact: ShownFact
    links: Sequence[ShownFact]
    doubting: ShownFact | None = None
    events: Sequence[CompanyEvent] = field(default=())
    events_total: int = 0
    is_cut: bool = False

    @property
    def head(self) -> ShownFact:
        """What the chain ends in."""
        return self.links[-1]


def chain_around(space: UUID, fact_id: UUID, *, at: datetime) -> FactChain:
    """Return a fact's chain. Raises NotFound: the space has no such fact."""
    with space_scope(space):
        reader = _Reader(CompanyFact.objects.for_space(space), at)
        fact = reader.one(fact_id)
        if fact is None:
            raise NotFound()
        earlier = list(reader.earlier(fact))
        later = list(reader.later([*earlier[::-1], fact]))
        path = [*earlier[::-1], fact, *later]
        joined = reader.joined(path)
        doubting = reader.one(fact.doubted_by_id) if fact.is_doubted else None
        happened = CompanyEvent.objects.for_space(space).filter(fact_id=fact_id)
        total = happened.count()
        events = list(happened.select_related("actor").order_by("-at", "-id")[:MOST_EVENTS])[::-1]
    return FactChain(
        fact=fact,
        links=[replace(one, joined=joined.get(one.id, ())) for one in path],
        doubting=doubting,
        events=events,
        events_total=total,
        is_cut=MOST_LINKS in (len(earlier), len(later)),
    )


class _Reader:
    """Walks from row to row of one space; inside its scope."""

    def __init__(self, rows: FactQuerySet, at: datetime) -> None:
        self._rows, self._at = rows, at

    def one(self, fact_id: UUID | None) -> ShownFact | None:
        found = show_facts(self._rows.filter(pk=fact_id), at=self._at) if fact_id else []
        return found[0] if found else None

    def earlier(self, fact: ShownFact) -> Iterator[ShownFact]:
        """Yield what stood before a fact, the nearest first, until there was nothing or several at once."""
        seen = {fact.id}
        for _link in range(MOST_LINKS):
            before = show_facts(self._rows.filter(superseded_by_id=fact.id).order_by("id")[:2], at=self._at)
            if not before and fact.restores_id:
                before = show_facts(self._rows.filter(pk=fact.restores_id), at=self._at)
            if len(before) != 1 or before[0].id in seen:
                return
            fact = before[0]
            seen.add(fact.id)
            yield fact

    def later(self, path: list[ShownFact]) -> Iterator[ShownFact]:
        """Yield what took the place of the last of `path`, and of that, until what stands at the end."""
        seen = {fact.id for fact in path}
        for _link in range(MOST_LINKS):
            fact = self._after(path[-1], seen)
            if fact is None or fact.id in seen:
                return
            path.append(fact)
            seen.add(fact.id)
            yield fact

    def _after(self, fact: ShownFact, seen: set[UUID]) -> ShownFact | None:
        """Return what took a fact's place. Where that was an undoing, what it brought back of this chain's own words."""
        if fact.superseded_reason == CompanyFact.Reason.UNDONE:
            restored = self._rows.filter(restores_id__in=seen).exclude(pk__in=seen)
            own = show_facts(
                restored.filter(created_at__gte=fact.superseded_at).order_by("id")[:1], at=self._at
            )
            if own:
                return own[0]
        return self.one(fact.superseded_by_id)

    def joined(self, path: Sequence[ShownFact]) -> Mapping[UUID, Sequence[ShownFact]]:
        """Return, for each fact of a chain, the others whose place it took, at most so many in all."""
        chain = [fact.id for fact in path]
        others = self._rows.filter(superseded_by_id__in=chain).exclude(pk__in=chain)
        found: dict[UUID, list[ShownFact]] = defaultdict(list)
        for fact in show_facts(others.order_by("created_at", "id")[:MOST_JOINED], at=self._at):
            found[fact.superseded_by_id].append(fact)  # type: ignore[index]  # it was superseded
        return found


def events_of(space: UUID, facts: Sequence[UUID], *, until: datetime) -> Mapping[UUID, list[CompanyEvent]]:
    """Return what happened to each fact until a moment, in order."""
    events: dict[UUID, list[CompanyEvent]] = defaultdict(list)
    with space_scope(space):
        rows = CompanyEvent.objects.for_space(space).filter(fact_id__in=facts, at__lte=until)
        for row in rows.select_related("actor").order_by("at", "id"):
            events[row.fact_id].append(row)
    return events
