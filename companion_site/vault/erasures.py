"""Erasing once more what was erased, after an older copy of the database or of the key store was restored."""

from datetime import datetime

from companion_site.audit.checkpoint_services import replay_kept
from companion_site.audit.checkpoints import Replayed
from companion_site.vault.keystore import get_key_store
from companion_site.vault.models import Space
from companion_site.vault.services import close_space


def replay_erasures(*, now: datetime) -> tuple[Replayed, int, int]:
    """Erase every space that a verified checkpoint lists as erased; running it twice changes nothing.

    Returns:
        What the checkpoints say, how many spaces they list, and how many of these were open.
    """
    said = replay_kept()
    erased = sorted({erasure.space for erasure in said.erasures})
    reopened = 0
    for space in Space.objects.filter(pk__in=erased, closed_at=None).order_by("pk"):
        close_space(space, now=now, actor=None)
        reopened += 1
    for one in erased:
        get_key_store().destroy_erasure_key(one)
    return said, len(erased), reopened
