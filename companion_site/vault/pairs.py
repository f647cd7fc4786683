"""A pair of keys for `SUITE` (HPKE): anybody may seal to the public half, and what was sealed opens with the pair alone."""

from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey, MLKEM768PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import (
    AEAD,
    KDF,
    KEM,
    MLKEM768X25519PrivateKey,
    MLKEM768X25519PublicKey,
    Suite,
)

SUITE = Suite(KEM.MLKEM768_X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM)
#: As a pair is kept: the ML-KEM seed (64 bytes), then the raw X25519 key.
SEED_BYTES, PAIR_BYTES = 64, 96
#: As its public half is given out: ML-KEM's, then X25519's.
MLKEM_PUBLIC_BYTES, PUBLIC_BYTES = 1_184, 1_216


def opener_of(pair: bytes) -> MLKEM768X25519PrivateKey:
    """Return the key that opens."""
    return MLKEM768X25519PrivateKey(*_halves(pair))


def public_half(pair: bytes) -> bytes:
    """Return what is given out."""
    return b"".join(half.public_key().public_bytes_raw() for half in _halves(pair))


def read_public_half(raw: bytes) -> MLKEM768X25519PublicKey:
    """Return the key that others seal to. Raises ValueError: the bytes are none."""
    if len(raw) != PUBLIC_BYTES:
        raise ValueError(f"a public key has {PUBLIC_BYTES} bytes, not {len(raw)}")
    return MLKEM768X25519PublicKey(
        MLKEM768PublicKey.from_public_bytes(raw[:MLKEM_PUBLIC_BYTES]),
        X25519PublicKey.from_public_bytes(raw[MLKEM_PUBLIC_BYTES:]),
    )


def _halves(pair: bytes) -> tuple[MLKEM768PrivateKey, X25519PrivateKey]:
    return (
        MLKEM768PrivateKey.from_seed_bytes(pair[:SEED_BYTES]),
        X25519PrivateKey.from_private_bytes(pair[SEED_BYTES:]),
    )
