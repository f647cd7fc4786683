"""The switch of one conversation's memory; that of all of a person's is `companion_site.accounts.services`."""

from datetime import datetime
from uuid import UUID

from chat.access import ChatAccess, own_conversation
from chat.models import Conversation
from companion_site.audit.services import record_event
from companion_site.vault.scope import lock_space, space_scope
from companion_site.vault.services import await_key, resume_work

SWITCHED = "chat.memory_switched"


def switch_conversation(access: ChatAccess, conversation: UUID, *, on: bool, now: datetime) -> bool:
    """Switch the memory of a person's own conversation; return whether that changed anything.

    Whoever is writing into the memory has finished when this returns. What was said before it was switched off and had
    to wait is queued when it comes on; what was said while it was off is done with.

    Raises:
        NotFound: there is no such conversation of theirs.
    """
    row = own_conversation(access, conversation)
    with space_scope(access.space):
        lock_space(access.space)
        found = Conversation.objects.for_space(access.space).filter(pk=row.pk, memory_on=not on)
        changed = bool(found.update(memory_on=on))
        if changed:
            record_event(
                SWITCHED, chain=access.space, actor=access.person, subject=row, data={"on": on}, now=now
            )
            if on and access.remembers:
                await_key(access.space, now=now)
    if changed and on and access.remembers:
        resume_work(access.key, now=now)
    return changed
