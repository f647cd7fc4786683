"""Single sealed columns, without rows of their model: an object of the model costs more than its one box.

They are bound to their row all the same: whoever opens or seals one names the row.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from companion_site.vault.boxes import Place
from companion_site.vault.fields import Box, SealedField
from companion_site.vault.keyring import key_of
from companion_site.vault.rows import SpaceModel


def opener(space: UUID, model: type[SpaceModel], name: str) -> Callable[[UUID, bytes], Any]:
    """Return what opens a column's box, given the id of its row and the box as `values_list` reads it.

    Raises:
        SpaceLocked: the space is not open here.
    """
    key, field, place = key_of(space), _field(model, name), _places(space, model, name)
    return lambda row, box: field.decode(key.open(box, place(row)))


def seal_column(space: UUID, model: type[SpaceModel], name: str, row: UUID, value: Any) -> Box:
    """Return a value as the box of one row's column, which an `update()` of that one row takes.

    Raises:
        SpaceLocked: the space is not open here.
    """
    place = _places(space, model, name)(row)
    return Box(key_of(space).seal(_field(model, name).encode(value), place))


def _field(model: type[SpaceModel], name: str) -> SealedField:
    field = model._meta.get_field(name)
    if not isinstance(field, SealedField):
        raise TypeError(f"{name} is not sealed")
    return field


def _places(space: UUID, model: type[SpaceModel], name: str) -> Callable[[UUID], Place]:
    table = model._meta.db_table
    return lambda row: Place(space, table, row, name)
