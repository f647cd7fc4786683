"""The database's view of whose rows are being worked on.

Row-level security shows the rows of the space that the transaction names, and none where it names none.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connections, transaction
from django.db.utils import DEFAULT_DB_ALIAS

#: where a connection keeps which space its transaction names
SPACE = "companion_space"


@contextmanager
def space_scope(space: UUID, *, using: str = DEFAULT_DB_ALIAS) -> Iterator[None]:
    """Open a short transaction in which the rows of `space` can be seen and written.

    Nested scopes restore the outer one. No network call belongs inside.
    """
    connection = connections[using]
    inside = connection.in_atomic_block
    outer = getattr(connection, SPACE, None) if inside else None
    with transaction.atomic(using=using):
        if outer != space:
            _name(connection, space)
        try:
            yield
        finally:
            setattr(connection, SPACE, outer)
            # The end of a transaction forgets the name; the end of a savepoint does not.
            if inside and outer != space and not connection.needs_rollback:
                _name(connection, outer)


def lock_space(space: UUID) -> None:
    """Take the space's advisory lock until the transaction ends: one writer of its memory at a time."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [str(space)])


def _name(connection, space: UUID | None) -> None:
    # A literal, not a parameter: a distributed database routes by it. A UUID has no quote to escape.
    literal = UUID(str(space)) if space is not None else ""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL app.space = '{literal}'")
    setattr(connection, SPACE, space)
