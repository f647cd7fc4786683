"""Background jobs of the chat: ids in, one service called, safe to run twice."""

from uuid import UUID

from django.utils import timezone

from chat import expiry
from chat.demo_talk import remember_demo_talk
from chat.formation import form_all_awaiting, form_from_message
from chat.intake import take_in_boxes
from companion_site.jobs import job
from companion_site.vault.leases import leased

FORMATION, INBOX = "memory.formation", "memory.inbox"


@job
def form_memory(space_id: str, message_id: str) -> None:
    """Form the memories of one message, or note that the space must be unlocked first."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=FORMATION, now=now) as key:
        if key is not None:
            form_from_message(key.space, UUID(message_id), key=key, now=now)


@job
def form_awaiting(space_id: str) -> None:
    """Form everything that had to wait for the space's key."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=FORMATION, now=now) as key:
        if key is not None:
            form_all_awaiting(key.space, key=key, now=now)


@job
def open_boxes(space_id: str) -> None:
    """Take in what others sealed into the space, or note that it must be unlocked first."""
    now = timezone.now()
    with leased(UUID(space_id), purpose=INBOX, now=now) as key:
        if key is not None:
            take_in_boxes(key.space, key=key, now=now)


@job
def remove_expired_texts() -> None:
    """Remove the words of messages that have had their time."""
    expiry.remove_expired_texts(now=timezone.now())


@job
def remember_demo_weeks(person_id: str) -> None:
    """Have a demo student's companion remember the weeks that they have talked."""
    remember_demo_talk(UUID(person_id), now=timezone.now())
