"""Taking in what others sealed into a space: opened with the space's key, formed like everything else that is said.

Measures of days say nothing: they become rows of the person's life, and no memory.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

import structlog

from companion_site.accounts.services import find_times_off, was_memory_off
from companion_site.errors import BoxBroken
from companion_site.vault import inbox, unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.errors import NoInbox
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope, write_scope
from memory.inbound.contents import Contents, Measures, Session, read_contents
from memory.models import MemoryNode, MemorySource
from memory.student.ingest.formation import Draft, Said
from memory.student.ingest.pipeline import Foresight, form_memories
from memory.student.life.limits import NotInRange
from memory.student.life.metrics import set_measures
from memory.student.sleep.timing import has_memory_on

logger = structlog.get_logger(__name__)

#: What memories form from, and where such a memory says that it came from. Snapshots are read, not remembered.
SOURCES = {
    SealedBox.Kind.OBSERVATION: MemorySource.Kind.OBSERVATION,
    SealedBox.Kind.LESSON: MemorySource.Kind.LESSON,
    SealedBox.Kind.PROMPT_RUN: MemorySource.Kind.PROMPT_RUN,
    SealedBox.Kind.TRANSCRIPT: MemorySource.Kind.TRANSCRIPT,
}
#: What is taken in: what memories form from, and what becomes measures of days.
TAKEN_IN = (*SOURCES, SealedBox.Kind.METRICS)
#: What the owner said themselves: said while memory was off, it is never remembered.
OWN_WORDS = {MemorySource.Kind.PROMPT_RUN, MemorySource.Kind.TRANSCRIPT}


def awaits_key(space: UUID) -> bool:
    """Tell whether boxes wait for the key of `space`; needs none. While memory is off they wait for that alone."""
    return has_memory_on(space) and bool(inbox.pending_boxes(space, kinds=TAKEN_IN))


def take_in_all(
    space: UUID, *, key: SpaceKey, now: datetime, also: Callable[[Said], None] = lambda said: None
) -> int:
    """Take in every box that waits, in the order they were sent; return how many were taken in.

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
    foresight = Foresight(space)
    for box in inbox.pending_boxes(space, kinds=TAKEN_IN):
        try:
            taken += take_in(space, box, key=key, now=now, also=also, foresight=foresight) is not None
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
    foresight: Foresight | None = None,
) -> int | None:
    """Take in one box, once; return how many memories are new, or None where there was nothing to do."""
    with space_scope(space):
        box = SealedBox.objects.for_space(space).unopened().filter(pk=box_id).first()
    if box is None or box.kind not in TAKEN_IN or not has_memory_on(space):
        return None
    try:
        contents = read_contents(box.kind, inbox.open_box(box, key), now=now)
        if isinstance(contents, Measures):
            return _keep_measures(box, contents, key, now=now)
    except (BoxBroken, NoInbox, NotInRange):
        inbox.refuse_box(box, now=now)
        logger.warning("memory.box_refused", box=str(box.pk))
        return None
    everything = _said_in(box, contents, now=now)
    off = find_times_off(space, {one.said_at for one in everything if one.source_kind in OWN_WORDS})
    said = [one for one in everything if one.source_kind not in OWN_WORDS or one.said_at not in off]

    def claim(_drafts: Sequence[Draft]) -> bool:
        return _claim(box, said, also, now=now)

    return form_memories(said, space=space, key=key, now=now, claim=claim, foresight=foresight)


def _keep_measures(box: SealedBox, measures: Measures, key: SpaceKey, *, now: datetime) -> int | None:
    """Set the measures of a box, all or none, and no memory. What was sent while memory was off is set aside."""
    space = box.space_id
    with unlocked(space, key), write_scope(space):
        if not _claim(box, (), lambda said: None, now=now):
            return None
        if not was_memory_off(space, measures.at):
            for one in measures.days:
                set_measures(space, one.day, one.values, now=now, received_at=measures.at)
    return 0


def _said_in(box: SealedBox, contents: Contents, *, now: datetime) -> list[Said]:
    """Return what memories form from, in the order in which it is to be read. A time ahead of now counts as now.

    All of a session is the system's word, as of any lesson: what it reports can give the companion no instruction in the
    student's name. That there was a session comes last, so that what the student said about its subject counts as new.
    """
    by_teacher = box.sender_id is not None
    whole = Said(
        text=contents.to_words(),
        language=contents.language,
        said_at=contents.at,
        source_kind=SOURCES[SealedBox.Kind(box.kind)],
        source_id=box.pk,
        trust=MemoryNode.Trust.TEACHER if by_teacher else MemoryNode.Trust.SYSTEM,
    )
    if not isinstance(contents, Session):
        return [whole]
    whole = replace(whole, trust=MemoryNode.Trust.SYSTEM, conversation_id=contents.conversation)
    turns = [
        replace(
            whole,
            text=turn.text,
            language=turn.language,
            said_at=min(turn.at, now),
            position=turn.position,
        )
        for turn in contents.turns
    ]
    heading = replace(whole, source_kind=MemorySource.Kind.LESSON)
    return [*turns, heading] if contents.title else turns


def _claim(box: SealedBox, said: Sequence[Said], also: Callable[[Said], None], *, now: datetime) -> bool:
    """Mark a box as opened; False where somebody did, or where its owner has switched the memory off meanwhile."""
    if not has_memory_on(box.space_id) or not inbox.claim_box(box, now=now):
        return False
    for one in said:
        also(one)
    return True
