"""Deleting what somebody wrote of their life, and having it back while their session lasts.

A deleted row is gone from the database at once. What can bring it back is handed to whoever deleted it: a box sealed
with the space's key and bound to the row, so that it says nothing to anybody else and opens nowhere else.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, models, transaction

from companion_site.audit.services import record_event
from companion_site.errors import BoxBroken
from companion_site.vault.boxes import Place
from companion_site.vault.fields import SealedField
from companion_site.vault.keyring import key_of
from companion_site.vault.rows import SpaceModel
from companion_site.vault.scope import write_scope
from memory.models import GoalNote, Mood
from memory.student.copies.tables import encode
from memory.student.life.kinds import KINDS
from memory.student.life.limits import LifeRefused

#: What can be deleted and brought back, by the name that boxes have for it.
MODELS = {kind.model._meta.model_name or "": kind.model for kind in KINDS if kind.part}
_TABLE, _FIELD = "memory_life_deleted", "rows"
#: what brings a deleted row back, as a session keeps it: the model's name, the row's id, and a sealed box
Deleted = dict[str, str]


def delete_row(row: SpaceModel, *, now: datetime, actor: models.Model | None = None) -> Deleted:
    """Delete a row, a goal with its notes; return what brings it back. Inside the space's scope and lock."""
    kind, space, subject = row._meta.model_name or "", row.space_id, row.pk
    notes = GoalNote.objects.for_space(space).filter(goal_id=subject).order_by("id")
    rows = [_plain(one) for one in (row, *notes)]
    written = encode(rows).encode()
    box = key_of(space).seal(written, Place(space, _TABLE, subject, _FIELD))
    record_event(f"memory.{kind}_deleted", chain=space, actor=actor, subject=row, now=now)
    row.delete()
    return {"kind": kind, "id": str(subject), "box": b64encode(box).decode()}


def delete_found(
    Kind: type[SpaceModel], space: UUID, *, now: datetime, actor: models.Model | None = None, **which: Any
) -> Deleted:
    """Delete the row that a filter names, under the space's lock; return what brings it back.

    Raises:
        NotFound: the space has no such row.
    """
    with write_scope(space):
        row = Kind.objects.for_space(space).find(**which)
        return delete_row(row, now=now, actor=actor)


def restore_deleted(
    space: UUID, deleted: Mapping[str, str], *, now: datetime, actor: models.Model | None = None
) -> UUID:
    """Bring back what was deleted; what is there again already stays as it is. Return the row's id.

    Raises:
        BoxBroken: it is none of these, or was not deleted in this space.
        LifeRefused: something else has its place, as the measure of the same day or the mood of the same message.
    """
    try:
        Kind, row_id, box = MODELS[deleted["kind"]], UUID(deleted["id"]), b64decode(deleted["box"])
    except (KeyError, ValueError):
        raise BoxBroken() from None
    written = key_of(space).open(box, Place(space, _TABLE, row_id, _FIELD))
    rows = [_row(space, values) for values in json.loads(written)]
    with write_scope(space):
        if Kind.objects.for_space(space).filter(pk=row_id).exists():
            return row_id
        if any(_is_taken(row) for row in rows):
            raise LifeRefused(why="taken-meanwhile")
        try:
            with transaction.atomic():
                for row in rows:
                    row.save(force_insert=True)
        except IntegrityError:
            raise LifeRefused(why="taken-meanwhile") from None
        record_event(
            f"memory.{Kind._meta.model_name}_restored", chain=space, actor=actor, subject=rows[0], now=now
        )
    return row_id


def _is_taken(row: SpaceModel) -> bool:
    """Tell whether a mood's message has another one by now, told or read; the table holds only two alike apart."""
    if not isinstance(row, Mood) or row.message_id is None:
        return False
    return Mood.objects.for_space(row.space_id).filter(message_id=row.message_id).exists()


def _plain(row: SpaceModel) -> dict[str, Any]:
    values = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname != "space_id"
    }
    return {"kind": row._meta.model_name, "values": values}


def _row(space: UUID, written: dict[str, Any]) -> SpaceModel:
    model = MODELS[written["kind"]]
    fields = {field.attname: field for field in model._meta.concrete_fields}
    values = {
        name: value if isinstance(fields[name], SealedField) else fields[name].to_python(value)
        for name, value in written["values"].items()
    }
    return model(space_id=space, **values)
