"""What is somebody's own of a conversation looks like what does not exist, to a stranger and to a colleague, through every address."""

from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from chat.conversations.history import load_part
from chat.conversations.properties import keep_draft
from chat.models import Conversation
from chat.urls import urlpatterns
from companion_site.errors import InvalidInput, NotFound
from tests.chat.attachments.samples import attach
from tests.chat.talking import converse, message_at, rows, tell
from tests.chat.test_listing import keep, titles
from tests.factories import NOW, make_access, make_business_user, make_company_access
from tests.live import logged_in

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.spec("C2", "E2")]

TEXT = "What is an electron pair?"


@pytest.fixture
def eve(access):
    """A stranger to a student, a colleague to somebody of a company."""
    if access.remembers:
        return make_access("eve")
    return make_company_access(make_business_user("eve", company=access.person.company))


def test_no_address_opens_a_conversation_of_somebody_else(access, eve):
    """To read or to change; what is asked of one that does not exist is answered alike."""
    row, client = converse(access, TEXT), logged_in("eve")
    message, file = message_at(access, row).pk, attach(access, row).pk
    for place, said, one in ((row.pk, message, file), (uuid4(), uuid4(), uuid4())):
        asked = [
            client.get(reverse("chat:said", args=[said])),
            client.get(reverse("chat:attachment", args=[one])),
            client.get(reverse("chat:message", args=[place, said])),
            client.get(reverse("chat:export", args=[place]), {"as": "json"}),
            client.get(reverse("chat:initiative", args=[place])),
            client.get(reverse("chat:welcome_done", args=[place, said])),
            client.post(reverse("chat:say", args=[place]), {"text": "Mine"}),
            client.post(reverse("chat:attach", args=[place]), {"file": SimpleUploadedFile("x.txt", b"x")}),
            client.post(reverse("chat:memory", args=[place]), {"memory": "off"}),
            client.post(reverse("chat:kept", args=[place, said]), {"do": f"forget:{uuid4()}"}),
            client.post(reverse("chat:undo_noted", args=[place, said, uuid4()])),
            client.post(reverse("chat:suggestion", args=[place, uuid4()]), {"answer": "dismissed"}),
            client.post(reverse("chat:answer_initiative", args=[place, uuid4()]), {"answer": "dismissed"}),
        ]
        for given in ({}, {"before": "3"}, {"at": str(said)}, {"part": "1"}, {"edit": str(said)}):
            asked.append(client.get(reverse("chat:conversation", args=[place]), given))
        for version in (str(said), "", "x"):
            asked.append(client.post(reverse("chat:version", args=[place]), {"version": version}))
        for do in ("rename", "pin", "unpin", "archive", "bring_back", "delete", "undo"):
            asked.append(keep(client, Conversation(pk=place), do, title="Mine"))
        assert {(answer.request["PATH_INFO"], answer.status_code) for answer in asked} == {
            (answer.request["PATH_INFO"], 404) for answer in asked
        }
        with pytest.raises(NotFound):
            keep_draft(eve, place, text="Mine")
    pages = [client.get(reverse("chat:conversation", args=[place])).text for place in (row.pk, uuid4())]
    assert pages[0] == pages[1] and "There is nothing here" in pages[0]
    assert titles(access) == [TEXT]
    (kept,) = rows(access, Conversation, pk=row.pk)
    assert (kept.pinned_at, kept.archived_at, kept.deleted_at, kept.draft) == (None, None, None, None)
    assert kept.memory_on


def test_nor_does_a_conversation_of_one_s_own(access, eve):
    """Of its messages and versions nothing is shown or changed through it, and of a deleted one no notice stands."""
    row, own, client = converse(access, TEXT), converse(eve, "Mine"), logged_in("eve")
    message, place = message_at(access, row).pk, reverse("chat:conversation", args=[own.pk])
    assert {client.get(place, {name: str(message)}).status_code for name in ("at", "edit")} == {404}
    assert client.post(reverse("chat:version", args=[own.pk]), {"version": message}).status_code == 404
    with pytest.raises(NotFound):
        load_part(eve, own.pk, around=message, now=NOW)
    with pytest.raises(InvalidInput):
        tell(eve, own, "Mine", instead_of=message, now=NOW)
    keep(logged_in(access.person.username), row, "delete")
    assert keep(client, row, "undo").status_code == 404 and titles(access) == []
    for given in (str(row.pk), "nonsense"):
        assert "Deleted." not in client.get(reverse("chat:conversations"), {"deleted": given}).text


def test_nobody_has_a_companion_who_does_not_chat():
    """A teacher finds none of its pages, to read or to send to; without a log-in all lead there (see tests/site/test_access.py)."""
    make_access("tea", role="teacher")
    client, asked = logged_in("tea"), 0
    for pattern in (one for one in urlpatterns if not one.pattern.converters):
        for send in (client.get, client.post):
            answer = send(reverse(f"chat:{pattern.name}"), {"q": "x"})
            asked += answer.status_code != 405
            assert answer.status_code in {404, 405}, (pattern.name, answer.status_code)
    assert asked >= 15
