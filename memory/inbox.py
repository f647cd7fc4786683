"""Taking in what others sealed into a space: opened with the space's key, formed like everything else that is said."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from uuid import UUID

import structlog

from companion_site.errors import BoxBroken
from companion_site.vault import inbox
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.errors import NoInbox
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from memory.formation import Draft, Said
from memory.forming import form_memories
from memory.inbox_contents import read_contents
from memory.models import MemoryNode, MemorySource

logger = structlog.get_logger(__name__)

#: What memories form from, and where such a memory says that it came from. Snapshots are read, not remembered.
SOURCES = {
    SealedBox.Kind.OBSERVATION: MemorySource.Kind.OBSERVATION,
    SealedBox.Kind.LESSON: MemorySource.Kind.LESSON,
    SealedBox.Kind.PROMPT_RUN: MemorySource.Kind.PROMPT_RUN,
}


def awaits_key(space: UUID) -> bool:
    """Tell whether boxes wait for the key of `space`; needs none."""
    return bool(inbox.pending_boxes(space, kinds=SOURCES))


def take_in_all(
    space: UUID, *, key: SpaceKey, now: datetime, also: Callable[[Said], None] = lambda said: None
) -> int:
    """Form memories from every box that waits, in the order they were sent; return how many were taken in.

    A box that does not open is set aside; one that fails for another reason is tried again later. Neither keeps the
    others waiting.

    Args:
        also: what else comes of a box, done in the transaction that takes it in.

    Raises:
        Exception: the first failure, when all the others are done.
    """
    taken, failures = 0, []
    for box in inbox.pending_boxes(space, kinds=SOURCES):
        try:
            taken += take_in(space, box, key=key, now=now, also=also) is not None
        except Exception as failure:  # noqa: BLE001  raised below
            failures.append(failure)
    if failures:
        raise failures[0]
    return taken


def take_in(
    space: UUID,
    box_id: UUID,
    *,
    key: SpaceKey,
    now: datetime,
    also: Callable[[Said], None] = lambda said: None,
) -> int | None:
    """Form the memories of one box, once; return how many are new, or None where there was nothing to do."""
    with space_scope(space):
        box = SealedBox.objects.for_space(space).unopened().filter(pk=box_id).first()
    if box is None or box.kind not in SOURCES:
        return None
    try:
        said = _read(box, key, now=now)
    except (BoxBroken, NoInbox):
        inbox.refuse_box(box, now=now)
        logger.warning("memory.box_refused", box=str(box.pk))
        return None
    return form_memories(said, space=space, key=key, now=now, claim=partial(_claim, box, said, also, now=now))


def _read(box: SealedBox, key: SpaceKey, *, now: datetime) -> Said:
    contents = read_contents(box.kind, inbox.open_box(box, key), now=now)
    by_teacher = box.sender_id is not None
    return Said(
        text=contents.to_words(),
        language=contents.language,
        said_at=contents.at,
        source_kind=SOURCES[SealedBox.Kind(box.kind)],
        source_id=box.pk,
        trust=MemoryNode.Trust.TEACHER if by_teacher else MemoryNode.Trust.SYSTEM,
    )


def _claim(box: SealedBox, said: Said, also: Callable[[Said], None], draft: Draft, *, now: datetime) -> bool:
    if not inbox.claim_box(box, now=now):
        return False
    also(said)
    return True
