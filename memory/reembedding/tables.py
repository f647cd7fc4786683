"""The tables of vectors, what of each lacks the present model's, and which spaces have yet to cross over."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from companion_site.embeddings.service import present_model
from companion_site.jobs import enqueue
from companion_site.language import as_sentence
from companion_site.vault.models import Space
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import space_scope
from companion_site.vault.services import queue_or_await
from memory.models import (
    AgentNode,
    AgentVector,
    CompanyFact,
    CompanyFactVector,
    MemoryNode,
    MemoryVector,
    Pack,
    PackNode,
    PackVector,
)
from memory.nodes import text_of

TASK = "memory.reembedding.tasks.reembed_space"


@dataclass(frozen=True, kw_only=True)
class VectorTable:
    """One table of vectors and the items they belong to.

    Attributes:
        name: how progress calls it.
        kind: of the spaces whose items these are.
        items, vectors: the rows of a space, inside its scope; everywhere: all vectors' metadata, by the role that sees no content.
        item: the vectors' key to their item; column: where the vector stands.
        text: what of an item is embedded, as where the item is written.
        wanted: which items are to have a vector; those of history too, which an undo may bring back.
        versioned: items carry the space's version, by which copies in memory learn of the new vector.
        order: who comes first: what is believed, and of that the latest.
    """

    name: str
    kind: Space.Kind
    items: Callable[[UUID], QuerySet]
    vectors: Callable[[UUID], QuerySet]
    everywhere: Callable[[], QuerySet]
    item: str = "node"
    column: str = "vector"
    text: Callable[[Any], str | None] = attrgetter("content")
    wanted: Q = field(default_factory=Q)
    versioned: bool = False
    order: tuple[Any, ...] = ("-id",)

    def lacking(self, space: UUID, model: str) -> QuerySet:
        """Return the items of `space` without a vector of `model`. Inside the space's scope; needs no key."""
        there = self.vectors(space).filter(model=model, **{f"{self.item}_id": OuterRef("pk")})
        return self.items(space).filter(self.wanted).filter(~Exists(there))

    def foreign(self, space: UUID, model: str) -> QuerySet:
        """Return the vectors of `space` that other models made. Inside its scope."""
        return self.vectors(space).exclude(model=model)

    def row(self, space: UUID, item: UUID, model: str, vector: np.ndarray) -> SpaceModel:
        values = {f"{self.item}_id": item, self.column: vector}
        return self.vectors(space).model(space_id=space, model=model, dimension=len(vector), **values)


TABLES = (
    VectorTable(
        name="memories",
        kind=Space.Kind.PERSONAL,
        items=lambda space: MemoryNode.objects.for_space(space),
        vectors=lambda space: MemoryVector.objects.for_space(space),
        everywhere=lambda: MemoryVector.objects.using("metadata"),
        text=lambda row: as_sentence(row.content or ""),
        wanted=Q(content__isnull=False),
        versioned=True,
        order=(F("superseded_at").desc(nulls_first=True), F("removed_at").desc(nulls_first=True), "-id"),
    ),
    VectorTable(
        name="company facts",
        kind=Space.Kind.COMPANY,
        items=lambda space: CompanyFact.objects.for_space(space),
        vectors=lambda space: CompanyFactVector.objects.for_space(space),
        everywhere=lambda: CompanyFactVector.objects.using("metadata"),
        text=lambda row: as_sentence(row.content),
        item="fact",
        column="embedding",
        order=(F("superseded_at").desc(nulls_first=True), "-id"),
    ),
    VectorTable(
        name="agents' nodes",
        kind=Space.Kind.AGENT,
        items=lambda space: AgentNode.objects.for_space(space),
        vectors=lambda space: AgentVector.objects.for_space(space),
        everywhere=lambda: AgentVector.objects.using("metadata"),
        text=lambda row: text_of(row.content),
        wanted=Q(removed_at__isnull=True),
        versioned=True,
    ),
    VectorTable(
        name="packs' nodes",
        kind=Space.Kind.PACK,
        items=lambda space: PackNode.objects.for_space(space),
        vectors=lambda space: PackVector.objects.for_space(space),
        everywhere=lambda: PackVector.objects.using("metadata"),
        column="embedding",
        text=attrgetter("text"),
        order=("position",),
    ),
)


def table_of(space: UUID) -> VectorTable | None:
    """Return the table that a space's vectors are in. Inside its scope. A pack that is still coming in embeds itself."""
    kind = Space.objects.values_list("kind", flat=True).get(pk=space)
    if kind == Space.Kind.PACK and not Pack.objects.for_space(space).filter(state=Pack.State.READY).exists():
        return None
    return next((table for table in TABLES if table.kind == kind), None)


def awaits_reembedding(space: UUID) -> bool:
    """Tell whether `space` has yet to cross over to this site's embedding model. Inside its scope; needs no key."""
    table, model = table_of(space), present_model()
    return table is not None and (
        table.foreign(space, model).exists() or table.lacking(space, model).exists()
    )


def find_spaces(model: str) -> Iterator[Space]:
    """Yield the spaces that hold vectors of other models than `model`: all that were not yet taken over to it."""
    found: set[UUID] = set()
    for table in TABLES:
        foreign = table.everywhere().exclude(model=model).order_by()
        found |= set(foreign.values_list("space_id", flat=True).distinct())
    yield from Space.objects.filter(pk__in=found).order_by("pk").iterator()


def read_progress(model: str) -> Iterator[tuple[str, int, int]]:
    """Yield of each table its name and how many of the items with vectors have one of the model, of how many."""
    for table in TABLES:
        items = Count(f"{table.item}_id", distinct=True)
        done = Count(f"{table.item}_id", distinct=True, filter=Q(model=model))
        counted = table.everywhere().order_by().aggregate(total=items, done=done)
        yield table.name, counted["done"], counted["total"]


def queue_space(space: Space, *, now: datetime) -> None:
    """Queue one space's change of model: at once, or with the next key where it is sealed."""
    with space_scope(space.pk):
        if not awaits_reembedding(space.pk):
            return
        if space.sealed:
            queue_or_await(space.pk, now=now)
        else:
            enqueue(TASK, space.pk)
