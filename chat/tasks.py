"""Background jobs of the chat: ids in, one service called, safe to run twice."""

from collections.abc import Callable
from datetime import datetime
from time import monotonic
from uuid import UUID

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


#: what each does, its service says
form_memory = leased_job("memory.formation")(form_from_message)
read_exchange = leased_job("memory.exchange")(exchange.read_exchange)
open_boxes = leased_job("memory.inbox")(take_in_boxes)
read_conversation = job(dialogue.read_conversation)
queue_readings = job(due.queue_due)
remove_unkept_imports = job(work.remove_unkept)
remove_deleted = job(deletion.remove_deleted)
remember_demo_weeks = job(remember_demo_talk)


@leased_job("memory.formation")
def form_awaiting(space: UUID, *, key: SpaceKey, now: datetime) -> None:
    """Form what had to wait for the space's key, a slice of time's worth; the rest goes behind what others wait for."""
    may_go_on = _slice_of_time()
    form_all_awaiting(space, key=key, now=now, may_go_on=may_go_on)
    if not may_go_on() and find_awaiting(space):
        enqueue("chat.tasks.form_awaiting", space)


@leased_job("chat.import")
def go_on_with_import(space: UUID, source_id: UUID, *, key: SpaceKey, now: datetime) -> None:
    """Go on with an import for a slice of time; the rest goes behind what others wait for."""
    if work.go_on(space, source_id, key=key, now=now, may_go_on=_slice_of_time()):
        enqueue("chat.tasks.go_on_with_import", space, source_id)


@job
def go_on_with_imports(space: UUID, *, now: datetime) -> None:
    """Queue what had to wait for the space's key."""
    for source_id in work.find_awaiting(space):
        enqueue("chat.tasks.go_on_with_import", space, source_id)


@job
def remove_expired_texts(*, now: datetime) -> None:
    """Remove the words of messages that have had their time, and attachments that nobody sent."""
    deletion.remove_expired_texts(now=now)
    attachments.remove_unsent(now=now)


@job
def load_demo_company(space: UUID, *, now: datetime) -> None:
    """Have the demo company's people have talked for three months."""
    load_company(space)


@leased_job("chat.summary")
def fold_messages(space: UUID, conversation: UUID, *, key: SpaceKey, now: datetime) -> None:
    """Fold the oldest messages of one conversation into its summary; what there was no time for is queued again."""
    fold_conversation(space, conversation, key=key)
    queue_due(space, only=conversation)


@job
def fold_awaiting(space: UUID, *, now: datetime) -> None:
    """Queue the folding of everything that had to wait for the space's key."""
    queue_due(space)
