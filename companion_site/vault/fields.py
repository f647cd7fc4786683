"""Model fields that hold content: sealed in boxes, or plain in the rows of an open space.

Reading a sealed one opens it with the keyring, writing one seals it as its row is saved. They are written through their
row only: `update()` and `bulk_update()` know no row, so they refuse. A plain one is marked as content, so that the role
that reads shapes across spaces does not see it.
"""

import json
from typing import Any

import numpy as np
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models.query_utils import DeferredAttribute
from pgvector.django import VectorField

from companion_site.vault.boxes import Place
from companion_site.vault.keyring import key_of


class Box(bytes):
    """The bytes of a sealed column as they came from the database."""


class SealedAttribute(DeferredAttribute):
    """Opens the box each time it is read; nothing decrypted stays behind on the row."""

    field: "SealedField"

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = super().__get__(instance, owner)
        return self.field.open_box(instance, value) if isinstance(value, Box) else value

    def __set__(self, instance, value):
        instance.__dict__[self.field.attname] = value


class BytesField(models.BinaryField):
    """Bytes. Many rows go into PostgreSQL as one array of each column, which takes half the time of a list of rows.

    Django does not do so for a field with a placeholder of its own; that of bytes is the ordinary one here.
    """

    @property
    def get_placeholder(self):
        raise AttributeError("bytes have the ordinary placeholder")


class SealedField(BytesField):
    """Base of the sealed fields: subclasses say how a value becomes bytes and back."""

    descriptor_class = SealedAttribute
    sealed = True

    def encode(self, value: Any) -> bytes:
        raise NotImplementedError  # said by each subclass

    def decode(self, raw: bytes) -> Any:
        raise NotImplementedError  # said by each subclass

    def place(self, row: models.Model) -> Place:
        """Return the place that a value of this field on `row` is bound to."""
        return Place(row.space_id, row._meta.db_table, row.pk, self.attname)  # type: ignore[attr-defined]

    def open_box(self, row: models.Model, box: Box) -> Any:
        place = self.place(row)
        return self.decode(key_of(place.space).open(box, place))

    def from_db_value(self, value, expression, connection):
        return None if value is None else Box(value)

    def pre_save(self, model_instance, add):
        value = model_instance.__dict__.get(self.attname)
        if value is None or isinstance(value, Box):
            return value
        place = self.place(model_instance)
        box = Box(key_of(place.space).seal(self.encode(value), place))
        setattr(model_instance, self.attname, box)
        return box

    def get_prep_value(self, value):
        if value is not None and not isinstance(value, Box):
            raise TypeError(f"{self.attname} is sealed: write it through its row")
        return value

    def get_lookup(self, lookup_name):
        if lookup_name != "isnull":
            raise TypeError(f"{self.attname} is sealed: it cannot be searched in the database")
        return super().get_lookup(lookup_name)

    def value_to_string(self, obj):
        return ""


class SealedBytesField(SealedField):
    """Sealed bytes."""

    _pyi_private_set_type: bytes
    _pyi_private_get_type: bytes

    def encode(self, value: bytes) -> bytes:
        return value

    def decode(self, raw: bytes) -> bytes:
        return raw


class SealedTextField(SealedField):
    """A sealed string."""

    _pyi_private_set_type: str
    _pyi_private_get_type: str  # type: ignore[assignment]

    def encode(self, value: str) -> bytes:
        return value.encode()

    def decode(self, raw: bytes) -> str:
        return raw.decode()


class SealedJSONField(SealedField):
    """A sealed value of JSON."""

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def encode(self, value: Any) -> bytes:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

    def decode(self, raw: bytes) -> Any:
        return json.loads(raw)


class SealedVectorField(SealedField):
    """A sealed vector: (d,) float32, kept as little-endian bytes."""

    _pyi_private_set_type: np.ndarray
    _pyi_private_get_type: np.ndarray  # type: ignore[assignment]

    def encode(self, value: np.ndarray) -> bytes:
        vector = np.asarray(value, dtype="<f4")
        if vector.ndim != 1 or not np.isfinite(vector).all():
            raise ValueError("a vector has one dimension and finite numbers")
        return vector.tobytes()

    def decode(self, raw: bytes) -> np.ndarray:
        return np.frombuffer(raw, dtype="<f4")


class ContentTextField(models.TextField):
    """Words of an open space."""

    holds_content = True


class ContentBytesField(BytesField):
    """Something counted from words of an open space."""

    holds_content = True


class ContentDecimalField(models.DecimalField):
    """A figure of an open space."""

    holds_content = True


class ContentJSONField(models.JSONField):
    """A value of JSON that may hold words of an open space."""

    holds_content = True


class ContentVectorField(VectorField):
    """A vector of an open space, of any number of dimensions: which, the row says."""

    holds_content = True


class GeneratedSearchField(models.GeneratedField):
    """The words of an open space as full-text search wants them, kept by the database."""

    holds_content = True

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"output_field": SearchVectorField(), "db_persist": True, **options})
