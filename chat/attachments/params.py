"""Bounds of attachments; how large a file may be is the setting `ATTACHMENT_MAX_BYTES`."""

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, kw_only=True)
class Attachments:
    """Bounds of what goes with messages.

    Attributes:
        per_message: files of one message, and of those that wait to be sent in one conversation.
        jpeg_pixels: of a photograph as it comes, which is read at half its size or less; a phone's camera has up to 50 million.
        most_pixels: of any other picture; a screen of 5K has 15 million.
        longest_side: of a picture as it is kept, in pixels; providers make larger ones smaller.
        png_bytes: a larger PNG is kept as JPEG; providers take 5 MB and less.
        text_bytes: of a text file.
        name_chars: of a name.
        waits: how long what is not sent is kept.
        pictures_asked, files_asked: of one request, those of the latest messages.
    """

    per_message: int = 4
    jpeg_pixels: int = 50_000_000
    most_pixels: int = 16_000_000
    longest_side: int = 2048
    png_bytes: int = 3_000_000
    text_bytes: int = 1_000_000
    name_chars: int = 100
    waits: timedelta = timedelta(days=7)
    pictures_asked: int = 4
    files_asked: int = 8


ATTACHMENTS = Attachments()
