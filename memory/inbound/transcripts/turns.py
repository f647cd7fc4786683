"""From an opened box to the things said in it: that there was a session, and each of the student's turns."""

from datetime import datetime
from uuid import UUID

from memory.inbound.contents import Session
from memory.models import MemoryNode, MemorySource
from memory.student.ingest.formation import Said


def said_in(session: Session, *, box: UUID, now: datetime) -> list[Said]:
    """Return what memories form from, in the order in which it is to be read. A time ahead of now counts as now.

    All of it is the system's word, as of any lesson: what it reports can give the companion no instruction in the student's
    name. That there was a session comes last, so that what the student said about its subject counts as new.
    """
    turns = [
        Said(
            text=turn.text,
            language=turn.language,
            said_at=min(turn.at, now),
            source_kind=MemorySource.Kind.TRANSCRIPT,
            source_id=box,
            trust=MemoryNode.Trust.SYSTEM,
            conversation_id=session.conversation,
            position=turn.position,
        )
        for turn in session.turns
    ]
    return [*turns, _heading(session, box)] if session.title else turns


def _heading(session: Session, box: UUID) -> Said:
    return Said(
        text=session.to_words(),
        language=session.language,
        said_at=session.at,
        source_kind=MemorySource.Kind.LESSON,
        source_id=box,
        trust=MemoryNode.Trust.SYSTEM,
        conversation_id=session.conversation,
    )
