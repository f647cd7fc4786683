"""Sealing a session's transcript to the student whose session it was: all of it, or nothing."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction

from companion_site.accounts.classes import student_of_school
from companion_site.accounts.models import LearningSystem, Person
from companion_site.language import Language, as_language, detect_language, sanitise
from companion_site.vault.errors import NoInbox, SpaceClosed, StatementDiffers
from companion_site.vault.inbox import seal_to
from companion_site.vault.models import SealedBox
from memory.inbound.contents import OwnTurn, Session
from memory.inbound.transcripts.errors import TranscriptConflict, TranscriptRefused
from memory.inbound.transcripts.parsing import Reported, Transcript
from memory.inbound.xapi.services import is_sent_elsewhere

#: Of the student's turns, so many in one box: what is opened at once is read within the time of a job.
TURNS_OF_A_BOX = 20
NOBODY = "student: no student of this school that can be reached. Give their log-in name; they must have logged in once."


def take_in(system: LearningSystem, reported: Reported, *, now: datetime) -> UUID:
    """Seal a transcript into its student's space; return its id. Sent again, nothing changes.

    Raises:
        TranscriptRefused: it is nobody of the system's school; which reason it is stays untold.
        TranscriptConflict: the id came before and said something else.
    """
    transcript = reported.transcript
    student = student_of_school(system.school, transcript.student)
    if student is None or student.space_id is None:
        raise TranscriptRefused(NOBODY)
    if is_sent_elsewhere(system, {transcript.id: student.space_id}):
        raise TranscriptConflict()
    with transaction.atomic():
        for part, contents in enumerate(_contents(transcript, student, now=now)):
            _seal(student.space_id, contents, _part_id(transcript.id, part), reported.identity, now=now)
    return transcript.id


def _seal(space: UUID, contents: Session, statement_id: UUID, identity: bytes, *, now: datetime) -> None:
    try:
        seal_to(
            space,
            kind=SealedBox.Kind.TRANSCRIPT,
            text=contents.to_bytes(),
            sender=None,
            statement_id=statement_id,
            identity=identity,
            now=now,
        )
    except StatementDiffers:
        raise TranscriptConflict() from None
    except (NoInbox, SpaceClosed):
        raise TranscriptRefused(NOBODY) from None


def _contents(transcript: Transcript, student: Person, *, now: datetime) -> Iterator[Session]:
    """Yield what each box says: the first that there was a session, and all of them what the student said."""
    language = as_language(student.language)
    began = min(transcript.started_at, now)
    turns = list(_own_turns(transcript, language, now=now))
    parts: Sequence[tuple[OwnTurn, ...]] = [*_batched(turns)] or [()]
    for part, own in enumerate(parts):
        yield Session(
            at=began,
            language=language,
            conversation=transcript.id,
            title="" if part else transcript.title,
            tutor="" if part else transcript.tutor or "",
            turns=list(own),
        )


def _own_turns(transcript: Transcript, language: Language, *, now: datetime) -> Iterator[OwnTurn]:
    """Yield the student's turns at their places in the session; one that tells no time was said when the last that does was.

    What the tutor said is left out: it says what was taught, and nobody vouches for what it may say of the student.
    """
    at = transcript.started_at
    for position, turn in enumerate(transcript.turns, start=1):
        at = turn.at or at
        text = sanitise(turn.text).strip()
        if turn.speaker == "student" and text:
            yield OwnTurn(
                position=position,
                at=min(at, now),
                language=detect_language(text, default=language),
                text=text,
            )


def _batched(turns: Sequence[OwnTurn]) -> Iterator[tuple[OwnTurn, ...]]:
    for start in range(0, len(turns), TURNS_OF_A_BOX):
        yield tuple(turns[start : start + TURNS_OF_A_BOX])


def _part_id(transcript: UUID, part: int) -> UUID:
    """Return the id by which a box is known again when the transcript is sent again."""
    return uuid5(transcript, str(part)) if part else transcript
