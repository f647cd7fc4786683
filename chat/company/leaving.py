"""What the end of a page's socket means for a company's conversation."""

from contextlib import suppress

from django.utils import timezone

from chat.access import ChatAccess
from chat.company.due import leave
from chat.models import Conversation
from chat.threads import DATABASE_LOST, in_thread


async def leave_page(access: ChatAccess, conversation: Conversation) -> None:
    """Have the conversation read at once; without the database it is read after a silence."""
    if not access.remembers:
        with suppress(*DATABASE_LOST):
            await in_thread(leave, access, conversation.pk, now=timezone.now())
