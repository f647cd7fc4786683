"""From bytes to a transcript; whatever is wrong is refused with its place and what would be right, never with what was sent."""

import json
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from companion_site.accounts.strict_json import BadJson, load_json
from memory.inbound.contents import Moment, Name, Text, Title
from memory.inbound.transcripts.errors import TranscriptRefused, TranscriptTooLarge

MOST_TURNS, MOST_BYTES = 1_000, 1_000_000


def _written(value: Any) -> Any:
    """Let a moment pass only as it is written; a bare number may count seconds, milliseconds or something else."""
    if not isinstance(value, str):
        raise ValueError("give date, time and offset, as 2026-03-02T14:05:00+01:00")
    return value


Written = Annotated[Moment, BeforeValidator(_written)]
Username = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$")]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


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


class Reported:
    """A transcript with the bytes that it is compared by when its id comes again."""

    def __init__(self, transcript: Transcript, given: dict[str, Any]) -> None:
        self.transcript = transcript
        compared = {**given, "id": str(transcript.id)}
        self.identity = json.dumps(
            compared, sort_keys=True, ensure_ascii=False, separators=(",", ":")
        ).encode()


def parse_transcript(raw: bytes) -> Reported:
    """Return the transcript of a request's body.

    Raises:
        TranscriptTooLarge, TranscriptRefused.
    """
    if len(raw) > MOST_BYTES:
        raise TranscriptTooLarge()
    given = _load(raw)
    turns = given.get("turns")
    if isinstance(turns, list) and len(turns) > MOST_TURNS:
        raise TranscriptTooLarge()
    try:
        transcript = Transcript.model_validate(given)
    except ValidationError as error:
        raise TranscriptRefused(_tell(error)) from None
    _check_times(transcript)
    return Reported(transcript, given)


def _load(raw: bytes) -> dict[str, Any]:
    try:
        given = load_json(raw)
    except BadJson as error:
        raise TranscriptRefused(str(error)) from None
    if not isinstance(given, dict):
        raise TranscriptRefused("A transcript is a JSON object.")
    return given


def _check_times(transcript: Transcript) -> None:
    """Refuse a session whose times do not follow one another: it could not be said when anything was said."""
    latest: datetime = transcript.started_at
    for place, turn in enumerate(transcript.turns):
        if turn.at is not None and not latest <= turn.at <= transcript.ended_at:
            raise TranscriptRefused(
                f"turns.{place}.at: not before the turn before it, and within the session."
            )
        latest = turn.at or latest
    if transcript.ended_at < transcript.started_at:
        raise TranscriptRefused("ended_at: not before started_at.")


def _tell(error: ValidationError) -> str:
    """Return the first thing that is wrong: where, by our own names for it, and what is expected there."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    known = [str(part) for part in first["loc"] if isinstance(part, int) or part in NAMES]
    return f"{'.'.join(known) or 'transcript'}: {first['msg']}"


#: names that may be repeated to the sender; those of their own making are not
NAMES = {*Transcript.model_fields, *Turn.model_fields}
