"""The database's view of whose rows are being worked on.

Row-level security shows the rows of the space that the transaction names, and none where it names none.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connection, transaction

from companion_site.vault.grants import check_current_grant

#: where a connection keeps which space its transaction names, whether that is only read, and whose lock is held around it
SPACE, READING, WRITING = "companion_space", "companion_reading", "companion_writing"


@contextmanager
def space_scope(space: UUID, *, reading: bool = False) -> Iterator[None]:
    """Open a short transaction in which the rows of `space` can be seen and written.

    Nested scopes restore the outer one, and what fails in one takes back that one alone. No network call belongs inside.

    Work under a grant that has ended gets no such transaction, and what it has written in one is taken back.

    Raises:
        SpaceLocked: the grant under which this works has ended.

    Args:
        reading: nothing is written inside, so nested scopes of the same space need no savepoint; what fails in one fails
            the whole.
    """
    check_current_grant()
    inside = connection.in_atomic_block
    outer = getattr(connection, SPACE, None) if inside else None
    reads = inside and getattr(connection, READING, False)
    with transaction.atomic(savepoint=not (reads and outer == space)):
        if outer != space:
            _name(space)
        setattr(connection, READING, reads or reading)
        try:
            yield
            check_current_grant()
        finally:
            setattr(connection, SPACE, outer)
            setattr(connection, READING, reads)
            # The end of a transaction forgets the name; the end of a savepoint does not.
            if inside and outer != space and not connection.needs_rollback:
                _name(outer)


@contextmanager
def write_scope(space: UUID) -> Iterator[None]:
    """Open a space's scope as the one writer of its memory; any other waits until the transaction ends. Raises as `space_scope`.

    Within another of the same space the lock is held already, and stays held whatever fails.
    """
    outer = getattr(connection, WRITING, None) if connection.in_atomic_block else None
    with space_scope(space):
        if outer != space:
            lock_space(space)
        setattr(connection, WRITING, space)
        try:
            yield
        finally:
            setattr(connection, WRITING, outer)


def lock_space(space: UUID) -> None:
    """Take the space's advisory lock until the transaction ends: one writer of its memory at a time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [str(space)])


def _name(space: UUID | None) -> None:
    # A literal, not a parameter: a distributed database routes by it. A UUID has no quote to escape.
    literal = UUID(str(space)) if space is not None else ""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL app.space = '{literal}'")
    setattr(connection, SPACE, space)
