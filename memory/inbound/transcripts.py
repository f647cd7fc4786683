"""The transcript API: what was said in a tutoring session elsewhere, sealed to the student whose session it was, all or nothing.

Whatever is wrong is refused with its place and what would be right, never with what was sent. Nothing of a body is logged.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID, uuid5

import structlog
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST
from pydantic import BeforeValidator, Field, StringConstraints

from companion_site.accounts.classes import student_of_school
from companion_site.accounts.models import LearningSystem, Person
from companion_site.accounts.system_requests import answer_in_json, authenticate
from companion_site.language import Language, as_language, detect_language, sanitise
from memory.inbound.bodies import Inlet, Reported
from memory.inbound.contents import Moment, Name, OwnTurn, Part, Session, Text, Title
from memory.inbound.xapi import is_sent_elsewhere

logger = structlog.get_logger(__name__)

MOST_TURNS, MOST_BYTES = 1_000, 1_000_000
#: Of the student's turns, so many in one box: what is opened at once is read within the time of a job.
TURNS_OF_A_BOX = 20
NOBODY = "student: no student of this school that can be reached. Give their log-in name; they must have logged in once."


def _written(value: Any) -> Any:
    """Let a moment pass only as it is written; a bare number may count seconds, milliseconds or something else."""
    if not isinstance(value, str):
        raise ValueError("give date, time and offset, as 2026-03-02T14:05:00+01:00")
    return value


Written = Annotated[Moment, BeforeValidator(_written)]
Username = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$")]


class Turn(Part):
    """What one side said."""

    speaker: Literal["student", "tutor"]
    text: Text
    at: Written | None = None


class Transcript(Part):
    """One session.

    Attributes:
        student: the log-in name.
        tutor: who or what taught, in words.
    """

    id: UUID
    student: Username
    tutor: Name | None = None
    title: Title
    started_at: Written
    ended_at: Written
    turns: Annotated[list[Turn], Field(min_length=1, max_length=MOST_TURNS)]


API = Inlet(
    name="transcripts",
    form=Transcript,
    whole="transcript",
    names={*Transcript.model_fields, *Turn.model_fields},
    most_bytes=MOST_BYTES,
    bounds=_("Send less at a time: one session of at most 1,000 turns and 1 MB."),
)


def parse_transcript(raw: bytes) -> Reported[Transcript]:
    """Return the transcript of a request's body."""
    given = API.read(raw)
    if not isinstance(given, dict):
        raise API.refused("A transcript is a JSON object.")
    turns = given.get("turns")
    if isinstance(turns, list) and len(turns) > MOST_TURNS:
        raise API.too_large()
    reported = API.parse(given)
    _check_times(reported.said)
    return reported


def _check_times(transcript: Transcript) -> None:
    """Refuse a session whose times do not follow one another: it could not be said when anything was said."""
    latest: datetime = transcript.started_at
    for place, turn in enumerate(transcript.turns):
        if turn.at is not None and not latest <= turn.at <= transcript.ended_at:
            raise API.refused(f"turns.{place}.at: not before the turn before it, and within the session.")
        latest = turn.at or latest
    if transcript.ended_at < transcript.started_at:
        raise API.refused("ended_at: not before started_at.")


def take_in(system: LearningSystem, reported: Reported[Transcript], *, now: datetime) -> UUID:
    """Seal a transcript into its student's space; return its id. Sent again, nothing changes.

    Raises:
        RequestRefused: it is nobody of the system's school, which reason it is stays untold; the id came before and said
            something else.
    """
    transcript = reported.said
    student = student_of_school(system.school, transcript.student)
    if student is None or student.space_id is None:
        raise API.refused(NOBODY)
    if is_sent_elsewhere(system, {transcript.id: student.space_id}):
        raise API.conflict()
    with transaction.atomic():
        for part, contents in enumerate(_contents(transcript, student, now=now)):
            API.seal(
                student.space_id,
                contents,
                # by which each box is known again when the transcript is sent again
                statement_id=uuid5(transcript.id, str(part)) if part else transcript.id,
                identity=reported.identity,
                nobody=API.refused(NOBODY),
                now=now,
            )
    return transcript.id


def _contents(transcript: Transcript, student: Person, *, now: datetime) -> Iterator[Session]:
    """Yield what each box says: the first that there was a session, and all of them what the student said."""
    language = as_language(student.language)
    began = min(transcript.started_at, now)
    turns = list(_own_turns(transcript, language, now=now))
    for part, start in enumerate(range(0, max(len(turns), 1), TURNS_OF_A_BOX)):
        yield Session(
            at=began,
            language=language,
            conversation=transcript.id,
            title="" if part else transcript.title,
            tutor="" if part else transcript.tutor or "",
            turns=turns[start : start + TURNS_OF_A_BOX],
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


@require_POST
@answer_in_json
def transcripts(request: HttpRequest) -> HttpResponse:
    """Take in what was said in one tutoring session. None can be read back."""
    system = authenticate(request, LearningSystem)
    reported = parse_transcript(API.body_of(request))
    transcript = take_in(system, reported, now=timezone.now())
    logger.info("transcripts.taken_in", system=str(system.pk))
    return JsonResponse({"id": str(transcript)})
