"""Pictures made anew from their pixels, so that nothing a camera wrote beside them comes along, above all no place."""

import io
import struct
import threading
import warnings
from dataclasses import dataclass, field

from PIL import Image, ImageOps

from chat.attachments.params import ATTACHMENTS

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
    Image.DecompressionBombError,
    Warning,
)
#: One picture of the largest kind takes up to 300 MB and a second while it is read.
_ONE_AT_A_TIME = threading.Lock()

# What has too many pixels is refused below; Pillow would tell of it on the error output besides.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)


class BadPicture(Exception):
    """It cannot be read, or has too many pixels (`is_too_large`)."""

    def __init__(self, *, is_too_large: bool = False) -> None:
        self.is_too_large = is_too_large
        super().__init__()


@dataclass(frozen=True)
class MadePicture:
    """A PNG or JPEG that holds pixels alone, upright."""

    media_type: str
    content: bytes = field(repr=False)
    width: int
    height: int


def is_picture(content: bytes) -> bool:
    """Tell by its first bytes whether something is, or wants to be, a picture that can be shown."""
    return any(map(content.startswith, SIGNATURES.values())) and (
        not content.startswith(SIGNATURES["WEBP"]) or content[8:12] == b"WEBP"
    )


def make_picture(content: bytes) -> MadePicture:
    """Return a picture made anew, no larger than is kept; of one that moves, what it begins with.

    Raises:
        BadPicture: as told there.
    """
    try:
        with _ONE_AT_A_TIME, Image.open(io.BytesIO(content), formats=tuple(SIGNATURES)) as opened:
            most = ATTACHMENTS.jpeg_pixels if opened.format == "JPEG" else ATTACHMENTS.most_pixels
            if opened.width * opened.height > most:
                raise BadPicture(is_too_large=True)
            is_drawn = opened.format in ("PNG", "GIF")
            kept = (ATTACHMENTS.longest_side, ATTACHMENTS.longest_side)
            opened.draft(None, kept)  # a JPEG is not unpacked larger than needed
            opened.thumbnail(kept)
            return _save(ImageOps.exif_transpose(opened), is_drawn=is_drawn)
    except Image.DecompressionBombError:
        raise BadPicture(is_too_large=True) from None
    except DAMAGED:
        raise BadPicture() from None


def _save(image: Image.Image, *, is_drawn: bool) -> MadePicture:
    """Write the pixels: what is drawn or see-through as PNG unless that is large, photographs as JPEG."""
    is_clear = image.has_transparency_data
    pixels = image.convert("RGBA" if is_clear else "RGB")
    pixels.info.clear()
    if is_drawn or is_clear:
        made = _encoded(pixels, "PNG", optimize=False)
        if len(made.content) <= ATTACHMENTS.png_bytes:
            return made
    if is_clear:
        paper = Image.new("RGB", pixels.size, "white")
        paper.paste(pixels, mask=pixels.getchannel("A"))
        pixels = paper
    return _encoded(pixels, "JPEG", quality=JPEG_QUALITY)


def _encoded(pixels: Image.Image, form: str, **options: int) -> MadePicture:
    file = io.BytesIO()
    pixels.save(file, form, **options)
    return MadePicture(f"image/{form.lower()}", file.getvalue(), *pixels.size)
