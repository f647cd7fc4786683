"""What attachments give a model to read: pictures beside what was said with them, and text files as a block of data.

A file is whoever's words wrote it: it stands between marks that none of its lines can close, and is never an instruction. Where it
is longer than there is room for, the block says how much is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from chat.attachments.files import ATTACHMENTS
from chat.models import Attachment
from companion_site.language import sanitise
from companion_site.llm.fences import defuse
from companion_site.llm.tokens import BYTES_PER_TOKEN, count_tokens
from companion_site.llm.types import Picture

OPENING = "<ATTACHED_FILE>"
CLOSING = "</ATTACHED_FILE>"
#: Less of a file that is cut says nothing.
LEAST_CHARS = 100
#: So much of a file counts as read by who may name what stands in it: more than a request holds.
READ_CHARS = 20_000
ALL_LEFT_OUT = "[There is no room for this file: all {count} characters are left out.]"
REST_LEFT_OUT = "[There is no room for the rest of this file: the last {count} characters are left out.]"


@dataclass(frozen=True)
class TextFile:
    """A text file that the person attached."""

    name: str
    text: str


@dataclass(frozen=True)
class Attached:
    """What goes with messages: pictures by message, and files, those of the latest message first."""

    pictures: Mapping[UUID, tuple[Picture, ...]] = field(default_factory=dict)
    files: Sequence[TextFile] = ()

    @property
    def texts(self) -> list[str]:
        """What stands in the files, as far as a request may hold it."""
        return [file.text[:READ_CHARS] for file in self.files]


NONE_ATTACHED = Attached()


def load_attached(space: UUID, messages: Sequence[UUID]) -> Attached:
    """Return what goes with these messages as far as a request takes it; inside the unlocked space's scope.

    Args:
        messages: the latest first.
    """
    place = {message: number for number, message in enumerate(messages)}
    rows = list(Attachment.objects.for_space(space).filter(message__in=messages).unopened())
    rows.sort(key=lambda row: (place[row.message_id], row.pk))
    seen = [row for row in rows if row.is_picture][: ATTACHMENTS.pictures_asked]
    files = [row for row in rows if not row.is_picture][: ATTACHMENTS.files_asked]
    pictures: dict[UUID, tuple[Picture, ...]] = {}
    for row in seen:
        picture = Picture(name=row.name, media_type=row.type, content=bytes(row.content))
        pictures[row.message_id] = (*pictures.get(row.message_id, ()), picture)
    return Attached(pictures, [TextFile(row.name, sanitise(bytes(row.content).decode())) for row in files])


def write_files(files: Sequence[TextFile], *, tokens: int) -> str:
    """Return a block for each file within `tokens` by estimate: as much of the first as fits, then of the next."""
    blocks: list[str] = []
    for file in files:
        left = tokens - count_tokens(blocks)
        block = _beginning(file, tokens=left)
        if count_tokens([block]) > left:
            break
        blocks.append(block)
    return "\n\n".join(blocks)


def _beginning(file: TextFile, *, tokens: int) -> str:
    """Return the block with as much of a file as fits; with nothing but its name where not even a line does."""
    chars = min(len(file.text), int(tokens * BYTES_PER_TOKEN))
    while chars > 0:
        block = _block(file, chars)
        if count_tokens([block]) <= tokens:
            return block
        chars = chars * 9 // 10 if chars > LEAST_CHARS else 0
    return _block(file, 0)


def _block(file: TextFile, chars: int) -> str:
    name = defuse(file.name).replace('"', "'")
    rest = len(file.text) - chars
    parts = [OPENING, f'The file "{name}", attached by the person:', defuse(file.text[:chars])]
    if rest > 0:
        parts.append((REST_LEFT_OUT if chars else ALL_LEFT_OUT).format(count=f"{rest:,}"))
    return "\n".join(part for part in [*parts, CLOSING] if part)
