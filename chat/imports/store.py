"""Keeping what was read: one conversation after another, the oldest first, each in a transaction of its own with its part.

What stands here already is known by the export's own ids, so the same export adds nothing, and a later one adds what was said since.
Memories form behind it by the same code as after a chat, from what the person said, with the time they said it.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import F

from chat.access import ChatAccess
from chat.imports.formats import PERSON, Talk
from chat.imports.uploads import Kind, State
from chat.models import Conversation, Import, Message
from chat.said import Sensed, make_title, sense
from chat.services import next_position
from companion_site.jobs import enqueue
from companion_site.language import as_language, detect_language
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import await_key, grant_lease


def keep_next(access: ChatAccess, row: Import, *, now: datetime) -> bool:
    """Keep the oldest conversation that waits; return whether more is left. The caller has unlocked the space."""
    with space_scope(access.space):
        parts = row.parts.for_space(access.space).filter(kind=Kind.CONVERSATION)
        part = parts.order_by(F("began_at").asc(nulls_first=True), "number").first()
        talk = None if part is None else Talk.model_validate_json(part.content)
    title = _title(access, talk) if talk is not None else ""
    with space_scope(access.space):
        lock_space(access.space)
        imports = Import.objects.for_space(access.space).filter(pk=row.pk, state=State.KEEPING)
        if part is None or talk is None:
            if imports.update(state=State.KEPT):
                _form(access, now=now)
            return False
        if not imports.exists() or not parts.filter(pk=part.pk).delete()[0]:
            return False  # it was removed meanwhile, or another worker was faster
        _store(access, row, talk, title)
        imports.update(done=F("done") + 1)
    return True


def _store(access: ChatAccess, row: Import, talk: Talk, title: str) -> None:
    """Write what is missing of a conversation; into one that its person has deleted nothing more comes."""
    rows = Conversation.objects.for_space(access.space).filter(author_id=access.person.pk, origin=talk.origin)
    conversation = rows.select_for_update(no_key=True).first()
    if conversation is None:
        began, ended = _times(row, talk)
        conversation = Conversation.objects.create(
            space_id=access.space,
            author=access.person,
            title=title,
            brought_by=row,
            origin=talk.origin,
            created_at=began,
            updated_at=ended,
        )
    elif conversation.deleted_at is not None:
        return
    Message.objects.bulk_create(list(_messages(access, row, conversation, talk)))


def _messages(access: ChatAccess, row: Import, conversation: Conversation, talk: Talk) -> Iterator[Message]:
    rows = Message.objects.for_space(access.space).filter(conversation=conversation)
    known = set(rows.filter(client_id__isnull=False).values_list("client_id", flat=True))
    position = next_position(conversation)
    before = rows.current().order_by("-position").values_list("pk", flat=True).first()
    at, _ended = _times(row, talk)
    language = as_language(access.person.language)
    for line in talk.lines:
        at = line.at or at
        if line.id in known:
            continue
        by_person = line.who == PERSON
        language = detect_language(line.text, default=language)
        message = Message(
            space_id=access.space,
            conversation=conversation,
            parent_id=before,
            position=position,
            role=Message.Role.PERSON if by_person else Message.Role.COMPANION,
            client_id=line.id,
            text=line.text,
            language=language,
            said_at=at,
            formed_at=None if access.person.memory_on else at,
        )
        yield message
        before, position = message.pk, position + 1


def _times(row: Import, talk: Talk) -> tuple[datetime, datetime]:
    """Return when a conversation began and ended; where nothing says it, when it was uploaded."""
    times = [line.at for line in talk.lines if line.at]
    began = talk.began_at or min(times, default=row.created_at)
    return began, max(times, default=began)


def _title(access: ChatAccess, talk: Talk) -> str:
    """Return what a conversation is called: as there, unless it may be about danger; embeds, so before any transaction."""
    said = next((line.text for line in talk.lines if line.who == PERSON), talk.lines[0].text)
    sensed = sense(said)
    if talk.title and _is_light(sensed) and _is_light(sense(talk.title)):
        return talk.title
    return make_title(
        said, sensed, language=detect_language(said, default=as_language(access.person.language))
    )


def _is_light(sensed: Sensed) -> bool:
    return sensed.is_read and sensed.danger is None


def _form(access: ChatAccess, *, now: datetime) -> None:
    """Let the worker form memories of all of it."""
    if grant_lease(access.key, now=now):
        enqueue("chat.tasks.form_awaiting", access.space)
    else:
        await_key(access.space, now=now)
