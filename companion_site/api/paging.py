"""Lists by pages: a cursor says after which row the next page begins, so that new rows move nothing.

Ids are UUIDv7 and sort by time, so a cursor is the id of the last row that was seen; it is of use for the same list alone.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import QuerySet
from rest_framework import serializers

from companion_site.api.errors import BadRequest
from companion_site.api.fields import Strict, WholeField

#: rows of a page, where nobody says how many, and at the most
ROWS, MOST_ROWS = 50, 200
Row = TypeVar("Row")


class PageQuery(Strict):
    """Which part of a list is asked for."""

    limit = WholeField(
        min_value=1, max_value=MOST_ROWS, default=ROWS, help_text="Rows of a page, at the most."
    )
    cursor = serializers.RegexField(
        r"^[A-Za-z0-9_-]{22}$", required=False, help_text="`next` of the page before."
    )


@dataclass(frozen=True)
class Page:
    """Rows in order, and the cursor of what follows; None at the end."""

    items: Sequence[Any]
    next: str | None


def page_of_rows(rows: QuerySet[Any], asked: dict[str, Any]) -> Page:
    """Return a page of a query set, the newest first; inside the scope of its space."""
    after = read_cursor(asked)
    if after is not None:
        rows = rows.filter(pk__lt=after)
    found = list(rows.order_by("-id")[: asked["limit"] + 1])
    return _cut(found, asked["limit"], id_of=lambda row: row.pk)


def page_of_data(data: Iterable[Row], asked: dict[str, Any], *, id_of: Callable[[Row], UUID]) -> Page:
    """Return a page of what is at hand already, the newest first."""
    after = read_cursor(asked)
    ordered = sorted(data, key=id_of, reverse=True)
    if after is not None:
        ordered = [one for one in ordered if id_of(one) < after]
    return _cut(ordered[: asked["limit"] + 1], asked["limit"], id_of=id_of)


def read_cursor(asked: dict[str, Any]) -> UUID | None:
    """Return the id after which the page begins; None at the beginning. Raises BadRequest: it is no cursor."""
    text = asked.get("cursor")
    if text is None:
        return None
    try:
        return UUID(bytes=urlsafe_b64decode(text + "=="))
    except (ValueError, binascii.Error):
        raise BadRequest() from None


def _cut(found: Sequence[Row], limit: int, *, id_of: Callable[[Row], UUID]) -> Page:
    items = found[:limit]
    if len(found) <= limit:
        return Page(items, None)
    return Page(items, urlsafe_b64encode(id_of(items[-1]).bytes).decode().rstrip("="))
