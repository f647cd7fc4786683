"""Reading an exchange with a model once its person pauses: read, ask, write; each part of a conversation once.

Memories have formed by then, message by message (`chat.memories.formation`); this adds what the heads missed, puts what leans on other words
into words that stand alone, and lets go of what was not meant. Without a model it never begins.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter
from uuid import UUID

import numpy as np
import structlog
from django.conf import settings
from django.utils import timezone

from chat.access import ChatAccess
from chat.coaching.actions import MOST_ACTIONS, find_told
from chat.coaching.store import apply_actions
from chat.memories.due import count_parts, find_said, is_waiting, leave, next_messages, rest
from chat.memories.formation import count_memories, form_from_message
from chat.models import Conversation, Message
from chat.notices import announce_formed, announce_noted
from chat.said import NEUTRAL_TITLES, is_made_of
from chat.threads import DATABASE_LOST, in_thread
from chat.turn.topics import make_avoider
from companion_site.embeddings.protocol import Embedder
from companion_site.embeddings.service import get_embedder
from companion_site.language import as_language, fold_words, sanitise
from companion_site.llm.gateway import get_gateway
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import space_scope, write_scope
from memory.models import Goal
from memory.reading.requests import find_request
from memory.reading.service import find_danger
from memory.student.exchange.findings import Findings, read
from memory.student.exchange.merge import Kept, think
from memory.student.exchange.prompts import Exchange, Line
from memory.student.exchange.selectors import find_near, load_formed
from memory.student.exchange.store import store
from memory.student.life.goals import list_goals
from memory.student.life.kinds import Action
from memory.student.life.moods import correct_mood
from memory.student.life.wishes import read_wishes
from memory.student.workingset import working_sets

logger = structlog.get_logger(__name__)

#: Messages of one part and characters in them, so that a model reads each with care; earlier ones that help to understand.
PART_MESSAGES, PART_CHARS, EARLIER = 40, 12_000, 4


@dataclass(frozen=True, kw_only=True)
class _Part:
    """The messages that are read at once."""

    conversation: Conversation
    rows: Sequence[Message]
    earlier: Sequence[Message]

    @property
    def after(self) -> int:
        return self.conversation.extracted_until

    @property
    def said(self) -> list[Message]:
        """What the person said themselves, oldest first."""
        return [row for row in self.rows if row.role == Message.Role.PERSON and row.text and not row.speaker]


def awaits_reading(space: UUID) -> bool:
    """Tell whether a conversation of the space is still to be read; asked inside its scope."""
    return Conversation.objects.for_space(space).with_memory().filter(extract_at__isnull=False).exists()


async def leave_page(access: ChatAccess, conversation: Conversation) -> None:
    """Have a conversation read, for its page was left: here where no worker may hold the key; without the database after a silence."""
    with suppress(*DATABASE_LOST):
        now = timezone.now()
        if access.remembers and not settings.LEASE_HOURS:
            await in_thread(read_exchange, access.space, conversation.pk, key=access.key, now=now)
        else:
            await in_thread(leave, access, conversation.pk, now=now)


def read_due(space: UUID, *, key: SpaceKey, now: datetime) -> int:
    """Read every conversation that is due; return how many parts. For a session that is open, where no worker may hold the key."""
    with space_scope(space):
        due = Conversation.objects.for_space(space).with_memory().filter(extract_at__lte=now)
        ids = list(due.order_by("id").values_list("pk", flat=True))
    return sum(read_exchange(space, conversation, key=key, now=now) for conversation in ids)


def read_exchange(space: UUID, conversation: UUID, *, key: SpaceKey, now: datetime) -> int:
    """Read what was said since the last reading; return how many parts, each with one request to a model.

    Two workers at once read it once; killed anywhere, a part has either changed all that it changes or nothing. Where no model
    answers in the form, what the heads formed stands alone.
    """

    def read_next() -> bool:
        part = _next_part(space, conversation, now=now)
        if part is None:
            return False
        for row in part.said:
            if row.awaits_formation:
                form_from_message(space, row.pk, key=key, now=now)
        return _read_part(space, part, key=key, now=now)

    with unlocked(space, key):
        return count_parts(read_next)


def _next_part(space: UUID, conversation: UUID, *, now: datetime) -> _Part | None:
    with space_scope(space):
        rows = Conversation.objects.for_space(space).with_memory().select_related("author")
        row = rows.filter(pk=conversation).first()
        if row is None:
            return None
        messages, last = find_said(row)
        if last is not None and is_waiting(row, said_at=last.said_at, remembers=True, now=now):
            return None
        if last is None or last.position <= row.extracted_until or not get_gateway().providers:
            rest(row)
            return None
        earlier = messages.filter(position__lte=row.extracted_until).order_by("-position")[:EARLIER]
        part = next_messages(messages, after=row.extracted_until, most=PART_MESSAGES, most_chars=PART_CHARS)
        return _Part(conversation=row, rows=part, earlier=list(earlier)[::-1])


def _read_part(space: UUID, part: _Part, *, key: SpaceKey, now: datetime) -> bool:
    """Read one part and write what comes of it; False where another worker was faster."""
    began = perf_counter()
    embedder = get_embedder()
    exchange = _show(space, part, embedder)
    findings = read(exchange) if exchange.new else None
    kept: list[Kept] = []
    if findings is not None:
        kept = think(
            findings,
            exchange,
            conversation=part.conversation.pk,
            working_set=working_sets.get(space, model=embedder.model, dimension=embedder.dimension),
            embedder=embedder,
        )
    found = findings or Findings()
    with write_scope(space):
        if not _claim(space, part, now=now):
            return False
        formed = store(space, kept, unmeant=found.unmeant, now=now)
        _entitle(space, part, found.title)
        noted = _note(space, part, found, exchange, key=key, now=now)
        counts = count_memories(space, {row.pk for row in part.said})
    if findings is not None:
        _announce(part, counts, noted)
    logger.info(
        "exchange.read",
        space=str(space),
        conversation=str(part.conversation.pk),
        form="offline" if findings is None else "model",
        messages=len(part.said),
        formed=formed,
        unmeant=len(found.unmeant),
        noted=len(noted),
        duration_ms=round((perf_counter() - began) * 1000, 1),
    )
    return True


def _show(space: UUID, part: _Part, embedder: Embedder) -> Exchange:
    """Return what the model is shown: the messages, what formed of them, what is near, and goals; nothing that the person avoids."""
    said = part.said
    texts = [sanitise(row.text or "") for row in said]
    vectors = embedder.embed(texts) if texts else np.zeros((0, embedder.dimension), dtype=np.float32)
    lines = {
        row.pk: _line(
            row,
            is_new=True,
            of_danger=find_danger(text, vector=vector, embedder=embedder) is not None,
            may_keep=find_request(text, vector=vector, embedder=embedder) != "forget_this",
        )
        for row, text, vector in zip(said, texts, vectors, strict=True)
    }
    shown = [row for row in (*part.earlier, *part.rows) if row.text and not row.speaker]
    avoider = make_avoider(read_wishes(space).avoid)
    formed, gone = load_formed(
        space, set(lines), of_danger={line.id for line in lines.values() if line.of_danger}
    )
    near = find_near(
        vectors,
        working_sets.get(space, model=embedder.model, dimension=embedder.dimension),
        embedder,
        without={one.id for one in formed},
        avoids=avoider.avoids,
    )
    pursued = [(goal.id, goal.text) for goal in list_goals(space, states=[Goal.State.ACTIVE])]
    return Exchange(
        lines=[lines.get(row.pk) or _line(row) for row in shown],
        held=[*formed, *near],
        goals=[(goal, text) for goal, text in pursued if not avoider.avoids(text)],
        settled=gone,
    )


def _line(row: Message, **read: bool) -> Line:
    return Line(
        id=row.pk,
        number=row.position,
        text=sanitise(row.text or ""),
        language=as_language(row.language),
        said_at=row.said_at,
        is_person=row.role == Message.Role.PERSON,
        **read,
    )


def _claim(space: UUID, part: _Part, *, now: datetime) -> bool:
    """Note up to where a conversation has been read.

    False where another worker did, where its memory is off by now, or another version stands there of what was read.
    """
    rows = Conversation.objects.for_space(space).with_memory().select_for_update(no_key=True, of=("self",))
    row = rows.filter(pk=part.conversation.pk, extracted_until=part.after).first()
    read = Message.objects.for_space(space).current().filter(pk__in=[message.pk for message in part.rows])
    if row is None or read.count() < len(part.rows):
        return False
    row.extracted_until = part.rows[-1].position
    _, last = find_said(row)
    if last is None or last.position <= row.extracted_until:
        row.extract_at = None
    row.save(update_fields=["extracted_until", "extract_at"])
    return True


def _entitle(space: UUID, part: _Part, title: str) -> None:
    """Call a conversation by what it is about, at its first reading, unless its person gave it a name or it began with danger."""
    first = next((row.text for row in part.said if row.text), None)
    if part.after or not title or first is None or make_avoider(read_wishes(space).avoid).avoids(title):
        return
    row = Conversation.objects.for_space(space).get(pk=part.conversation.pk)
    if row.title not in (None, *NEUTRAL_TITLES.values()) and is_made_of(row.title, first):
        row.title = title
        row.save(update_fields=["title"])


def _note(
    space: UUID, part: _Part, findings: Findings, exchange: Exchange, *, key: SpaceKey, now: datetime
) -> list[UUID]:
    """Write down feelings, and what messages ask to be noted of which nothing was; return the messages of either."""
    rows = {row.pk: row for row in part.said}
    noted = []
    # Those that were felt come first: one that is taken away counts as taken back.
    for message, state in sorted(
        findings.feelings.items(), key=lambda one: one[1].primary_emotion == "neutral"
    ):
        row = rows[message]
        # Who only asks tells no feeling.
        if state.primary_emotion == "neutral" or find_told(sanitise(row.text or "")):
            correct_mood(space, state, message, at=row.said_at, now=now)
            noted.append(message)
    access = ChatAccess(part.conversation.author, space, key)
    goals = [goal for goal, _ in exchange.goals]
    for row in part.said:
        actions = _actions_of(row, findings)
        if apply_actions(access, row.pk, actions, pursued=goals, now=now):
            noted.append(row.pk)
    return list(dict.fromkeys(noted))


def _actions_of(row: Message, findings: Findings) -> list[Action]:
    """Return what a message asks to be noted, of words that the person says themselves, outside of quotations and questions."""
    wanted = [action for message, action in findings.actions if message == row.pk]
    if not wanted:
        return []
    said = " \n ".join(map(fold_words, find_told(sanitise(row.text or ""))))
    found: list[Action] = []
    for action in wanted:
        if fold_words(action.text).strip(" .!…") in said and action not in found:
            found.append(action)
    return found[:MOST_ACTIONS]


def _announce(part: _Part, counts: dict[UUID, int], noted: Sequence[UUID]) -> None:
    """Tell open pages what stands under their messages by now."""
    conversation = part.conversation.pk
    replies = {row.parent_id: row.pk for row in part.rows if row.role == Message.Role.COMPANION}
    for row in part.said:
        announce_formed(conversation, row.pk, counts.get(row.pk, 0))
    for message in noted:
        if message in replies:
            announce_noted(conversation, message, replies[message])
