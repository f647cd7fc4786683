"""Ed25519 signatures of packs, over the manifest, which holds the checksum of the nodes; and who stands behind a pack's words."""

import json
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from companion_site.secret_files import read_or_make
from memory.packs.errors import PackRefused
from memory.packs.manifest import parse_object

PREFIX = b"companion/kpack/1/signature\x00"
MOST_BYTES = 1_024
#: Points of small order, less their sign: under such a "key" anybody's signature holds (libsodium, ed25519_ref10.c).
WEAK_KEYS = frozenset(
    bytes.fromhex(digits)
    for digits in (
        "00" * 32,
        "01" + "00" * 31,
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ec" + "ff" * 30 + "7f",
        "ed" + "ff" * 30 + "7f",
        "ee" + "ff" * 30 + "7f",
    )
)


def sign_manifest(manifest: bytes, signer: Ed25519PrivateKey) -> bytes:
    """Return the file of a signature over the file of a manifest."""
    says = {"key": public_hex(signer), "signature": signer.sign(PREFIX + manifest).hex()}
    return json.dumps(says, sort_keys=True).encode() + b"\n"


def check_signature(raw: bytes | None, manifest: bytes) -> str:
    """Return the public key that signed a manifest, as hexadecimal digits; "" where nobody did.

    Args:
        raw: the file of the signature; None where there is none.

    Raises:
        PackRefused (signature): it does not hold, or `trusted_keys` are named and it is none of theirs.
    """
    trusted = trusted_keys()
    if raw is None:
        if trusted is not None:
            raise PackRefused(why="signature")
        return ""
    try:
        says = parse_object(raw)
        key, signature = bytes.fromhex(says["key"]), bytes.fromhex(says["signature"])
        Ed25519PublicKey.from_public_bytes(key).verify(signature, PREFIX + manifest)
    except (ValueError, KeyError, TypeError, InvalidSignature):
        raise PackRefused(why="signature") from None
    weak = key[:-1] + bytes([key[-1] & 0x7F]) in WEAK_KEYS
    if weak or (trusted is not None and key.hex() not in trusted):
        raise PackRefused(why="signature")
    return key.hex()


def public_hex(signer: Ed25519PrivateKey) -> str:
    """Return the public key of a signer as hexadecimal digits."""
    return signer.public_key().public_bytes_raw().hex()


def site_signer() -> Ed25519PrivateKey:
    """Return the key by which this site signs what it gives out; made on first use, kept beside the key store's."""
    path = Path(settings.KEY_STORE_DIR) / "packs.signing.key"
    raw = read_or_make(path, lambda: Ed25519PrivateKey.generate().private_bytes_raw())
    return Ed25519PrivateKey.from_private_bytes(raw)


def trusted_keys() -> frozenset[str] | None:
    """Return the keys whose packs are taken in here, this site's own among them; None where everybody's are."""
    named = settings.PACK_TRUSTED_KEYS
    return frozenset([*map(str.lower, named), public_hex(site_signer())]) if named else None


class Voucher(models.TextChoices):
    """Whose signature a pack bears. None of them makes its words more than data."""

    SITE = "site", _("Signed by this site")
    TRUSTED = "trusted", _("Signed by a key that this site trusts")
    STRANGER = "stranger", _("Signed by a key that this site does not know")
    NOBODY = "nobody", _("Not signed: nobody vouches for what it says")


def voucher_of(signed_by: str) -> Voucher:
    """Return who vouches for a pack, by the key that signed it ("" for none)."""
    if not signed_by:
        return Voucher.NOBODY
    if signed_by == public_hex(site_signer()):
        return Voucher.SITE
    return Voucher.TRUSTED if signed_by in (trusted_keys() or ()) else Voucher.STRANGER
