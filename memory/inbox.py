"""Taking in what others sealed into a space: opened with the space's key, formed like everything else that is said."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

import structlog

from companion_site.accounts.remembering import was_memory_off
from companion_site.errors import BoxBroken
from companion_site.vault import inbox
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.errors import NoInbox
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from memory.formation import Said
from memory.forming_together import form_together
from memory.inbox_contents import Session, read_contents
from memory.models import MemoryNode, MemorySource
from memory.sleep.planning import has_memory_on
from memory.tutoring.saying import said_in

logger = structlog.get_logger(__name__)

#: What memories form from, and where such a memory says that it came from. Snapshots are read, not remembered.
SOURCES = {
    SealedBox.Kind.OBSERVATION: MemorySource.Kind.OBSERVATION,
    SealedBox.Kind.LESSON: MemorySource.Kind.LESSON,
    SealedBox.Kind.PROMPT_RUN: MemorySource.Kind.PROMPT_RUN,
    SealedBox.Kind.TRANSCRIPT: MemorySource.Kind.TRANSCRIPT,
}
#: What the owner said themselves: said while memory was off, it is never remembered.
OWN_WORDS = {MemorySource.Kind.PROMPT_RUN, MemorySource.Kind.TRANSCRIPT}


def awaits_key(space: UUID) -> bool:
    """Tell whether boxes wait for the key of `space`; needs none. While memory is off they wait for that alone."""
    return has_memory_on(space) and bool(inbox.pending_boxes(space, kinds=SOURCES))


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
    if not has_memory_on(space):
        return taken
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
    if box is None or box.kind not in SOURCES or not has_memory_on(space):
        return None
    try:
        said = _read(box, key, now=now)
    except (BoxBroken, NoInbox):
        inbox.refuse_box(box, now=now)
        logger.warning("memory.box_refused", box=str(box.pk))
        return None
    said = [one for one in said if not _was_said_unremembered(space, one)]
    return form_together(said, space=space, key=key, now=now, claim=partial(_claim, box, said, also, now=now))


def _read(box: SealedBox, key: SpaceKey, *, now: datetime) -> list[Said]:
    contents = read_contents(box.kind, inbox.open_box(box, key), now=now)
    if isinstance(contents, Session):
        return said_in(contents, box=box.pk, now=now)
    by_teacher = box.sender_id is not None
    said = Said(
        text=contents.to_words(),
        language=contents.language,
        said_at=contents.at,
        source_kind=SOURCES[SealedBox.Kind(box.kind)],
        source_id=box.pk,
        trust=MemoryNode.Trust.TEACHER if by_teacher else MemoryNode.Trust.SYSTEM,
    )
    return [said]


def _was_said_unremembered(space: UUID, said: Said) -> bool:
    return said.source_kind in OWN_WORDS and was_memory_off(space, said.said_at)


def _claim(box: SealedBox, said: Sequence[Said], also: Callable[[Said], None], *, now: datetime) -> bool:
    """Mark a box as opened; False where somebody did, or where its owner has switched the memory off meanwhile."""
    if not has_memory_on(box.space_id) or not inbox.claim_box(box, now=now):
        return False
    for one in said:
        also(one)
    return True
