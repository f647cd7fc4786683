"""Removing all that an import brought, as one, and having it back within 30 days.

Its conversations are deleted at once, as by hand; what was remembered from them and from nowhere else is withdrawn behind the page.
What its person had deleted before stays deleted.
"""

from datetime import datetime

from django.db.models import QuerySet

from chat.access import ChatAccess
from chat.conversations.deletion import KEPT
from chat.imports.uploads import State
from chat.models import Conversation, Import, Message
from chat.querysets import ConversationQuerySet
from companion_site.audit.services import record_event
from companion_site.errors import NotFound
from companion_site.jobs import enqueue
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import grant_lease
from memory.student.withdrawal import IMPORT_REMOVED, remember_again, withdraw

#: memories let go in one short transaction
BATCH = 50


def take_out(access: ChatAccess, row: Import, *, now: datetime) -> None:
    """Delete an import's conversations; what waits to be kept goes. Under the space's lock."""
    row.parts.for_space(access.space).delete()
    standing = _conversations(row).filter(deleted_at__isnull=True)
    gone = list(standing.values_list("pk", flat=True))
    standing.update(deleted_at=now)
    row.state, row.removed_at, row.done = State.REMOVING, now, 0
    row.save(update_fields=["state", "removed_at", "done"])
    record_event(
        "chat.import_removed",
        chain=access.space,
        actor=access.person,
        subject=row,
        data={"count": len(gone)},
        now=now,
    )


def put_back(access: ChatAccess, row: Import, *, now: datetime) -> None:
    """Have the conversations back that went with an import. Under the space's lock.

    Raises:
        NotFound: they have gone for good.
    """
    if row.removed_at is None or row.removed_at <= now - KEPT:
        raise NotFound()
    _conversations(row).filter(deleted_at=row.removed_at).update(deleted_at=None)
    row.state, row.removed_at = State.RESTORING, None
    row.save(update_fields=["state", "removed_at"])
    record_event("chat.import_restored", chain=access.space, actor=access.person, subject=row, now=now)


def withdraw_memories(access: ChatAccess, row: Import, *, now: datetime) -> bool:
    """Let go what was remembered of an import; return whether more is left. The caller has unlocked the space."""
    with space_scope(access.space):
        lock_space(access.space)
        messages = _messages(row)
        if withdraw(access.space, messages, why=IMPORT_REMOVED, at_most=BATCH, now=now, actor=access.person):
            return True
        _settle(row, State.REMOVING, State.REMOVED)
    return False


def bring_memories_back(access: ChatAccess, row: Import, *, now: datetime) -> bool:
    """Have hold again what was remembered of an import, and what waited be remembered. The caller has unlocked the space."""
    with space_scope(access.space):
        lock_space(access.space)
        remember_again(access.space, _messages(row), why=IMPORT_REMOVED, now=now, actor=access.person)
        _settle(row, State.RESTORING, State.KEPT)
        if grant_lease(access.key, now=now):
            enqueue("chat.tasks.form_awaiting", access.space)
    return False


def _settle(row: Import, state: str, following: str) -> None:
    Import.objects.for_space(row.space_id).filter(pk=row.pk, state=state).update(state=following)


def _conversations(row: Import) -> ConversationQuerySet:
    return Conversation.objects.for_space(row.space_id).filter(brought_by=row)


def _messages(row: Import) -> QuerySet:
    rows = Message.objects.for_space(row.space_id).filter(conversation__brought_by=row)
    return rows.said_by_person().values("pk")
