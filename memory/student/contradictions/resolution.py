"""The person's own word on two memories that contradict each other."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.errors import InvalidInput, NotFound
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.models import Contradiction
from memory.student.contradictions.errors import AlreadySettled, NoLongerHeld
from memory.student.contradictions.retirement import load_active, retire, untie

Keep = Literal["earlier", "later", "both"]
BY_PERSON = "person"


def resolve(
    space: UUID, contradiction_id: UUID, *, keep: Keep, now: datetime, actor: models.Model | None = None
) -> Contradiction:
    """Settle an open contradiction as the person says. The space is unlocked by the caller.

    Raises:
        NotFound: the space has no such contradiction.
        InvalidInput: `keep` is none of the three.
        AlreadySettled: it is not open.
        NoLongerHeld: one of the two was superseded or removed meanwhile.
    """
    if keep not in ("earlier", "later", "both"):
        raise InvalidInput()
    with space_scope(space):
        lock_space(space)
        row = Contradiction.objects.for_space(space).filter(pk=contradiction_id).first()
        if row is None:
            raise NotFound()
        if row.state != Contradiction.State.OPEN:
            raise AlreadySettled()
        earlier, later = load_active(space, row.earlier_id), load_active(space, row.later_id)
        if earlier is None or later is None:
            raise NoLongerHeld()
        version = bump_version(space)
        if keep == "both":
            accept_both(space, row, now=now)
        else:
            winner, loser = (earlier, later) if keep == "earlier" else (later, earlier)
            row.strategy = Contradiction.Strategy.MANUAL
            retire(
                space,
                loser,
                winner=winner,
                contradiction=row,
                reason=BY_PERSON,
                version=version,
                now=now,
                actor=actor,
            )
        data = {"keep": keep}
        record_event(
            "memory.contradiction_settled", chain=space, actor=actor, subject=row, data=data, now=now
        )
    return row


def accept_both(space: UUID, contradiction: Contradiction, *, now: datetime) -> None:
    """Note that both memories are true; they do not contradict each other any more."""
    untie(space, earlier=contradiction.earlier_id, later=contradiction.later_id)
    contradiction.state, contradiction.settled_at = Contradiction.State.BOTH_TRUE, now
    contradiction.save(update_fields=["state", "settled_at"])
