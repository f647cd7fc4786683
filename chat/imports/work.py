"""An import's way: each step is begun by its person and done behind the page, a slice of time's worth at once.

Whatever state an import is in says what is to be done next, so a worker that is killed leaves nothing that another could not
go on with. All that an import brought can be removed as one, and had back within 30 days: its conversations are deleted at
once, as by hand; what was remembered from them and from nowhere else is withdrawn behind the page. What its person had
deleted before stays deleted.

What stands here already is known by the export's own ids, so the same export adds nothing, and a later one adds what was said since.
Memories form behind it by the same code as after a chat, from what the person said, with the time they said it.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from uuid import UUID

from django.db.models import F, QuerySet

from chat.access import ChatAccess
from chat.conversations.deletion import KEPT
from chat.imports.formats import PERSON, Talk
from chat.imports.preview import read_upload
from chat.imports.uploads import WAITS, Kind, State, check_whole, own_import
from chat.models import Conversation, Import, Message
from chat.querysets import ConversationQuerySet
from chat.said import Sensed, make_title, sense
from chat.services import next_position
from companion_site.errors import NotFound
from companion_site.jobs import enqueue
from companion_site.language import as_language, detect_language
from companion_site.vault import unlocked
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import await_key, grant_lease
from memory.student.withdrawal import IMPORT_REMOVED, remember_again, withdraw


def keep_next(access: ChatAccess, row: Import, *, now: datetime) -> bool:
    """Keep the oldest conversation that waits; return whether more is left. The caller has unlocked the space."""
    with space_scope(access.space):
        parts = row.parts.for_space(access.space).filter(kind=Kind.CONVERSATION)
        part = parts.order_by(F("began_at").asc(nulls_first=True), "number").first()
        talk = None if part is None else Talk.model_validate_json(part.content)
    title = _title(access, talk) if talk is not None else ""
    with write_scope(access.space):
        imports = Import.objects.for_space(access.space).filter(pk=row.pk, state=State.KEEPING)
        if part is None or talk is None:
            if imports.update(state=State.KEPT) and access.lets_worker_in(now=now):
                enqueue("chat.tasks.form_awaiting", access.space)
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
    Message.objects.bulk_create(list(_missing_messages(access, row, conversation, talk)))


def _missing_messages(
    access: ChatAccess, row: Import, conversation: Conversation, talk: Talk
) -> Iterator[Message]:
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


#: memories let go in one short transaction
BATCH = 50


def withdraw_memories(access: ChatAccess, row: Import, *, now: datetime) -> bool:
    """Let go what was remembered of an import; return whether more is left. The caller has unlocked the space."""
    with write_scope(access.space):
        messages = _messages(row)
        if withdraw(access.space, messages, why=IMPORT_REMOVED, at_most=BATCH, now=now, actor=access.person):
            return True
        _settle(row, State.REMOVING, State.REMOVED)
    return False


def bring_memories_back(access: ChatAccess, row: Import, *, now: datetime) -> bool:
    """Have hold again what was remembered of an import, and what waited be remembered. The caller has unlocked the space."""
    with write_scope(access.space):
        remember_again(access.space, _messages(row), why=IMPORT_REMOVED, now=now, actor=access.person)
        _settle(row, State.RESTORING, State.KEPT)
        if grant_lease(access.key, now=now):
            enqueue("chat.tasks.form_awaiting", access.space)
    return False


#: what is done next, by state; each returns whether more is left
STEPS: dict[str, Callable[..., bool]] = {
    State.READING: read_upload,
    State.KEEPING: keep_next,
    State.REMOVING: withdraw_memories,
    State.RESTORING: bring_memories_back,
}


def finish_upload(access: ChatAccess, source: UUID, *, now: datetime, here: bool = False) -> None:
    """Have an upload read that is whole.

    Args:
        here: read it before this returns, without a worker.

    Raises:
        InvalidInput: a piece is missing.
    """
    with space_scope(access.space), access.open():
        check_whole(_expect(access, source, State.RECEIVING))
    _begin(access, source, State.RECEIVING, State.READING, now=now, here=here)


def keep(access: ChatAccess, source: UUID, *, now: datetime, here: bool = False) -> None:
    """Have what was read kept, with `here` before this returns."""
    _begin(access, source, State.READY, State.KEEPING, now=now, here=here, kept_at=now)


def discard(access: ChatAccess, source: UUID) -> None:
    """Throw away what was uploaded and not kept; nothing of it stays."""
    with write_scope(access.space):
        row = own_import(access, source)
        if row.kept_at is not None:
            raise NotFound()
        row.delete()


def remove(access: ChatAccess, source: UUID, *, now: datetime) -> None:
    """Remove all that an import brought: its conversations at once, and behind the page what was remembered from them."""
    with write_scope(access.space):
        row = _expect(access, source, State.KEPT, State.KEEPING)
        row.parts.for_space(access.space).delete()
        standing = _conversations(row).filter(deleted_at__isnull=True)
        gone = list(standing.values_list("pk", flat=True))
        standing.update(deleted_at=now)
        row.state, row.removed_at, row.done = State.REMOVING, now, 0
        row.save(update_fields=["state", "removed_at", "done"])
        access.record("chat.import_removed", row, now=now, count=len(gone))
    _go_on(access, source, now=now)


def restore(access: ChatAccess, source: UUID, *, now: datetime) -> None:
    """Have a removed import back.

    Raises:
        NotFound: its conversations have gone for good.
    """
    with write_scope(access.space):
        row = _expect(access, source, State.REMOVED)
        if row.removed_at is None or row.removed_at <= now - KEPT:
            raise NotFound()
        _conversations(row).filter(deleted_at=row.removed_at).update(deleted_at=None)
        row.state, row.removed_at = State.RESTORING, None
        row.save(update_fields=["state", "removed_at"])
        access.record("chat.import_restored", row, now=now)
    _go_on(access, source, now=now)


def awaits_work(space: UUID) -> bool:
    """Tell whether an import of the space is to be gone on with; asked inside its scope."""
    return Import.objects.for_space(space).filter(state__in=list(STEPS)).exists()


def find_awaiting(space: UUID) -> list[UUID]:
    """Return the imports of a space that are to be gone on with, the first begun first."""
    with space_scope(space):
        rows = Import.objects.for_space(space).filter(state__in=list(STEPS)).order_by("id")
        return list(rows.values_list("pk", flat=True))


def go_on(
    space: UUID,
    source: UUID,
    *,
    key: SpaceKey,
    now: datetime,
    may_go_on: Callable[[], bool] = lambda: True,
) -> bool:
    """Do what is next for an import; return whether more is left."""
    while True:
        with space_scope(space):
            row = Import.objects.for_space(space).select_related("author").filter(pk=source).first()
        step = STEPS.get(row.state) if row is not None else None
        if row is None or step is None:
            return False
        with unlocked(space, key):
            left = step(ChatAccess(row.author, space, key), row, now=now)
        if left and not may_go_on():
            return True


def remove_unkept(*, now: datetime) -> int:
    """Throw away what nobody said yes to within a day, and imports whose conversations have gone for good; needs no key."""
    # Across spaces, so by the role that sees no content.
    rows = Import.objects.using("metadata")
    unkept = rows.filter(kept_at__isnull=True, created_at__lte=now - WAITS)
    gone = rows.filter(state=State.REMOVED, removed_at__lte=now - KEPT)
    found = [*unkept.values_list("space_id", "pk"), *gone.values_list("space_id", "pk")]
    for space, source in found:
        with space_scope(space):
            Import.objects.for_space(space).filter(pk=source).delete()
    return len(found)


def _settle(row: Import, state: str, following: str) -> None:
    Import.objects.for_space(row.space_id).filter(pk=row.pk, state=state).update(state=following)


def _conversations(row: Import) -> ConversationQuerySet:
    return Conversation.objects.for_space(row.space_id).filter(brought_by=row)


def _messages(row: Import) -> QuerySet:
    rows = Message.objects.for_space(row.space_id).filter(conversation__brought_by=row)
    return rows.said_by_person().values("pk")


def _expect(access: ChatAccess, source: UUID, *states: str) -> Import:
    row = own_import(access, source)
    if row.state not in states:
        raise NotFound()
    return row


def _begin(
    access: ChatAccess,
    source: UUID,
    state: str,
    following: str,
    *,
    now: datetime,
    here: bool,
    **fields: datetime,
) -> None:
    with space_scope(access.space):
        rows = Import.objects.for_space(access.space).filter(author_id=access.person.pk, pk=source)
        if not rows.filter(state=state).update(state=following, done=0, **fields):
            raise NotFound()
        if "kept_at" in fields:
            row = rows.get()
            access.record("chat.import_kept", row, now=now)
    _go_on(access, source, now=now, here=here)


def _go_on(access: ChatAccess, source_id: UUID, *, now: datetime, here: bool = False) -> None:
    """Have a worker go on; where no worker may hold the key, it is done before the page answers."""
    with space_scope(access.space):
        is_leased = not here and grant_lease(access.key, now=now)
        if is_leased:
            enqueue("chat.tasks.go_on_with_import", access.space, source_id)
        else:
            await_key(access.space, now=now)  # for the next unlock, should this be cut short
    if not is_leased:
        go_on(access.space, source_id, key=access.key, now=now)
