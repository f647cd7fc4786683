"""Keyed hashes by which an agent's names are found without opening a row; each kind of name has hashes of its own."""

from uuid import UUID

from companion_site.vault.keyring import key_of


def hash_path(space: UUID, path: str) -> bytes:
    """Return the hash of a node's path. The space is unlocked here."""
    return key_of(space).keyed_hash(f"path:{path}")


def hash_task(space: UUID, task: str) -> bytes:
    """Return the hash of the id of a task. The space is unlocked here."""
    return key_of(space).keyed_hash(f"task:{task}")


def hash_source(space: UUID, name: str) -> bytes:
    """Return the hash of a source's name. The space is unlocked here."""
    return key_of(space).keyed_hash(f"source:{name}")
