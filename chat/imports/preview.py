"""Reading an upload once: what stands in it waits sealed, one part for each conversation, and a preview tells what there is.

Nothing is kept here. An export that cannot be read to its end goes whole, with the reason.
"""

import io
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field, PlainSerializer

from chat.access import ChatAccess
from chat.imports.files import BadExport, Problem, read_entries
from chat.imports.formats import PERSON, Line, Talk, read_talk
from chat.imports.uploads import Kind, SealedFile, State, keep_parts
from chat.models import Conversation, Import, ImportPart
from companion_site.embeddings.service import get_embedder
from companion_site.language import as_language, detect_language
from companion_site.shortening import shorten
from companion_site.vault.scope import space_scope, write_scope
from memory.models import MemorySource
from memory.student.ingest.formation import Said, draft_memories
from memory.student.workingset import working_sets

#: A message of the person costs a tenth of a second and more to remember, so that these take hours behind the page; some years of
#: daily talk are fewer.
MOST_MESSAGES = 100_000
#: Conversations written at once, and after which the page hears how far it is.
BATCH = 50
#: Examples shown, out of so many sentences tried.
EXAMPLES, TRIED = 5, 30
#: Shorter messages rarely leave anything behind; of a longer one the beginning is tried.
LEAST_CHARS, MOST_CHARS = 25, 600
LONGEST_EXAMPLE = 200


Moment = Annotated[datetime, PlainSerializer(datetime.isoformat)]


class Example(BaseModel):
    """What would be remembered of one sentence, and when that was said."""

    text: str
    at: Moment | None


class Preview(BaseModel):
    """What there is in an export, counted while it is read, and sealed as it is shown; `known` stand here already."""

    sources: list[str] = []
    conversations: int = 0
    messages: int = 0
    said: int = 0
    skipped: int = 0
    split: int = 0
    first: Moment | None = None
    last: Moment | None = None
    known: int = 0
    examples: list[Example] = []
    #: of each conversation its messages: an export may have it twice
    seen: dict[UUID, int] = Field(default_factory=dict, exclude=True)
    samples: list[Line] = Field(default_factory=list, exclude=True)

    def count(self, talk: Talk) -> None:
        """Take in a conversation.

        Raises:
            BadExport: these are more messages than can be remembered.
        """
        before = self.seen.get(talk.origin, 0)
        self.seen[talk.origin] = max(before, len(talk.lines))
        self.sources = sorted({*self.sources, talk.source})
        self.conversations = len(self.seen)
        self.messages += max(0, len(talk.lines) - before)
        if self.messages > MOST_MESSAGES:
            raise BadExport(Problem.TOO_MANY)
        self.skipped += talk.skipped
        self.split += talk.split
        times = [line.at for line in talk.lines if line.at] or ([talk.began_at] if talk.began_at else [])
        if times:
            self.first = min([*times, self.first or times[0]])
            self.last = max([*times, self.last or times[0]])
        if not before:
            said = [line for line in talk.lines if line.who == PERSON]
            self.said += len(said)
            self._sample(said)

    def _sample(self, said: list[Line]) -> None:
        """Keep a sentence of conversations evenly over the export: every one, then every second, every fourth."""
        step = 1 << max(0, (len(self.seen) // TRIED).bit_length())
        if len(self.seen) % step == 0:
            self.samples += islice((line for line in said if len(line.text) >= LEAST_CHARS), 1)
        if len(self.samples) > 2 * TRIED:
            self.samples = self.samples[::2]


def read_upload(access: ChatAccess, row: Import, *, now: datetime) -> bool:
    """Read what was uploaded, to the end; return whether it has to be done again, from the start. The caller has unlocked the space."""
    with space_scope(row.space_id):
        _parts(row, Kind.CONVERSATION).delete()
    preview = Preview()
    try:
        talks = _read(row, preview, now=now)
        written = 0
        while batch := list(islice(talks, BATCH)):
            _write(row, batch, total=preview.conversations)
            written += len(batch)
        if not preview.conversations:
            raise BadExport(Problem.UNKNOWN)
    except BadExport as error:
        _refuse(row, error.problem)
        return False
    preview.examples = _find_examples(access, preview.samples[:TRIED], now=now)
    with write_scope(row.space_id):
        if _parts(row, Kind.CONVERSATION).count() != written:
            return True  # somebody else reads it too, and has begun again
        _parts(row, Kind.FILE).delete()
        preview.known = _count_known(access, preview)
        row.preview = preview.model_dump(mode="json")
        row.state, row.done, row.total = State.READY, 0, written
        row.save(update_fields=["preview", "state", "done", "total"])
    return False


def _read(row: Import, preview: Preview, *, now: datetime) -> Iterator[tuple[int, Talk]]:
    """Yield each conversation in which something was said, with its number."""
    number = 0
    for file, (_name, size) in enumerate(row.files):
        upload = io.BufferedReader(SealedFile(row, file, size))
        for entry in read_entries(upload):
            talk = read_talk(entry, now=now)
            if talk is not None and talk.lines:
                preview.count(talk)
                yield number, talk
                number += 1


def _write(row: Import, talks: list[tuple[int, Talk]], *, total: int) -> None:
    parts = []
    for number, talk in talks:
        raw = talk.model_dump_json().encode()
        parts.append(
            ImportPart(
                space_id=row.space_id,
                source=row,
                kind=Kind.CONVERSATION,
                number=number,
                size=len(raw),
                began_at=talk.began_at,
                content=raw,
            )
        )
    with space_scope(row.space_id):
        keep_parts(parts)
        Import.objects.for_space(row.space_id).filter(pk=row.pk).update(done=total)


def _refuse(row: Import, problem: Problem) -> None:
    with space_scope(row.space_id):
        row.parts.for_space(row.space_id).delete()
        row.state, row.problem = State.FAILED, problem
        row.save(update_fields=["state", "problem"])


def _count_known(access: ChatAccess, preview: Preview) -> int:
    """Return how many of the conversations stand here already, or were deleted and can still be had back."""
    rows = Conversation.objects.for_space(access.space).filter(author_id=access.person.pk)
    return rows.filter(origin__in=list(preview.seen)).count()


def _find_examples(access: ChatAccess, samples: list[Line], *, now: datetime) -> list[Example]:
    """Return what would be remembered of some sentences, by what forms memories; nothing is written, and danger is not shown."""
    embedder = get_embedder()
    working_set = working_sets.get(access.space, model=embedder.model, dimension=embedder.dimension)
    found = []
    for line in samples:
        text = line.text[:MOST_CHARS]
        said = Said(
            text=text,
            language=detect_language(text, default=as_language(access.person.language)),
            said_at=line.at or now,
            source_kind=MemorySource.Kind.MESSAGE,
            source_id=line.id,
        )
        draft = draft_memories(said, working_set=working_set, embedder=embedder)
        if draft.own_statements and not draft.of_danger:
            found.append(Example(text=shorten(draft.own_statements[0].text, LONGEST_EXAMPLE), at=line.at))
        if len(found) == EXAMPLES:
            break
    return found


def _parts(row: Import, kind: str):
    return row.parts.for_space(row.space_id).filter(kind=kind)
