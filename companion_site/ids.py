"""Identifiers: UUIDv7, so that they sort by time and say nothing else."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """Return a fresh UUIDv7."""
    return uuid7()
