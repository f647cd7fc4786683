"""Which facts stand, and in whose words: those of memories that are believed, or that became part of one that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from companion_site.vault.boxes import Place
from companion_site.vault.keyring import key_of
from companion_site.vault.rows import SpaceModel
from memory.algorithms.coming import Coming
from memory.life.facts.reading import DONE, recover
from memory.models import LifeFact, MemoryNode

#: how often a memory may have become part of another one before it is given up
LONGEST_WAY = 32


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


def standing(space: UUID) -> QuerySet[LifeFact]:
    """Return the facts that may stand: none of what was superseded, forgotten or let go of."""
    rows = LifeFact.objects.for_space(space).filter(node__superseded_at__isnull=True)
    rows = rows.filter(Q(node__removed_at__isnull=True) | Q(node__merged_into__isnull=False))
    return rows.annotate(gone_at=F("node__removed_at"), became=F("node__merged_into_id"))


def newest_of_each_kind(rows: QuerySet[LifeFact], most: int) -> QuerySet[LifeFact]:
    """Return the newest rows of each kind, the newest first: much of one kind does not push out what there is little of."""
    newest = Window(RowNumber(), partition_by=F("kind"), order_by=[F("noted_at").desc(), F("id").desc()])
    return rows.annotate(place=newest).filter(place__lte=most).order_by("-noted_at", "-id")


def find_facts(space: UUID, rows: QuerySet[LifeFact]) -> list[Fact]:
    """Return the facts of `standing` rows that do stand, in their order and without their words.

    Inside the space's scope and unlocked; one query more for each step that a memory went on into others.
    """
    columns = ("pk", "kind", "detail", "noted_at", "closed_at", "node_id", "gone_at", "became")
    found = list(rows.values_list(*columns))
    holds = _follow(space, {node: became for *_, node, gone_at, became in found if gone_at is not None})
    open_detail = _opener(space, LifeFact, "detail")
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


def word_facts(space: UUID, facts: Sequence[Fact]) -> list[Fact]:
    """Return facts with their words, by one query; what two of them tell alike is told once. Inside the space's scope."""
    nodes = {node for fact in facts for node in (fact.told_by, fact.node)}
    rows = MemoryNode.objects.for_space(space).filter(pk__in=nodes, content__isnull=False)
    boxes = dict(rows.values_list("pk", "content")) if nodes else {}
    open_content = _opener(space, MemoryNode, "content")
    found: dict[tuple[str, UUID, object], Fact] = {}
    for fact in facts:
        node = next((node for node in (fact.told_by, fact.node) if node in boxes), None)
        if node is not None:
            text = open_content(node, boxes[node])
            told = fact.when if fact.when.is_said else text
            found.setdefault((fact.kind, fact.node, told), replace(fact, text=text))
    return list(found.values())


def settle_facts(space: UUID, rows: QuerySet[LifeFact]) -> list[Fact]:
    """Return the facts of `standing` rows that do stand, in their order, in the person's words."""
    return word_facts(space, find_facts(space, rows))


def _opener(space: UUID, model: type[SpaceModel], name: str) -> Callable[[UUID, bytes], Any]:
    """Return what opens one sealed column: a row of the model would cost more than opening its one box."""
    key = key_of(space)
    field: Any = model._meta.get_field(name)
    return lambda pk, box: field.decode(key.open(box, Place(space, model._meta.db_table, pk, field.attname)))


def _follow(space: UUID, gone: Mapping[UUID, UUID]) -> dict[UUID, UUID]:
    """Return the memory that each one became by now; those are left out that became nothing that is believed.

    Args:
        gone: what each memory that is gone became at first.
    """
    ahead, found = dict(gone), dict[UUID, UUID]()
    for _ in range(LONGEST_WAY):
        if not ahead:
            break
        rows = MemoryNode.objects.for_space(space).filter(
            pk__in=set(ahead.values()), superseded_at__isnull=True
        )
        known = {
            pk: (removed, into)
            for pk, removed, into in rows.values_list("pk", "removed_at", "merged_into_id")
        }
        following = {}
        for node, at in ahead.items():
            removed, into = known.get(at, (True, None))
            if removed is None:
                found[node] = at
            elif into is not None:
                following[node] = into
        ahead = following
    return found
