"""Who stands behind a pack's words: this site, a key that its operator trusts, a key that nobody here knows, or nobody."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from memory.packs.signatures import public_hex, site_signer


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
    trusted = {key.lower() for key in settings.PACK_TRUSTED_KEYS}
    return Voucher.TRUSTED if signed_by in trusted else Voucher.STRANGER
