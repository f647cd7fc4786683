"""What a file is, by its content: a picture, which is made anew, or text; anything else is refused with a reason.

A reason holds neither the name nor a word of the file: reasons are errors, and those hold no content.
"""

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from django.conf import settings
from django.utils.translation import gettext as _

from chat.attachments.params import ATTACHMENTS
from chat.attachments.pictures import BadPicture, is_picture, make_picture
from companion_site.errors import InvalidInput
from companion_site.language import sanitise

TEXT_TYPE = "text/plain"
#: Names that promise a picture: what bears one and is none was not meant as text.
PICTURE_ENDINGS = frozenset(
    (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".heic", ".avif", ".ico")
)
#: What no text holds: controls but tab, new line, new page and the escape of coloured logs.
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@dataclass(frozen=True, kw_only=True)
class CheckedFile:
    """A file as it is kept.

    Attributes:
        content: a PNG, a JPEG, or text in UTF-8.
        width, height: of a picture, in pixels.
    """

    name: str
    media_type: str
    content: bytes = field(repr=False)
    width: int | None = None
    height: int | None = None


def check_file(name: str, content: bytes) -> CheckedFile:
    """Return a file as it is kept.

    Raises:
        InvalidInput: it is empty, too large, damaged, or neither a picture nor text.
    """
    name = clean_name(name)
    if not content:
        raise InvalidInput(_("The file is empty."))
    if len(content) > settings.ATTACHMENT_MAX_BYTES:
        raise InvalidInput(_too_large(settings.ATTACHMENT_MAX_BYTES))
    if is_picture(content):
        return _check_picture(name, content)
    text = None if PurePosixPath(name).suffix.lower() in PICTURE_ENDINGS else read_text(content)
    if text is None:
        raise InvalidInput(_("Only pictures (PNG, JPEG, WebP, GIF) and text files can be attached."))
    if not text.strip():
        raise InvalidInput(_("The file is empty."))
    if len(content) > ATTACHMENTS.text_bytes:
        raise InvalidInput(_too_large(ATTACHMENTS.text_bytes))
    return CheckedFile(name=name, media_type=TEXT_TYPE, content=text.encode())


def clean_name(name: str) -> str:
    """Return a file's name as one harmless line without its folders; it keeps its ending when it is shortened."""
    line = " ".join(sanitise(name.replace("\\", "/").rsplit("/", 1)[-1]).split())
    line = "".join(char for char in line if char.isprintable()).strip(". ")
    most = ATTACHMENTS.name_chars
    ending = PurePosixPath(line).suffix[:12]
    return (line if len(line) <= most else line[: most - len(ending) - 1] + "…" + ending) or _("file")


def read_text(content: bytes) -> str | None:
    """Return what a file says: UTF-8, UTF-16 that says so, or the Windows letters of older Swedish files; None for no text."""
    if content.startswith(b"%PDF-"):
        return None
    for encoding in (_WIDE.get(content[:2], "utf-8-sig"), "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if _NO_TEXT.search(text) else text.removeprefix("\ufeff")
    return None


def _check_picture(name: str, content: bytes) -> CheckedFile:
    try:
        made = make_picture(content)
    except BadPicture as bad:
        if bad.is_too_large:
            raise InvalidInput(_("The picture has too many pixels.")) from None
        raise InvalidInput(_("The picture is damaged and cannot be read.")) from None
    return CheckedFile(
        name=name, media_type=made.media_type, content=made.content, width=made.width, height=made.height
    )


def _too_large(most_bytes: int) -> str:
    return _("The file is larger than %(size)s MB.") % {"size": f"{most_bytes / 2**20:.3g}"}
