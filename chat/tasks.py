"""Background jobs of the chat: ids in, one service called, safe to run twice."""

from collections.abc import Callable
from datetime import datetime
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
from companion_site.vault.boxes import SpaceKey
from companion_site.vault.leases import leased_job

#: how long one job works before it lets others go first
SLICE_S = 5.0


def _slice_of_time() -> Callable[[], bool]:
    """Return a question that says no once a job has worked for its slice."""
    until = monotonic() + SLICE_S
    return lambda: monotonic() < until


@leased_job("memory.formation")
def form_memory(key: SpaceKey, message_id: UUID, *, now: datetime) -> None:
    """Form the memories of one message."""
    form_from_message(key.space, message_id, key=key, now=now)


@leased_job("memory.formation")
def form_awaiting(key: SpaceKey, *, now: datetime) -> None:
    """Form what had to wait for the space's key, a slice of time's worth; the rest goes behind what others wait for."""
    may_go_on = _slice_of_time()
    form_all_awaiting(key.space, key=key, now=now, may_go_on=may_go_on)
    if not may_go_on() and find_awaiting(key.space):
        enqueue("chat.tasks.form_awaiting", key.space)


@leased_job("memory.exchange")
def read_exchange(key: SpaceKey, conversation_id: UUID, *, now: datetime) -> None:
    """Read with a model what was said in a conversation since it was last read."""
    exchange.read_exchange(key.space, conversation_id, key=key, now=now)


@job
def queue_readings() -> None:
    """Queue the reading of conversations that have fallen silent."""
    due.queue_due(now=timezone.now())


@leased_job("memory.inbox")
def open_boxes(key: SpaceKey, *, now: datetime) -> None:
    """Take in what others sealed into the space."""
    take_in_boxes(key.space, key=key, now=now)


@leased_job("chat.import")
def go_on_with_import(key: SpaceKey, source_id: UUID, *, now: datetime) -> None:
    """Go on with an import for a slice of time; the rest goes behind what others wait for."""
    if work.go_on(key.space, source_id, key=key, now=now, may_go_on=_slice_of_time()):
        enqueue("chat.tasks.go_on_with_import", key.space, source_id)


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


@leased_job("chat.summary")
def fold_messages(key: SpaceKey, conversation_id: UUID, *, now: datetime) -> None:
    """Fold the oldest messages of one conversation into its summary; what there was no time for is queued again."""
    fold_conversation(key.space, conversation_id, key=key)
    queue_due(key.space, only=conversation_id)


@job
def fold_awaiting(space_id: str) -> None:
    """Queue the folding of everything that had to wait for the space's key."""
    queue_due(UUID(space_id))
