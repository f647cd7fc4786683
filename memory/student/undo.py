"""Taking back one change of a memory in one click, whatever made it. Twice is once."""

from datetime import datetime
from uuid import UUID

from django.db import models

from companion_site.audit.services import record_event
from companion_site.errors import NotFound
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import bump_version
from memory.models import Contradiction, MemoryChange, MemoryNode
from memory.student.compression.undo import restore
from memory.student.contradictions.settlement import accept_both, believe_again
from memory.student.corrections import take_back
from memory.student.errors import CannotUndo, ChangeBuried

_KIND = MemoryChange.Kind


def undo_change(
    space: UUID, change_id: UUID, *, now: datetime, actor: models.Model | None = None
) -> MemoryChange:
    """Undo one change; of one that was undone already nothing changes. The space is unlocked by the caller.

    Raises:
        NotFound: the space has no such change.
        WordsGone, HeldAgain, ChangeBuried: what was retired cannot come back, or not before a later change is undone.
        CannotUndo: nothing undoes a change of this kind.
        CompanionError: as restoring a compression or a sleep, or taking back what was done by hand, raises.
    """
    with space_scope(space):
        lock_space(space)
        change = MemoryChange.objects.for_space(space).filter(pk=change_id).first()
        if change is None:
            raise NotFound()
        if change.undone_at is None:
            _undo(space, change, now=now, actor=actor)
            change.refresh_from_db(fields=["undone_at"])
        return change


def _undo(space: UUID, change: MemoryChange, *, now: datetime, actor: models.Model | None) -> None:
    if change.kind == _KIND.SUPERSEDED:
        _unretire(space, change, now=now, actor=actor)
    elif change.kind in (_KIND.MERGED, _KIND.PRUNED, _KIND.CONSOLIDATED):
        restore(space, change, now=now, actor=actor)
    elif change.kind in (_KIND.FORGOTTEN, _KIND.CORRECTED) and actor is not None:
        take_back(space, change.pk, now=now, actor=actor)
    else:
        raise CannotUndo()


def _unretire(space: UUID, change: MemoryChange, *, now: datetime, actor: models.Model | None) -> None:
    """Believe a retired memory again, beside the one that had taken its place."""
    loser = MemoryNode.objects.for_space(space).filter(pk=UUID(change.node_ids[0])).first()
    if loser is not None and loser.removed_at is not None:
        raise ChangeBuried()
    if loser is not None and str(loser.superseded_by_id) != change.node_ids[1]:
        raise CannotUndo()
    believe_again(space, loser, version=bump_version(space))
    _reopen(space, change, now=now)
    change.undone_at = now
    change.save(update_fields=["undone_at"])
    record_event("memory.change_undone", chain=space, actor=actor, subject=change, now=now)


def _reopen(space: UUID, change: MemoryChange, *, now: datetime) -> None:
    """Put the contradiction as the person now has it: asked again if they had decided, both true if nobody had."""
    before = change.before or {}
    row = Contradiction.objects.for_space(space).filter(pk=before.get("contradiction")).first()
    if row is None:
        return
    if row.strategy == Contradiction.Strategy.MANUAL:
        row.state, row.settled_at = Contradiction.State.OPEN, None
        row.save(update_fields=["state", "settled_at"])
    else:
        accept_both(space, row, now=now)
