"""Single columns of rows of a space, without objects of their model, which cost more than the one value.

A sealed one is bound to its row all the same: whoever opens or seals one names the row."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.db import connection, models

from companion_site.vault.boxes import Place
from companion_site.vault.fields import Box, SealedField
from companion_site.vault.keyring import key_of
from companion_site.vault.rows import SpaceModel


def opener(space: UUID, model: type[SpaceModel], name: str) -> Callable[[UUID, bytes], Any]:
    """Return what opens a column's box, given the id of its row and the box as `values_list` reads it.

    Raises:
        SpaceLocked: the space is not open here.
    """
    key, field, table = key_of(space), _field(model, name), model._meta.db_table
    return lambda row, box: field.decode(key.open(box, Place(space, table, row, name)))


def seal_column(space: UUID, model: type[SpaceModel], name: str, row: UUID, value: Any) -> Box:
    """Return a value as the box of one row's column, which an `update()` of that one row takes.

    Raises:
        SpaceLocked: the space is not open here.
    """
    place = Place(space, model._meta.db_table, row, name)
    return Box(key_of(space).seal(_field(model, name).encode(value), place))


def _field(model: type[SpaceModel], name: str) -> SealedField:
    field = model._meta.get_field(name)
    if not isinstance(field, SealedField):
        raise TypeError(f"{name} is not sealed")
    return field


def set_each(model: type[models.Model], space: UUID, values: Mapping[UUID, Any], *, field: str) -> None:
    """Set `field` of the rows of `space` that `values` names, in one statement; runs inside the space's scope.

    `bulk_update` builds an expression with a branch for every row, which for a thousand rows costs half a second.

    Raises:
        TypeError: the column is sealed, and so is written through its row.
    """
    (column,) = (found for found in model._meta.concrete_fields if found.name == field)
    if isinstance(column, SealedField):
        raise TypeError(f"{field} is sealed: write it through its row")
    if not values:
        return
    quote = connection.ops.quote_name
    kind = (column.target_field if isinstance(column, models.ForeignKey) else column).db_type(connection)
    statement = (
        f"UPDATE {quote(model._meta.db_table)} AS changed SET {quote(str(column.column))} = given.value "  # noqa: S608  names of our own models
        f"FROM unnest(%s::uuid[], %s::{kind}[]) AS given(id, value) "
        "WHERE changed.space_id = %s AND changed.id = given.id"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [list(values), list(values.values()), space])
