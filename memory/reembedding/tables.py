"""The tables of vectors, and what of each lacks the present model's."""

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from companion_site.embeddings.service import present_model
from companion_site.vault.models import Space
from companion_site.vault.rows import SpaceModel
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
from memory.nodes.wire import text_of


@dataclass(frozen=True, kw_only=True)
class VectorTable:
    """One table of vectors and the items they belong to.

    Attributes:
        name: how progress calls it.
        kind: of the spaces whose items these are.
        item: the vectors' key to their item; column: where the vector stands.
        text: what of an item is embedded, as where the item is written.
        wanted: which items are to have a vector; those of history too, which an undo may bring back.
        versioned: items carry the space's version, by which copies in memory learn of the new vector.
        order: who comes first: what is believed, and of that the latest.
    """

    name: str
    kind: Space.Kind
    items_model: type[SpaceModel]
    vectors_model: type[SpaceModel]
    item: str = "node"
    column: str = "vector"
    text: Callable[[Any], str | None] = attrgetter("content")
    wanted: Q = field(default_factory=Q)
    versioned: bool = False
    order: tuple[Any, ...] = ("-id",)

    def items(self, space: UUID) -> QuerySet:
        return self.items_model.objects.for_space(space)

    def vectors(self, space: UUID) -> QuerySet:
        return self.vectors_model.objects.for_space(space)

    def everywhere(self) -> QuerySet:
        """Return all vectors' metadata, by the role that sees no content."""
        return self.vectors_model.objects.using("metadata").order_by()

    def lacking(self, space: UUID, model: str) -> QuerySet:
        """Return the items of `space` without a vector of `model`. Inside the space's scope; needs no key."""
        there = self.vectors(space).filter(model=model, **{f"{self.item}_id": OuterRef("pk")})
        return self.items(space).filter(self.wanted).filter(~Exists(there))

    def foreign(self, space: UUID, model: str) -> QuerySet:
        """Return the vectors of `space` that other models made. Inside its scope."""
        return self.vectors(space).exclude(model=model)

    def row(self, space: UUID, item: UUID, model: str, vector: np.ndarray) -> SpaceModel:
        values = {f"{self.item}_id": item, self.column: vector, "model": model, "dimension": len(vector)}
        return self.vectors_model(space_id=space, **values)


_BELIEVED_FIRST = F("superseded_at").desc(nulls_first=True)
TABLES = (
    VectorTable(
        name="memories",
        kind=Space.Kind.PERSONAL,
        items_model=MemoryNode,
        vectors_model=MemoryVector,
        wanted=Q(content__isnull=False),
        versioned=True,
        order=(_BELIEVED_FIRST, F("removed_at").desc(nulls_first=True), "-id"),
    ),
    VectorTable(
        name="company facts",
        kind=Space.Kind.COMPANY,
        items_model=CompanyFact,
        vectors_model=CompanyFactVector,
        item="fact",
        column="embedding",
        order=(_BELIEVED_FIRST, "-id"),
    ),
    VectorTable(
        name="agents' nodes",
        kind=Space.Kind.AGENT,
        items_model=AgentNode,
        vectors_model=AgentVector,
        text=lambda row: text_of(row.content),
        wanted=Q(removed_at__isnull=True),
        versioned=True,
    ),
    VectorTable(
        name="packs' nodes",
        kind=Space.Kind.PACK,
        items_model=PackNode,
        vectors_model=PackVector,
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
