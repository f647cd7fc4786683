"""What was talked of the last time: the last other conversation of a person, in one line."""

from uuid import UUID

from chat.access import ChatAccess
from chat.brief import LastTalk
from chat.models import Conversation, Message
from chat.querysets import MessageQuerySet
from chat.said import NEUTRAL_TITLES
from chat.summaries.points import read_points
from companion_site.shortening import shorten
from companion_site.vault.columns import opener

MOST_CHARS = 120
#: Of the conversations that were changed last, so many are looked at for what was said last.
LOOKED_AT = 5


def find_last_talk(access: ChatAccess, message: Message) -> LastTalk | None:
    """Return when the person last talked in another conversation with memory, and of what. In the space's scope, unlocked.

    Of one in which danger was spoken of nothing is told but the day, and nothing of what was said while memory was off.
    """
    space = access.space
    others = (
        Conversation.objects.for_space(space)
        .of_author(access.person)
        .with_memory()
        .filter(brought_by__isnull=True)
        .exclude(pk=message.conversation_id)
        .order_by("-updated_at", "-id")
        .values_list("pk", flat=True)[:LOOKED_AT]
    )
    said_there = (
        Message.objects.for_space(space)
        .said_by_person()
        .filter(conversation_id__in=list(others), said_at__lte=message.said_at)
    )
    last = said_there.order_by("-said_at", "-id").values_list("conversation_id", "said_at").first()
    if last is None:
        return None
    conversation, at = last
    said = Message.objects.for_space(space).filter(conversation_id=conversation)
    about = "" if said.of_danger().exists() else _read_about(access, conversation, said)
    return LastTalk(at=at, about="" if about in NEUTRAL_TITLES.values() else shorten(about, MOST_CHARS))


def _read_about(access: ChatAccess, conversation: UUID, said: MessageQuerySet) -> str:
    """Return the last point of a conversation's summary, or its title where it has none; "" where that is not to be told."""
    rows = Conversation.objects.for_space(access.space).filter(pk=conversation)
    row = rows.values_list("title", "summary", named=True).get()
    if row.summary is not None:
        points = read_points(opener(access.space, Conversation, "summary")(conversation, row.summary))
        return points[-1].text if points else ""
    first = said.said_by_person().order_by("position").values_list("pk", flat=True).first()
    if row.title is None or not said.may_be_kept().filter(pk=first).exists():
        return ""
    return opener(access.space, Conversation, "title")(conversation, row.title)
