"""Background jobs of the chat: ids in, one service called, safe to run twice."""

from collections.abc import Callable
from time import monotonic
from uuid import UUID

from django.utils import timezone

from chat.attachments import store as attachments
from chat.company import dialogue
from chat.conversations import deletion
from chat.demo.people import load_demo_company as load_company
from chat.demo.talk import remember_demo_talk
from chat.imports import work
from chat.memories import due, exchange
from chat.memories.formation import find_awaiting, form_all_awaiting, form_from_message
from chat.memories.intake import take_in_boxes
from chat.summaries.service import fold_conversation, queue_due
from companion_site.jobs import enqueue, job
from companion_site.vault.leases import leased

#: how long one job works before it lets others go first
SLICE_S = 5.0
FORMATION, READING, INBOX, IMPORT = "memory.formation", "memory.exchange", "memory.inbox", "chat.import"


def _slice_of_time() -> Callable[[], bool]:
    """Return a question that says no once a job has worked for its slice."""
    until = monotonic() + SLICE_S
    return lambda: monotonic() < until


@job
def form_memory(space_id: str, message_id: str) -> None:
    """Form the memories of one message, or note that the space must be unlocked first."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=FORMATION, now=now) as key:
        if key is not None:
            form_from_message(key.space, UUID(message_id), key=key, now=now)


@job
def form_awaiting(space_id: str) -> None:
    """Form what had to wait for the space's key, a slice of time's worth; the rest goes behind what others wait for."""
    now, space, may_go_on = timezone.now(), UUID(space_id), _slice_of_time()
    with leased(space, purpose=FORMATION, now=now) as key:
        if key is not None:
            form_all_awaiting(space, key=key, now=now, may_go_on=may_go_on)
            if not may_go_on() and find_awaiting(space):
                enqueue("chat.tasks.form_awaiting", space)


@job
def read_exchange(space_id: str, conversation_id: str) -> None:
    """Read with a model what was said in a conversation since it was last read, or note that the space must be unlocked first."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=READING, now=now) as key:
        if key is not None:
            exchange.read_exchange(key.space, UUID(conversation_id), key=key, now=now)


@job
def queue_readings() -> None:
    """Queue the reading of conversations that have fallen silent."""
    due.queue_due(now=timezone.now())


@job
def open_boxes(space_id: str) -> None:
    """Take in what others sealed into the space, or note that it must be unlocked first."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=INBOX, now=now) as key:
        if key is not None:
            take_in_boxes(key.space, key=key, now=now)


@job
def go_on_with_import(space_id: str, import_id: str) -> None:
    """Go on with an import for a slice of time, or note that the space must be unlocked first; the rest goes behind what others wait for."""
    now, space, source_id = timezone.now(), UUID(space_id), UUID(import_id)
    with leased(space, purpose=IMPORT, now=now) as key:
        if key is not None and work.go_on(space, source_id, key=key, now=now, may_go_on=_slice_of_time()):
            enqueue("chat.tasks.go_on_with_import", space, source_id)


@job
def go_on_with_imports(space_id: str) -> None:
    """Queue what had to wait for the space's key."""
    space = UUID(space_id)
    for source_id in work.find_awaiting(space):
        enqueue("chat.tasks.go_on_with_import", space, source_id)


@job
def remove_unkept_imports() -> None:
    """Throw away the uploads that nobody said yes to."""
    work.remove_unkept(now=timezone.now())


@job
def remove_expired_texts() -> None:
    """Remove the words of messages that have had their time, and attachments that nobody sent."""
    deletion.remove_expired_texts(now=timezone.now())
    attachments.remove_unsent(now=timezone.now())


@job
def remove_deleted() -> None:
    """Remove the conversations that nobody can have back any more."""
    deletion.remove_deleted(now=timezone.now())


@job
def load_demo_company(space_id: str) -> None:
    """Have the demo company's people have talked for three months."""
    load_company(UUID(space_id))


@job
def remember_demo_weeks(person_id: str) -> None:
    """Have a demo student's companion remember the weeks that they have talked."""
    remember_demo_talk(UUID(person_id), now=timezone.now())


@job
def read_conversation(space_id: str, conversation_id: str) -> None:
    """Take the facts from what was said in a conversation since it was last read."""
    dialogue.read_conversation(UUID(space_id), UUID(conversation_id), now=timezone.now())


SUMMARY = "chat.summary"


@job
def fold_messages(space_id: str, conversation_id: str) -> None:
    """Fold the oldest messages of one conversation into its summary, or note that the space must be unlocked first.

    What there was no time for is queued again.
    """
    with leased(UUID(space_id), purpose=SUMMARY, now=timezone.now()) as key:
        if key is not None:
            fold_conversation(key.space, UUID(conversation_id), key=key)
            queue_due(key.space, only=UUID(conversation_id))


@job
def fold_awaiting(space_id: str) -> None:
    """Queue the folding of everything that had to wait for the space's key."""
    queue_due(UUID(space_id))
