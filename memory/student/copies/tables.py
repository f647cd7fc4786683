"""What a copy holds: tables and their columns, in an order in which rows refer to earlier tables only."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.db import models

from companion_site.vault.rows import SpaceModel
from ledger.models import LedgerEntry
from memory.models import (
    Contradiction,
    Entity,
    EntityMention,
    LifeFact,
    MemoryChange,
    MemoryEdge,
    MemoryNode,
    MemorySource,
)
from memory.student.life.kinds import KINDS

FORMAT, VERSION = "companion-memory", 1
#: made anew where a copy is taken in, or about work on this machine
LEFT_OUT = frozenset({"space", "version", "content_hash", "run", "sleep"})
#: beside its columns: the words of a message that a memory came from
QUOTE = "quote"


@dataclass(frozen=True)
class Table:
    """The rows of one kind.

    Attributes:
        once: columns in which no two rows of a memory are alike; None: any may be.
    """

    name: str
    model: type[SpaceModel]
    once: tuple[str, ...] | None = None

    @cached_property
    def fields(self) -> Mapping[str, models.Field]:
        """The columns of a row in a copy, by their names there."""
        columns = (field for field in self.model._meta.concrete_fields if field.name not in LEFT_OUT)
        return {field.attname: field for field in columns}

    @cached_property
    def own_keys(self) -> Mapping[str, models.ForeignKey]:
        """Those that point to rows of the same table."""
        return {
            name: field
            for name, field in self.fields.items()
            if isinstance(field, models.ForeignKey) and field.related_model is self.model
        }


TABLES = (
    Table("memories", MemoryNode),
    Table("sources", MemorySource, ("node_id", "kind", "source_id", "start")),
    Table("entities", Entity),
    Table("mentions", EntityMention, ("node_id", "entity_id")),
    Table("edges", MemoryEdge, ("source_id", "target_id", "type")),
    Table("changes", MemoryChange),
    Table("contradictions", Contradiction, ("earlier_id", "later_id")),
    Table("life_facts", LifeFact, ("node_id", "kind")),
    Table("ledger", LedgerEntry, ("entry_id", "revision")),
    *(Table(kind.name, kind.model, kind.once) for kind in KINDS),
)


def encode(value: Any) -> str:
    """Return a value of a row, or a row, as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: Any) -> str:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)
