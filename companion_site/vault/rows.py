"""What every row that belongs to someone stands on.

The rules (space in every unique constraint, in every key and in every query) keep spaces apart on one PostgreSQL
and let the same tables be distributed by space over many: docs/architecture.md, "Spaces".
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.lookups import Exact
from django.db.models.sql.where import WhereNode
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from companion_site.errors import NotFound, SpaceMissing
from companion_site.ids import new_id


def person_key(label: Promise) -> models.ForeignKey:
    """Return a key to a person from beside their account: kept with whoever it names, and checked by no constraint."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="+",
        verbose_name=label,  # type: ignore[arg-type]  # lazy, which the stubs know as another class
    )


def share(label: Promise, **options: Any) -> models.FloatField:
    """Return a float field between 0 and 1."""
    return models.FloatField(label, validators=[MinValueValidator(0), MaxValueValidator(1)], **options)  # type: ignore[arg-type]  # as above


def unexpired(now: datetime) -> models.Q:
    """Return the condition that a row has no end, or one that is still to come."""
    return models.Q(expires_at__isnull=True) | models.Q(expires_at__gt=now)


class SpaceQuerySet(models.QuerySet):
    """Rows of spaces; every read that belongs to someone starts at `for_space`."""

    def for_space(self, space: "UUID | models.Model"):
        """Keep the rows of one space, given as its id or itself."""
        space_id = space if isinstance(space, UUID) else getattr(space, "pk", None)
        if space_id is None:
            raise SpaceMissing()
        return self.filter(space_id=space_id)

    def find(self, **which):
        """Return the one row that is named.

        Raises:
            NotFound: there is none.
        """
        row = self.filter(**which).first()
        if row is None:
            raise NotFound()
        return row


class SpaceForeignKey(models.ForeignKey):
    """A key inside one space: (space_id, x_id) → (space_id, id), checked at once.

    A row can therefore never point into another space, whatever the code does.
    """

    spans_space = True

    def get_extra_restriction(self, alias, related_alias):
        near = self.model._meta.get_field("space")
        far = self.remote_field.model._meta.get_field("space")
        return WhereNode([Exact(far.get_col(alias), near.get_col(related_alias))])  # type: ignore[list-item, union-attr]

    def get_extra_descriptor_filter(self, instance):
        return {"space_id": instance.space_id}


class SpaceModel(models.Model):
    """A row of one space."""

    belongs_to_space = True
    _loaded_space: UUID | None = None

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # Without an index of its own: every other one begins with it.
    space = models.ForeignKey(
        "vault.Space", on_delete=models.CASCADE, related_name="+", db_index=False, verbose_name=_("space")
    )

    objects = SpaceQuerySet.as_manager()

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(fields=["space", "id"], name="%(app_label)s_%(class)s_space_id"),
        ]

    def __str__(self) -> str:
        return f"{capfirst(self._meta.verbose_name)} {str(self.pk)[-6:]}"

    @classmethod
    def from_db(cls, db, field_names, values, **options):
        row = super().from_db(db, field_names, values, **options)
        row._loaded_space = row.__dict__.get("space_id")
        return row

    def _do_update(self, base_qs, using, pk_val, values, *options):
        """Update within the row's own space, which never changes."""
        if self._loaded_space not in (None, self.space_id):
            raise ValueError("a row never changes its space")
        kept = [entry for entry in values if entry[0].attname != "space_id"]
        scoped = base_qs.filter(space_id=self.space_id)
        return super()._do_update(scoped, using, pk_val, kept, *options)
