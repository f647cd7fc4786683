"""What was talked of the last time: the last other conversation of a person, in one line."""

from chat.access import ChatAccess
from chat.brief import LastTalk
from chat.models import Conversation, Message
from chat.said import NEUTRAL_TITLES
from chat.summaries.points import read_points
from companion_site.shortening import shorten
from companion_site.vault.columns import opener

MOST_CHARS = 120


def find_last_talk(access: ChatAccess, message: Message) -> LastTalk | None:
    """Return when the person last talked in another conversation with memory, and of what. In the space's scope, unlocked.

    Of one in which danger was spoken of nothing is told but the day, and nothing of what was said while memory was off.
    """
    space = access.space
    row = (
        Conversation.objects.for_space(space)
        .of_author(access.person)
        .with_memory()
        .filter(messages__role=Message.Role.PERSON, brought_by__isnull=True)
        .exclude(pk=message.conversation_id)
        .order_by("-updated_at", "-id")
        .values_list("pk", "updated_at", "title", "summary", named=True)
        .first()
    )
    if row is None:
        return None
    said = Message.objects.for_space(space).filter(conversation_id=row.pk)
    if said.of_danger().exists():
        return LastTalk(at=row.updated_at)
    about = ""
    if row.summary is not None:
        points = read_points(opener(space, Conversation, "summary")(row.pk, row.summary))
        about = points[-1].text if points else ""
    elif row.title is not None:
        first = said.said_by_person().order_by("position").first()
        if first is not None and said.may_be_kept().filter(pk=first.pk).exists():
            about = opener(space, Conversation, "title")(row.pk, row.title)
    return LastTalk(
        at=row.updated_at, about="" if about in NEUTRAL_TITLES.values() else shorten(about, MOST_CHARS)
    )
