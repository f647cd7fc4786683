"""What the end of a page's socket means for its conversation."""

from contextlib import suppress

from django.conf import settings
from django.utils import timezone

from chat.access import ChatAccess
from chat.due import leave
from chat.exchange import read_exchange
from chat.models import Conversation
from chat.threads import DATABASE_LOST, in_thread


async def leave_page(access: ChatAccess, conversation: Conversation) -> None:
    """Have the conversation read at once, here where no worker may hold the key; without the database after a silence."""
    with suppress(*DATABASE_LOST):
        now = timezone.now()
        if access.remembers and not settings.LEASE_HOURS:
            await in_thread(read_exchange, access.space, conversation.pk, key=access.key, now=now)
        else:
            await in_thread(leave, access, conversation.pk, now=now)
