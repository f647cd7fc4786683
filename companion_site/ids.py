"""Identifiers: UUIDv7, so that they sort by time and say nothing else."""

from datetime import datetime
from uuid import UUID

from uuid_utils.compat import uuid7

#: Bits of a UUIDv7 behind its milliseconds.
BELOW_TIME = 80


def new_id() -> UUID:
    """Return a fresh UUIDv7."""
    return uuid7()


def first_id(moment: datetime) -> UUID:
    """Return the least id that a row made at `moment` can have.

    Ids are UUIDv7, which begin with their time, so that the primary key's index leads to what is young: a look at the
    last hour costs what the last hour holds, and no table needs an index of times of its own.
    """
    milliseconds = max(int(moment.timestamp() * 1000), 0)
    return UUID(int=milliseconds << BELOW_TIME)
