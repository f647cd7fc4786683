"""Taking a copy into a memory: all that is new in it or nothing, and nothing twice.

A copy keeps its ids in the memory it was made of. In another each gets one that only these two memories make of it, whichever
way and however often a copy goes, so that what is known already is known by its id.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, NoReturn
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models
from django.utils.translation import gettext_lazy as _

from companion_site.audit.services import record_event
from companion_site.errors import InvalidInput
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.columns import set_each
from companion_site.vault.fields import SealedField, SealedJSONField
from companion_site.vault.keyring import hash_words
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import write_scope
from companion_site.vault.services import await_key, bump_version, resume_work
from ledger.models import LedgerEntry
from memory.models import Entity, MemoryNode
from memory.student.copies.tables import FORMAT, QUOTE, TABLES, VERSION, Table
from memory.student.entities import load_entities
from memory.student.sleep.timing import plan_left
from memory.student.store import refresh_strength

#: rows written at once
BATCH = 500
#: what is raised while rows are made of a copy that was not written here, or was changed since
UNREADABLE = (
    ValidationError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
#: and what the database says of rows that do not fit together
UNFIT = (IntegrityError, DataError)
#: the random bits at the end of an id; those before them sort it by time
RANDOM_BITS = 62


class CopyRefused(InvalidInput):
    """Nothing of a copy was taken in."""

    code = "copy.refused"
    reasons = {
        "unreadable": _(
            "This is not a whole copy of a memory. Choose the file with the ending .json as it was saved."
        ),
        "version": _("This copy was written by another version of Companion, which cannot be read here."),
        "too-large": _("This file is too large."),
        "broken": _("This copy has been changed or does not fit together, so nothing of it was taken in."),
    }


@dataclass(frozen=True)
class Taken:
    """How many rows were new, and how many were known already."""

    new: int
    known: int


def take_in(key: SpaceKey, raw: bytes, *, now: datetime, actor: models.Model) -> Taken:
    """Take what is new in a copy into the memory that a key opens; the caller has unlocked it.

    What is believed here in the same words already stays as it is here, with what the copy knows of it beside. Vectors are
    made behind it; until then what is new is found by its words.

    Raises:
        CopyRefused.
    """
    told, space = _parse(raw), key.space
    try:
        rows = _read(space, told)
    except UNREADABLE as error:
        raise CopyRefused(why="broken") from error
    try:
        with write_scope(space):
            taken = _write(space, rows, now=now)
            data = {"new": taken.new, "known": taken.known}
            record_event("memory.copy_taken_in", chain=space, actor=actor, data=data, now=now)
            await_key(space, now=now)
    except UNFIT as error:
        raise CopyRefused(why="broken") from error
    resume_work(key, now=now)
    return taken


def _parse(raw: bytes) -> dict[str, Any]:
    if len(raw) > settings.COPY_MAX_BYTES:
        raise CopyRefused(why="too-large")
    try:
        told = json.loads(raw, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise CopyRefused(why="unreadable") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise CopyRefused(why="unreadable")
    if told.get("version") != VERSION:
        raise CopyRefused(why="version")
    return told


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _read(space: UUID, told: Mapping[str, Any]) -> dict[Table, list[SpaceModel]]:
    """Return a copy's rows as this memory's, by table; nothing of them is written.

    Raises:
        ValueError, TypeError, KeyError, ValidationError: it is none that was written here.
    """
    shift, ids = _shift(UUID(told["memory"])) ^ _shift(space), dict[UUID, UUID]()
    for table in TABLES:
        for row in told[table.name]:
            names = ("id", "entry_id") if table.model is LedgerEntry else ("id",)
            ids |= {old: UUID(int=old.int ^ shift) for old in (UUID(row[name]) for name in names)}
    rows = {table: [_row(space, table, row, ids) for row in told[table.name]] for table in TABLES}
    if any(len({row.pk for row in each}) != len(each) for each in rows.values()):
        raise ValueError("an id stands for two rows")
    return rows


def _shift(space: UUID) -> int:
    digest = blake2b(space.bytes, digest_size=8, person=b"memory copy").digest()
    return int.from_bytes(digest) % 2**RANDOM_BITS


def _row(space: UUID, table: Table, told: Mapping[str, Any], ids: Mapping[UUID, UUID]) -> SpaceModel:
    if told.keys() - {QUOTE} != table.fields.keys():
        raise ValueError("other columns")
    row = table.model(space_id=space)
    for name, column in table.fields.items():
        setattr(row, name, _value(column, told[name], ids))
    if isinstance(row, MemoryNode | LedgerEntry):
        row.content_hash = hash_words(space, row.content if row.content is not None else str(row.pk))
    return row


def _value(column: models.Field, told: Any, ids: Mapping[UUID, UUID]) -> Any:
    """Return a value of a column, checked as the database alone would not."""
    if told is None:
        if not column.null:
            raise ValueError("nothing where something must be")
        return None
    if isinstance(column, SealedJSONField | models.JSONField):
        return _replace(told, ids)
    if isinstance(column, SealedField):
        if not isinstance(told, str):
            raise TypeError("words are a string")
        return told
    kind = column.target_field if isinstance(column, models.ForeignKey) else column
    value = kind.to_python(told)
    if isinstance(value, UUID):
        value = ids[value] if isinstance(column, models.ForeignKey) else ids.get(value, value)
    if isinstance(value, datetime) and value.tzinfo is None:
        raise ValueError("a time without its zone")
    if column.choices and value not in dict(column.flatchoices):
        raise ValueError("no such choice")
    kind.run_validators(value)
    return value


def _replace(value: Any, ids: Mapping[UUID, UUID]) -> Any:
    """Return a value of JSON with the copy's ids in it as they are here."""
    if isinstance(value, dict):
        return {_replace(name, ids): _replace(one, ids) for name, one in value.items()}
    if isinstance(value, list):
        return [_replace(one, ids) for one in value]
    if isinstance(value, str) and len(value) == 36 and value.count("-") == 4:
        try:
            return str(ids.get(UUID(value), value))
        except ValueError:
            return value
    return value


