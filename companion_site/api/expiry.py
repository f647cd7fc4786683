"""Kept answers that have had their time."""

from datetime import datetime

from companion_site.api.models import KeptAnswer
from companion_site.api.params import API
from companion_site.vault.scope import space_scope


def drop_kept_answers(*, now: datetime) -> int:
    """Delete every kept answer whose hours are over, in whatever space; return how many."""
    oldest = now - API.kept_for
    # Across spaces, so by the role that sees no content.
    rows = KeptAnswer.objects.using("metadata").filter(begun_at__lte=oldest).order_by("space_id")
    dropped = 0
    for space in list(rows.values_list("space_id", flat=True).distinct()):
        with space_scope(space):
            dropped += KeptAnswer.objects.for_space(space).filter(begun_at__lte=oldest).delete()[0]
    return dropped
