"""What a file is, by its content: a picture, which is made anew from its pixels, or text; anything else is refused with a reason.

Nothing that a camera wrote beside a picture comes along, above all no place. A reason holds neither the name nor a word of
the file: reasons are errors, and those hold no content. How large a file may be is the setting `ATTACHMENT_MAX_BYTES`.
"""

import io
import re
import struct
import threading
import warnings
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import PurePosixPath

from django.conf import settings
from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from companion_site.errors import InvalidInput
from companion_site.language import sanitise


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


#: How each begins; what else Pillow could read is never given to it.
SIGNATURES = {"PNG": b"\x89PNG\r\n\x1a\n", "JPEG": b"\xff\xd8\xff", "GIF": b"GIF8", "WEBP": b"RIFF"}
JPEG_QUALITY = 88
#: What Pillow raises over a damaged or hostile picture.
DAMAGED = (
    OSError,
    ValueError,
    TypeError,
    SyntaxError,
    EOFError,
    LookupError,
    ArithmeticError,
    struct.error,
    Warning,
)
#: One picture of the largest kind takes up to 300 MB and a second while it is read.
_ONE_AT_A_TIME = threading.Lock()

# What has too many pixels is refused below; Pillow would tell of it on the error output besides.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)


@dataclass(frozen=True, kw_only=True)
class CheckedFile:
    """A file as it is kept.

    Attributes:
        content: a PNG or JPEG that holds pixels alone, upright; or text in UTF-8.
        width, height: of a picture, in pixels.
    """

    name: str
    media_type: str
    content: bytes = field(repr=False)
    width: int | None = None
    height: int | None = None


def is_picture(content: bytes) -> bool:
    """Tell by its first bytes whether something is, or wants to be, a picture that can be shown."""
    return any(map(content.startswith, SIGNATURES.values())) and (
        not content.startswith(SIGNATURES["WEBP"]) or content[8:12] == b"WEBP"
    )


def make_picture(name: str, content: bytes) -> CheckedFile:
    """Return a picture made anew, no larger than is kept; of one that moves, what it begins with.

    Raises:
        InvalidInput: it cannot be read, or has too many pixels.
    """
    too_large = InvalidInput(_("The picture has too many pixels."))
    try:
        with _ONE_AT_A_TIME, Image.open(io.BytesIO(content), formats=tuple(SIGNATURES)) as opened:
            most = ATTACHMENTS.jpeg_pixels if opened.format == "JPEG" else ATTACHMENTS.most_pixels
            if opened.width * opened.height > most:
                raise too_large
            is_drawn = opened.format in ("PNG", "GIF")
            kept = (ATTACHMENTS.longest_side, ATTACHMENTS.longest_side)
            opened.draft(None, kept)  # a JPEG is not unpacked larger than needed
            opened.thumbnail(kept)
            return _save(name, ImageOps.exif_transpose(opened), is_drawn=is_drawn)
    except Image.DecompressionBombError:
        raise too_large from None
    except DAMAGED:
        raise InvalidInput(_("The picture is damaged and cannot be read.")) from None


def _save(name: str, image: Image.Image, *, is_drawn: bool) -> CheckedFile:
    """Write the pixels: what is drawn or see-through as PNG unless that is large, photographs as JPEG."""
    is_clear = image.has_transparency_data
    pixels = image.convert("RGBA" if is_clear else "RGB")
    pixels.info.clear()
    if is_drawn or is_clear:
        made = _encoded(name, pixels, "PNG", optimize=False)
        if len(made.content) <= ATTACHMENTS.png_bytes:
            return made
    if is_clear:
        paper = Image.new("RGB", pixels.size, "white")
        paper.paste(pixels, mask=pixels.getchannel("A"))
        pixels = paper
    return _encoded(name, pixels, "JPEG", quality=JPEG_QUALITY)


def _encoded(name: str, pixels: Image.Image, form: str, **options: int) -> CheckedFile:
    file = io.BytesIO()
    pixels.save(file, form, **options)
    width, height = pixels.size
    return CheckedFile(
        name=name, media_type=f"image/{form.lower()}", content=file.getvalue(), width=width, height=height
    )


TEXT_TYPE = "text/plain"
#: Names that promise a picture: what bears one and is none was not meant as text.
PICTURE_ENDINGS = frozenset(
    (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".bmp", ".tif", ".tiff", ".heic", ".avif", ".ico")
)
#: What no text holds: controls but tab, new line, new page and the escape of coloured logs.
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


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
        return make_picture(name, content)
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


def _too_large(most_bytes: int) -> str:
    return _("The file is larger than %(size)s MB.") % {"size": f"{most_bytes / 2**20:.3g}"}
