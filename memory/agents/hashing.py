"""Keyed hashes by which an agent's names are found without opening a row. The space is unlocked here."""

from uuid import UUID

from companion_site.vault.keyring import key_of


def hash_path(space: UUID, path: str) -> bytes:
    return key_of(space).keyed_hash(f"path:{path}")


def hash_task(space: UUID, task: str) -> bytes:
    return key_of(space).keyed_hash(f"task:{task}")


def hash_source(space: UUID, name: str) -> bytes:
    return key_of(space).keyed_hash(f"source:{name}")
