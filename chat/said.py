"""What a person said, before it is a row: its words as they are kept, a title from them, and how it was said."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings

from companion_site.errors import EmptyMessage, InvalidInput, MessageTooLong
from companion_site.language import sanitise
from companion_site.shortening import shorten

TITLE_LENGTH = 60


@dataclass(frozen=True, kw_only=True)
class Voice:
    """Whether something came in by voice, and how it sounded then (the fields of `protocol.Sound`)."""

    spoken: bool = False
    sound: dict[str, Any] | None = None

    def columns(self) -> dict[str, Any]:
        """Return what the message's row keeps of it, the sound sealed."""
        heard = self.sound if self.spoken else None
        return {"spoken": self.spoken, "outcome": {"sound": heard} if heard else None}


WRITTEN = Voice()


def check_text(text: Any) -> str:
    """Return a message's text as it will be stored.

    Raises:
        InvalidInput: not text. EmptyMessage, MessageTooLong: as named.
    """
    if not isinstance(text, str):
        raise InvalidInput()
    if len(text) > settings.MESSAGE_MAX_CHARS:
        raise MessageTooLong()
    clean = sanitise(text).strip()
    if not clean:
        raise EmptyMessage()
    return clean


def make_title(text: str) -> str:
    """Return a conversation's first title: its first line, shortened at a word."""
    return shorten(text.splitlines()[0], TITLE_LENGTH)
