"""A deleted conversation is found nowhere, comes back by one click, and goes with all that was said in it after 30 days."""

from datetime import timedelta

import pytest
from django.urls import reverse

from chat.access import own_conversation
from chat.conversations import deletion
from chat.conversations.properties import has_archive
from chat.conversations.search import search_messages
from chat.memories.formation import form_all_awaiting
from chat.models import Conversation, Message
from companion_site.audit.models import AuditEvent
from companion_site.embeddings.service import get_embedder
from companion_site.errors import NotFound
from memory.models import MemoryNode
from memory.student.corrections import correct_memory
from memory.student.pages.changes import recent_changes
from tests.chat.talking import begin, converse, held, message_at, rows, say, tell
from tests.chat.test_listing import keep, titles
from tests.factories import NOW
from tests.live import logged_in

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.spec("C2")]

TEXT = "What is an electron pair?"
DAY = timedelta(days=1)


def counts(access) -> tuple[int, int]:
    return len(rows(access, Conversation)), len(rows(access, Message))


def test_it_is_found_nowhere(access, page):
    """Not in the list, the search, the archive's first part or by its address; nothing can be said or changed in it."""
    row, other = converse(access, TEXT), converse(access, "Another one")
    said = message_at(access, row)
    answer = keep(page, row, "delete")
    assert answer["Location"] == f"{reverse('chat:conversations')}?deleted={row.pk}"
    assert titles(access) == ["Another one"] and search_messages(access, "electron").count == 0
    assert page.get(reverse("chat:said", args=[said.pk])).status_code == 404
    for name, given in (("conversation", {}), ("message", {"message_id": said.pk})):
        address = reverse(f"chat:{name}", kwargs={"conversation_id": row.pk, **given})
        assert page.get(address).status_code == 404
    for do in ("rename", "pin", "archive", "delete"):
        assert keep(page, row, do, title="Mine").status_code == 404
    with pytest.raises(NotFound):
        tell(access, row, "More")
    assert str(row.pk) not in page.get(reverse("chat:conversation", args=[other.pk])).text


def test_it_comes_back_by_one_click(access, page):
    """From the page that follows, and later from the list of what was deleted, with its place, its name and its words."""
    row = converse(access, TEXT)
    keep(page, row, "pin")
    for back in ("list", "archive"):
        shown = page.get(keep(page, row, "delete", back=back)["Location"]).text
        assert "Deleted." in shown and 'value="undo"' in shown and titles(access) == []
        assert reverse("chat:archive") in page.get(reverse("chat:conversations")).text
        assert TEXT in page.get(reverse("chat:archive")).text
        keep(page, row, "undo", back=back)
        assert titles(access) == [TEXT] and search_messages(access, "electron").count == 1
        assert own_conversation(access, row.pk).pinned_at is not None
    assert keep(page, row, "undo").status_code == 404
    actions = AuditEvent.objects.filter(chain=access.space, subject_id=row.pk).order_by("position")
    assert list(actions.values_list("action", flat=True)) == 2 * [
        "chat.conversation_deleted",
        "chat.conversation_restored",
    ]


def test_its_rows_go_after_thirty_days(access):
    """Not a moment sooner, and nobody else's with them; then there is no way back."""
    row = converse(access, TEXT)
    converse(access, "Another one")
    deletion.delete(access, row.pk, now=NOW)
    assert deletion.remove_deleted(now=NOW + 30 * DAY - timedelta(seconds=1)) == 0 and counts(access) == (
        2,
        4,
    )
    with pytest.raises(NotFound):
        deletion.restore(access, row.pk, now=NOW + 30 * DAY)
    for days, offered in ((29, [row]), (30, [])):
        assert deletion.list_deleted(access, now=NOW + days * DAY) == offered
        assert has_archive(access, now=NOW + days * DAY) == bool(offered)
        assert [deletion.find_deleted(access, str(row.pk), now=NOW + days * DAY)] == (offered or [None])
    assert deletion.remove_deleted(now=NOW + 30 * DAY) == 1 and counts(access) == (1, 2)
    assert titles(access) == ["Another one"] and deletion.list_deleted(access, now=NOW) == []
    assert deletion.remove_deleted(now=NOW + 31 * DAY) == 0


def told(access, *texts: str) -> Conversation:
    """Say something in a conversation of its own, and have it remembered."""
    row = begin(access)
    for text in texts:
        say(access, row, text)
        form_all_awaiting(access.space, key=access.key, now=NOW)
    return row


LUND, EXAM, MOVED = "I live in Lund with my aunt Karin.", "My room is number 12.", "My room is number 40."


@pytest.mark.parametrize("is_archived", [False, True])
def test_what_was_remembered_goes_with_it_and_comes_back(ada, is_archived):
    """What it had replaced holds again meanwhile; what was said elsewhere too stays."""
    page = logged_in("ada")
    told(ada, EXAM, LUND)
    before = held(ada)
    row = told(ada, LUND, MOVED, "I play the violin.")
    after = held(ada)
    if is_archived:
        keep(page, row, "archive")
    answer = keep(page, row, "delete", forget="1", back="archive")
    assert held(ada) == before != after
    assert "undoing this brings both back" in page.get(answer["Location"]).text
    keep(page, row, "undo")
    assert held(ada) == after
    with ada.open():
        (*_, moved) = recent_changes(ada.space, now=NOW)
    assert moved.kind == "superseded" and moved.undone_at is not None


def test_what_was_remembered_stays_and_nothing_is_added(ada):
    """A memory outlives the conversation; what waited in it is remembered only once it is back."""
    told(ada, EXAM)
    before = held(ada)
    row = begin(ada)
    tell(ada, row, LUND)
    deletion.delete(ada, row.pk, now=NOW)
    form_all_awaiting(ada.space, key=ada.key, now=NOW)
    assert held(ada) == before
    deletion.restore(ada, row.pk, now=NOW)
    form_all_awaiting(ada.space, key=ada.key, now=NOW)
    assert held(ada) == [*before, LUND]


def test_what_was_changed_in_it_goes_too_and_comes_back_as_it_was(ada):
    """An earlier word of it does not come up in the place of a later one; what was put right by hand comes back so."""
    row = told(ada, EXAM, MOVED)
    deletion.delete(ada, row.pk, forget=True, now=NOW)
    assert held(ada) == []
    deletion.restore(ada, row.pk, now=NOW)
    assert held(ada) == [MOVED]
    row = told(ada, LUND)
    correction = {"text": "I live in Malmö.", "embedder": get_embedder(), "now": NOW, "actor": ada.person}
    with ada.open():
        (node,) = (one for one in rows(ada, MemoryNode) if one.content == LUND)
        correct_memory(ada.space, node.pk, **correction)
    deletion.delete(ada, row.pk, forget=True, now=NOW)
    assert held(ada) == [MOVED]
    with ada.open():
        assert recent_changes(ada.space, now=NOW)[0].title == "You deleted the conversation it came from"
    deletion.restore(ada, row.pk, now=NOW)
    assert held(ada) == [MOVED, "I live in Malmö."]


def test_a_companys_memory_is_not_one_persons_to_forget(bo):
    """Then the conversation stays as well."""
    row = converse(bo, TEXT)
    assert keep(logged_in("bo"), row, "delete", forget="1").status_code == 400 and titles(bo) == [TEXT]
