"""Files that people attach, and those that mean harm; made here, so that each says what is in it."""

import io
import struct
import zlib
from uuid import UUID

from PIL import Image

from chat import services
from chat.access import ChatAccess
from chat.attachments import store
from chat.models import Attachment, Conversation
from tests.chat.talking import tell
from tests.factories import NOW

#: Where a camera says that a picture was taken, as it writes it.
PLACE = b"55.7047N 13.1910E"
MAKER = b"Kamera av Ada"
NOTES = "Pelle owes 40 kronor.\nMoses ate the budget.\n"


def picture(form: str = "PNG", size: tuple[int, int] = (40, 20), *, colour: str = "teal", **options) -> bytes:
    """Return a picture of one colour."""
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, form, **options)
    return file.getvalue()


def photograph() -> bytes:
    """Return a JPEG that lies on its side, with the place where it was taken, its maker and a thumbnail's room."""
    image = Image.new("RGB", (60, 30), "teal")
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, MAKER.decode()
    exif.get_ifd(0x8825)[29] = PLACE.decode()
    file = io.BytesIO()
    image.save(file, "JPEG", exif=exif, comment=PLACE)
    return file.getvalue()


def bomb(width: int = 50_000, height: int = 50_000) -> bytes:
    """Return a PNG of a few bytes that says it has billions of pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def attach(
    access: ChatAccess, row: Conversation, name: str = "notes.txt", content: bytes | None = None
) -> Attachment:
    """Attach a file to what is said next."""
    given = NOTES.encode() if content is None else content
    return store.add(access, row.pk, name=name, content=given, now=NOW)


def say(access: ChatAccess, row: Conversation, text: str, *attached: UUID, **given) -> services.Exchange:
    return tell(access, row, text, attachments=attached, **given)
