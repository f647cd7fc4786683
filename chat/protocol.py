"""The words of the socket: what a browser may say and what it is told. Nothing else names them."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from chat.attachments.files import ATTACHMENTS
from companion_site.errors import CompanionError, InvalidInput

#: "service restart": a page that is told so connects again after a pause
COME_BACK = 1012
LOGGED_OUT, NO_SUCH_CONVERSATION = 4401, 4404


class _Frame(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Sound(_Frame):
    """How a spoken message sounded, as the server measured it and the page brings it back."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    duration_s: float = Field(ge=0, le=3600)
    loudness_db: float = Field(ge=-200, le=20)
    tempo_wps: float | None = Field(default=None, ge=0, le=50)
    pause_share: float = Field(ge=0, le=1)


class Say(_Frame):
    type: Literal["chat.say"]
    client_id: UUID
    text: str
    spoken: bool = Field(default=False, strict=True)
    sound: Sound | None = None
    #: the person's last message, of which this is another version
    instead_of: UUID | None = None
    attachments: list[UUID] = Field(default=[], max_length=ATTACHMENTS.per_message)

    @model_validator(mode="after")
    def _check_sound(self) -> "Say":
        if self.sound is not None and not self.spoken:
            raise ValueError("only what was spoken has a sound")
        return self


class Draft(_Frame):
    """What stands in the message box, not to be sent yet."""

    type: Literal["chat.draft"]
    text: str


class Stop(_Frame):
    type: Literal["chat.stop"]
    reply: UUID


class Retry(_Frame):
    type: Literal["chat.retry"]
    reply: UUID


class Resume(_Frame):
    type: Literal["chat.resume"]
    reply: UUID | None = None
    seq: int = Field(default=0, ge=0)
    #: messages that the page shows as not formed yet
    awaiting: list[UUID] = []
    #: the newest message on the page
    shown: UUID | None = None


Frame = Say | Draft | Stop | Retry | Resume
_FRAME: TypeAdapter[Frame] = TypeAdapter(Annotated[Frame, Field(discriminator="type")])


def parse_frame(content: Any) -> Frame:
    """Return the frame that a browser sent.

    Raises:
        InvalidInput: it is none of ours.
    """
    try:
        return _FRAME.validate_python(content)
    except ValidationError:
        raise InvalidInput() from None


def accepted(client_id: UUID, message: UUID, html: str) -> dict[str, Any]:
    return {"type": "chat.accepted", "client_id": str(client_id), "message_id": str(message), "html": html}


def started(reply: UUID, html: str) -> dict[str, Any]:
    return {"type": "chat.started", "reply": str(reply), "seq": 0, "html": html}


def delta(reply: UUID, seq: int, text: str) -> dict[str, Any]:
    return {"type": "chat.delta", "reply": str(reply), "seq": seq, "text": text}


def drawn(reply: UUID, ended: str, growing: str) -> dict[str, Any]:
    """Return how a growing reply looks: HTML that has ended since the last one, and all of the part that still grows."""
    return {"type": "chat.drawn", "reply": str(reply), "ended": ended, "growing": growing}


def snapshot(reply: UUID, seq: int, text: str) -> dict[str, Any]:
    return {"type": "chat.snapshot", "reply": str(reply), "seq": seq, "text": text}


def done(reply: UUID, html: str, state: str) -> dict[str, Any]:
    return {"type": "chat.done", "reply": str(reply), "html": html, "state": state}


def noted(reply: UUID, html: str) -> dict[str, Any]:
    return {"type": "chat.noted", "reply": str(reply), "html": html}


def remembered(message: UUID, count: int, html: str) -> dict[str, Any]:
    return {"type": "chat.remembered", "message": str(message), "count": count, "html": html}


def replaced(message: UUID) -> dict[str, Any]:
    """Return that another version takes a message's place, and that of all that was said after it."""
    return {"type": "chat.replaced", "message": str(message)}


def turned() -> dict[str, Any]:
    """Return that another version was chosen elsewhere: the page shows what stands in the conversation no more."""
    return {"type": "chat.turned"}


def title(text: str) -> dict[str, Any]:
    return {"type": "chat.title", "title": text}


def failure(error: CompanionError, **ids: UUID | None) -> dict[str, Any]:
    """Return an error as the page is told of it, with the ids it concerns."""
    known = {name: str(value) for name, value in ids.items() if value is not None}
    return {
        "type": "chat.error",
        "code": error.code,
        "text": str(error.message),
        "retryable": error.retryable,
        **known,
    }
