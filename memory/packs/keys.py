"""The pair of keys to which packs are sealed for this site: made on first use, kept beside the key store's."""

import os
from pathlib import Path

from cryptography.hazmat.primitives.hpke import MLKEM768X25519PrivateKey
from django.conf import settings

from companion_site.secret_files import read_or_make
from companion_site.vault.keystore import PAIR_BYTES, read_halves


def site_private_key() -> MLKEM768X25519PrivateKey:
    """Return the half that opens what was sealed to this site."""
    return MLKEM768X25519PrivateKey(*read_halves(_raw()))


def site_public_key() -> bytes:
    """Return the half that anybody may seal a pack to (1,216 bytes)."""
    mlkem, x25519 = read_halves(_raw())
    return mlkem.public_key().public_bytes_raw() + x25519.public_key().public_bytes_raw()


def _raw() -> bytes:
    return read_or_make(Path(settings.KEY_STORE_DIR) / "packs.key", lambda: os.urandom(PAIR_BYTES))