def _write(space: UUID, copied: Mapping[Table, Sequence[SpaceModel]], *, now: datetime) -> Taken:
    version, new, total = bump_version(space), 0, 0
    same: dict[UUID, UUID] = {}
    for table, rows in copied.items():
        total += len(rows)
        Rows = table.model
        known = set(Rows.objects.for_space(space).values_list("pk", flat=True))
        _point_to(table, rows, same)
        fresh = [row for row in rows if row.pk not in known]
        if table.model is MemoryNode:
            same |= _same_words(space, fresh)
            _point_to(table, fresh, same)
        elif table.model is Entity:
            same |= _same_entities(space, fresh)
        elif table.model is LedgerEntry:
            same |= _same_entries(space, fresh)
            fresh = [row for row in fresh if row.entry_id not in same]  # type: ignore[attr-defined]  # a ledger's row
        fresh = [row for row in _not_yet(space, table, fresh) if row.pk not in same]
        _insert(space, table, fresh, version=version)
        new += len(fresh)
    refresh_strength(space, same.values())
    plan_left(space, now=now)
    return Taken(new, total - new)


def _point_to(table: Table, rows: Sequence[SpaceModel], same: Mapping[UUID, UUID]) -> None:
    """Have rows speak of what is here already in the same words, where they speak of its twin in the copy."""
    if not same:
        return
    for row in rows:
        for name, column in table.fields.items():
            value = getattr(row, name)
            if isinstance(column, models.JSONField | SealedJSONField):
                setattr(row, name, _replace(value, same))
            elif name != "id" and isinstance(value, UUID):
                setattr(row, name, same.get(value, value))


def _same_words(space: UUID, rows: Sequence[Any]) -> dict[UUID, UUID]:
    """Return which memories are believed here in the same words already, by which."""
    believed = MemoryNode.objects.for_space(space).active().values_list("content_hash", "pk")
    held = {bytes(digest): node for digest, node in believed}
    active = [row for row in rows if row.superseded_at is None and row.removed_at is None]
    return {row.pk: held[row.content_hash] for row in active if row.content_hash in held}


def _same_entities(space: UUID, rows: Sequence[Any]) -> dict[UUID, UUID]:
    """Return which entities are known here by the same name and relation already, by which."""
    held = {(one.kind, one.name, one.relation): one.id for one in load_entities(space)}
    keys = {row.pk: (row.kind, row.name, row.relation) for row in rows}
    return {pk: held[key] for pk, key in keys.items() if key in held}


def _same_entries(space: UUID, rows: Sequence[Any]) -> dict[UUID, UUID]:
    """Return which entries the ledger has in the same words already, by which."""
    current = LedgerEntry.objects.for_space(space).current().filter(is_active=True)
    held = {
        (category, bytes(digest)): entry
        for category, digest, entry in current.values_list("category", "content_hash", "entry_id")
    }
    active = [row for row in rows if row.superseded_at is None and row.is_active]
    keys = {row.entry_id: (row.category, row.content_hash) for row in active}
    return {entry: held[key] for entry, key in keys.items() if held.get(key, entry) != entry}


def _not_yet(space: UUID, table: Table, rows: Sequence[SpaceModel]) -> Iterator[SpaceModel]:
    """Yield the rows that say what no row here says yet."""
    if table.once is None:
        yield from rows
        return
    Rows = table.model
    held = set(Rows.objects.for_space(space).values_list(*(table.once or ["pk"])))
    if not table.once:
        yield from [] if held else rows
        return
    for row in rows:
        key = tuple(getattr(row, name) for name in table.once)
        speaks_of_one = len(key) > 1 and key[0] == key[1]  # an edge between two that are one here
        if not speaks_of_one and (None in key or key not in held):
            held.add(key)
            yield row


def _insert(space: UUID, table: Table, rows: Sequence[SpaceModel], *, version: int) -> None:
    """Write rows, and only then what they say of each other."""
    pointing = {name: {row.pk: getattr(row, name) for row in rows} for name in table.own_keys}
    for row in rows:
        for name in pointing:
            setattr(row, name, None)
        if hasattr(row, "version"):
            row.version = version
    Rows = table.model
    Rows.objects.bulk_create(rows, batch_size=BATCH)
    for name, values in pointing.items():
        column = table.own_keys[name].name
        set_each(table.model, space, {row: to for row, to in values.items() if to is not None}, field=column)
