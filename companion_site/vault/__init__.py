"""Spaces and their keys. `unlocked(space, key)` is the only way to content."""

from companion_site.vault.keyring import key_of, unlocked

__all__ = ["key_of", "unlocked"]
