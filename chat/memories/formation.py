"""Forming memories from what was said in a conversation: read, think, write; and what an open page has yet to be told of it.

The notice of what was formed (chat/notices.py) may be lost, so the database is asked as well: less and less often, and not at all
while nothing waits (`Awaited`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db.models import Count, F

from chat.access import ChatAccess
from chat.models import Message
from chat.notices import announce_formed
from chat.threads import DATABASE_LOST, in_thread
from companion_site.errors import SpaceLocked
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import space_scope
from memory.models import MemorySource
from memory.student.ingest.formation import Draft, Said
from memory.student.ingest.pipeline import form_memories


def form_from_message(space: UUID, message: UUID, *, key: SpaceKey, now: datetime) -> int | None:
    """Form the memories of one message, once; return how many, or None where there was nothing to do.

    Two workers at once form them once; killed anywhere, it has either written everything or nothing.
    """
    with unlocked(space, key):
        said = _read_awaiting(space, message)
    if said is None:
        return None
    claim = partial(_claim, space, message, now=now)
    formed = form_memories([said], space=space, key=key, now=now, claim=claim)
    if formed is not None and said.conversation_id is not None:
        announce_formed(said.conversation_id, message, find_settled(space, {message})[message])
    return formed


def form_all_awaiting(
    space: UUID, *, key: SpaceKey, now: datetime, may_go_on: Callable[[], bool] = lambda: True
) -> int:
    """Form what had to wait, in the order it was said; return the number of messages done.

    Args:
        may_go_on: asked before each message but the first; where it says no the rest still waits.
    """
    with space_scope(space):
        rows = Message.objects.for_space(space).awaiting_formation().order_by("id")
        ids = list(rows.values_list("id", flat=True))
    done = 0
    for number, message in enumerate(ids):
        if number and not may_go_on():
            break
        done += form_from_message(space, message, key=key, now=now) is not None
    return done


def awaits_formation(space: UUID) -> bool:
    """Tell whether a message of the space still waits; asked inside its scope."""
    return Message.objects.for_space(space).awaiting_formation().exists()


def find_awaiting(space: UUID) -> bool:
    """Tell whether a message of the space still waits."""
    with space_scope(space):
        return awaits_formation(space)


def find_settled(space: UUID, messages: Collection[UUID]) -> dict[UUID, int]:
    """Return which messages wait no longer, with how many memories came from each; needs no key.

    What is no message of this space waits for nothing, and nothing came from it.
    """
    with space_scope(space):
        rows = Message.objects.for_space(space).awaiting_formation().filter(pk__in=messages)
        settled = set(messages).difference(rows.values_list("pk", flat=True))
        counts = count_memories(space, settled)
    return {message: counts.get(message, 0) for message in settled}


def count_memories(space: UUID, messages: Collection[UUID]) -> dict[UUID, int]:
    """Return how many memories came from each message that any came from; asked inside the space's scope.

    One that other words of the same message have taken the place of counts no more.
    """
    sources = MemorySource.objects.for_space(space).filter(source_id__in=messages)
    sources = sources.exclude(node__superseded_by__sources__source_id=F("source_id"))
    return dict(sources.values_list("source_id").annotate(Count("node_id", distinct=True)).order_by())


def _read_awaiting(space: UUID, message: UUID) -> Said | None:
    with space_scope(space):
        row = Message.objects.for_space(space).awaiting_formation().filter(pk=message).first()
        if row is None or row.text is None:
            return None
        return Said(
            text=row.text,
            language=row.language,
            said_at=row.said_at,
            source_kind=MemorySource.Kind.MESSAGE,
            source_id=row.pk,
            conversation_id=row.conversation_id,
            position=row.position,
            speaker=row.speaker,
        )


def _claim(space: UUID, message: UUID, drafts: Sequence[Draft], *, now: datetime) -> bool:
    """Mark a message as remembered; False where another worker did."""
    (draft,) = drafts
    rows = Message.objects.for_space(space).awaiting_formation().filter(pk=message)
    return bool(rows.update(formed_at=now, snr=draft.snr))


FIRST_PAUSE_S = 2.0
LONGEST_PAUSE_S = 60.0
#: So many messages are asked for at once, the newest: what a page names is not bounded by what was said.
MOST_AWAITED = 100
TASK = "awaited"


class Awaited:
    """The messages of one open page that memories are still to be formed from."""

    def __init__(self, access: ChatAccess, tell: Callable[[UUID, int], Awaitable[None]]) -> None:
        self._space = access.space
        self._forms = access.remembers
        self._tell = tell
        self._waiting: set[UUID] = set()
        self._asking: asyncio.Task[None] | None = None

    def add(self, messages: Iterable[UUID]) -> None:
        """Ask for these too, soon and then ever more seldom, unless their notice comes first."""
        if not self._forms:
            return
        # Ids sort by time.
        self._waiting = set(sorted(self._waiting.union(messages))[-MOST_AWAITED:])
        self.end()
        if self._waiting:
            self._asking = asyncio.create_task(self._ask(), name=TASK)

    def settle(self, message: UUID) -> None:
        """Ask no more for a message whose notice has come."""
        self._waiting.discard(message)
        if not self._waiting:
            self.end()

    def end(self) -> None:
        """Ask for nothing any more."""
        if self._asking is not None:
            self._asking.cancel()

    async def _ask(self) -> None:
        pause = FIRST_PAUSE_S
        while self._waiting:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            try:
                settled = await in_thread(find_settled, self._space, frozenset(self._waiting))
            except DATABASE_LOST:
                continue
            except SpaceLocked:
                return  # the log-in has ended, which the page is told by its socket's close
            for message, count in settled.items():
                await self._tell(message, count)
                self._waiting.discard(message)
