"""Which facts stand, and in whose words: those of memories that are believed, or that became part of one that is."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from companion_site.vault.columns import opener
from companion_site.vault.rows import SpaceQuerySet
from memory.algorithms.reminders import Coming
from memory.models import LifeFact, MemoryNode
from memory.student.life.facts.extraction import DONE, recover
from memory.student.store import follow_merged

#: so many facts are read as they are, and counted by kind here: a window over them costs the database call twice as much
FEW = 100
#: what is read of a fact's row
COLUMNS = ("pk", "kind", "detail", "noted_at", "closed_at", "node_id", "gone_at", "became")
_Row = tuple[Any, ...]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One fact that stands.

    Attributes:
        told_by: the memory whose words tell it.
        node: the memory that holds now: the same one, or what it became part of.
        text: the words that tell it, or, where those are gone, those of the memory that holds; "" until they are looked up.
        closed_at: never to be brought up again since then.
        done_at: of what comes again, when it was done last.
    """

    id: UUID
    kind: str
    told_by: UUID
    node: UUID
    when: Coming
    noted_at: datetime
    closed_at: datetime | None
    done_at: datetime | None
    text: str = ""


def standing(space: UUID) -> SpaceQuerySet:
    """Return the facts that may stand: none of what was superseded, forgotten or let go of."""
    rows = LifeFact.objects.for_space(space).filter(node__superseded_at__isnull=True)
    rows = rows.filter(Q(node__removed_at__isnull=True) | Q(node__merged_into__isnull=False))
    return rows.annotate(gone_at=F("node__removed_at"), became=F("node__merged_into_id"))


def find_facts(space: UUID, rows: QuerySet[LifeFact]) -> list[Fact]:
    """Return the facts of `standing` rows that do stand, in their order and without their words.

    Inside the space's scope and unlocked; one query more for each step that a memory went on into others.
    """
    return _settle(space, list(rows.values_list(*COLUMNS)))


def find_newest(space: UUID, rows: QuerySet[LifeFact], most: Mapping[str, int]) -> list[Fact]:
    """Return the newest facts of some kinds as `find_facts` does, the newest first, by one query where there are few.

    Args:
        most: of each kind that is wanted so many: much of one does not push out what there is little of.
    """
    rows = rows.filter(kind__in=list(most)).order_by("-noted_at", "-id")
    found = list(rows.values_list(*COLUMNS)[: FEW + 1])
    if len(found) <= FEW:
        return _settle(space, keep_newest(found, most, kind_of=itemgetter(1)))
    newest = Window(RowNumber(), partition_by=F("kind"), order_by=[F("noted_at").desc(), F("id").desc()])
    within = Q()
    for bound in sorted(set(most.values())):
        within |= Q(kind__in=[kind for kind in most if most[kind] == bound], place__lte=bound)
    return find_facts(space, rows.annotate(place=newest).filter(within))


def keep_newest(found: Iterable[T], most: Mapping[str, int], *, kind_of: Callable[[T], str]) -> list[T]:
    """Return the first few of each kind, in their order; none of a kind that is not asked for."""
    counts: Counter[str] = Counter()
    kept = []
    for one in found:
        counts[kind_of(one)] += 1
        if counts[kind_of(one)] <= most.get(kind_of(one), 0):
            kept.append(one)
    return kept


def _settle(space: UUID, found: Sequence[_Row]) -> list[Fact]:
    holds = follow_merged(space, {node: became for *_, node, gone_at, became in found if gone_at is not None})
    open_detail = opener(space, LifeFact, "detail")
    facts = []
    for pk, kind, box, noted_at, closed_at, told_by, gone_at, _ in found:
        node = told_by if gone_at is None else holds.get(told_by)
        if node is None:
            continue
        detail = open_detail(pk, box)
        facts.append(
            Fact(
                id=pk,
                kind=kind,
                told_by=told_by,
                node=node,
                when=recover(detail),
                noted_at=noted_at,
                closed_at=closed_at,
                done_at=datetime.fromisoformat(detail[DONE]) if DONE in detail else None,
            )
        )
    return facts


def words_of(space: UUID, facts: Sequence[Fact]) -> dict[UUID, str]:
    """Return the words of the memories that tell facts, by memory, by one query. Inside the space's scope."""
    nodes = {node for fact in facts for node in (fact.told_by, fact.node)}
    if not nodes:
        return {}
    rows = MemoryNode.objects.for_space(space).filter(pk__in=nodes, content__isnull=False)
    open_content = opener(space, MemoryNode, "content")
    return {pk: open_content(pk, box) for pk, box in rows.values_list("pk", "content")}


def word_facts(facts: Sequence[Fact], words: Mapping[UUID, str]) -> list[Fact]:
    """Return facts with their words; what two of them tell alike is told once."""
    found: dict[tuple[str, UUID, object], Fact] = {}
    for fact in facts:
        node = next((node for node in (fact.told_by, fact.node) if node in words), None)
        if node is not None:
            text = words[node]
            told = fact.when if fact.when.is_said else text
            found.setdefault((fact.kind, fact.node, told), replace(fact, text=text))
    return list(found.values())


def settle_facts(space: UUID, rows: QuerySet[LifeFact]) -> list[Fact]:
    """Return the facts of `standing` rows that do stand, in their order, in the person's words."""
    facts = find_facts(space, rows)
    return word_facts(facts, words_of(space, facts))
