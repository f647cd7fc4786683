"""What is typed and not sent is sealed on its conversation, comes back wherever its person opens it, and goes when it is sent."""

from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.urls import reverse

from chat import services
from chat.conversations import deletion
from chat.conversations.properties import keep_draft
from chat.models import Conversation
from companion_site.errors import MessageTooLong, NotFound
from companion_site.vault.scope import space_scope
from tests.chat.talking import begin, rows
from tests.factories import NOW, make_access
from tests.live import logged_in, tab

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.spec("C2")]

TEXT = "I have not said this yet,\nand <b>maybe</b> never will"


@pytest.fixture
def row(access) -> Conversation:
    return begin(access)


def draft(access, row) -> str | None:
    with access.open():
        return rows(access, Conversation, pk=row.pk)[0].draft


def test_it_stands_in_the_box_again(access, row):
    """On another device too, as it was typed, sealed; the last that was kept stands, and an empty box keeps nothing."""
    address = reverse("chat:conversation", args=[row.pk])
    for text, shown in (("I have", "I have"), (TEXT, TEXT.replace("<", "&lt;").replace(">", "&gt;"))):
        keep_draft(access, row.pk, text=text)
        assert f"data-box>{shown}</textarea>" in logged_in(access.person.username).get(address).text
    with space_scope(access.space), connection.cursor() as cursor:
        cursor.execute("SELECT draft FROM chat_conversation WHERE id = %s", [row.pk])
        (box,) = cursor.fetchone()
    assert (b"maybe" in bytes(box)) != access.remembers
    keep_draft(access, row.pk, text=" \n")
    assert draft(access, row) is None


def test_it_goes_with_what_is_sent(access, row):
    """Over the page without scripts too; a message that is sent a second time takes nothing with it."""
    keep_draft(access, row.pk, text=TEXT)
    given = {"text": TEXT, "client_id": uuid4()}
    services.say(access, row.pk, **given, now=NOW)
    assert draft(access, row) is None
    keep_draft(access, row.pk, text="The next one")
    services.say(access, row.pk, **given, now=NOW)
    assert draft(access, row) == "The next one"


def test_only_its_own_person_keeps_one(access, row):
    """A stranger's id answers as one that does not exist; so does a deleted conversation's, and what is too long is refused."""
    with pytest.raises(NotFound):
        keep_draft(make_access("eve"), row.pk, text=TEXT)
    with pytest.raises(MessageTooLong, match=r"32000 characters"):
        keep_draft(access, row.pk, text="x" * (settings.MESSAGE_MAX_CHARS + 1))
    deletion.delete(access, row.pk, now=NOW)
    with pytest.raises(NotFound):
        keep_draft(access, row.pk, text=TEXT)


async def test_it_is_kept_over_the_socket(site, ada, browser, conversation):
    """Each frame is kept in its turn, so that a message sent right after it leaves none behind."""
    async with tab(site, browser, conversation) as page:
        await page.send(type="chat.draft", text="Hel")
        await page.say("Hello")
        await page.next("chat.done")
        await page.send(type="chat.draft", text=["x"])
        assert (await page.next("chat.error"))["code"] == "input.invalid"
