"""A message changed, and a reply written anew, are versions: one stands in the conversation, and memory follows it."""

import json
from uuid import UUID, uuid4

import pytest
from django.urls import reverse

from chat import services
from chat.access import own_conversation
from chat.conversations import versions
from chat.conversations.export import begin_export
from chat.conversations.history import load_part
from chat.conversations.search import search_messages
from chat.memories.formation import form_all_awaiting
from chat.models import Conversation, Message
from chat.turn.earlier import load_earlier
from companion_site.errors import InvalidInput, NotFound
from companion_site.vault.scope import space_scope
from ledger.models import LedgerEntry
from memory.models import Extraction, MemoryChange
from memory.student.pages.changes import recent_changes
from memory.student.undo import undo_change
from memory.student.withdrawal import ANOTHER_VERSION
from tests.chat import talking
from tests.chat.talking import begin, change_rows, finish, held, rows, tell
from tests.factories import NOW
from tests.live import logged_in, tab

pytestmark = [pytest.mark.usefixtures("committed"), pytest.mark.spec("C2")]

LUND = "I live in Lund with my aunt Karin."
OSLO = "I live in Oslo with my uncle Per."


def say(access, row, text, *, instead_of=None, answer=None) -> services.Exchange:
    return talking.say(access, row, text, answer=answer or f"About: {text}", instead_of=instead_of)


def show(access, row, version: UUID) -> None:
    versions.show_version(access, row.pk, version, now=NOW)


def texts(access, row) -> list[str]:
    part = load_part(access, row.pk, now=NOW)
    with access.open():
        return [message.text for message in part.messages]


def test_one_goes_back_and_forth(access):
    """With a version comes what was said after it, also where a later one has versions of its own; order and numbers hold."""
    row = begin(access)
    say(access, row, "Hello")
    first = say(access, row, "One").message
    second = say(access, row, "Two", instead_of=first.pk).message
    assert texts(access, row) == ["Hello", "About: Hello", "Two", "About: Two"]
    say(access, row, "And then")
    third = say(access, row, "And then what", instead_of=last_said(access, row)).message
    show(access, row, first.pk)
    assert texts(access, row) == ["Hello", "About: Hello", "One", "About: One"]
    say(access, row, "Elsewhere")
    show(access, row, second.pk)
    assert texts(access, row)[2:] == ["Two", "About: Two", "And then what", "About: And then what"]
    show(access, row, first.pk)
    assert texts(access, row)[2:] == ["One", "About: One", "Elsewhere", "About: Elsewhere"]
    show(access, row, third.pk)  # it belongs to what is set aside itself
    assert texts(access, row)[4] == "Elsewhere"
    with space_scope(access.space):
        shown = versions.versions_of(access.space, [first, second])
    assert shown[first.pk] == versions.Versions(number=1, count=2, before=None, after=second.pk)
    assert shown[second.pk] == versions.Versions(number=2, count=2, before=first.pk, after=None)


def last_said(access, row) -> UUID:
    said = rows(access, Message, conversation=row, role=Message.Role.PERSON, set_aside_with=None)
    return said[-1].pk


def test_a_reply_has_versions_as_well(access):
    """Written anew it is another row in its place; a message that goes on with one of them keeps it."""
    row = begin(access)
    said = say(access, row, "Hello", answer="The first try")
    anew = services.retry_reply(access, row.pk, said.reply.pk, now=NOW)
    finish(access, anew.reply, "The second try")
    assert anew.replaces == said.reply.pk and texts(access, row) == ["Hello", "The second try"]
    say(access, row, "Go on")
    show(access, row, said.reply.pk)
    assert texts(access, row) == ["Hello", "The first try"]
    show(access, row, anew.reply.pk)
    assert texts(access, row) == ["Hello", "The second try", "Go on", "About: Go on"]


def test_what_is_set_aside_is_nowhere(access):
    """Not in the search, the export or what a model is given; its title goes with the first message's words."""
    row = begin(access)
    first = say(access, row, "Photosynthesis").message
    assert say(access, row, "Electron pairs", instead_of=first.pk).title == "Electron pairs"
    last = say(access, row, "Go on").message
    assert search_messages(access, "photosynthesis").count == 0
    assert search_messages(access, "electron").count == 2
    with access.open():
        *_, pieces = begin_export(access, own_conversation(access, row.pk), form="json", now=NOW)
        exported = json.loads("".join(pieces))
    assert [one["text"] for one in exported["messages"]] == texts(access, row)
    assert exported["title"] == "Electron pairs"
    assert [turn.text for turn in load_earlier(access, last).turns] == [
        "Electron pairs",
        "About: Electron pairs",
    ]


def test_care_outlasts_a_change(ada):
    """Who changes words of danger is spoken with as gently as who does not."""
    row = begin(ada)
    said = tell(ada, row, "I want to die.")
    finish(ada, said.reply, "I am here.", is_danger=True)
    changed = say(ada, row, "Never mind", instead_of=said.message.pk).message
    earlier = load_earlier(ada, changed)
    assert earlier.after_danger and not earlier.turns


def test_memory_follows_what_stands_there(ada):
    """What came of the first version is withdrawn with a trace that can be undone, and comes back with that version."""
    row = begin(ada)
    first = say(ada, row, LUND).message
    form_all_awaiting(ada.space, key=ada.key, now=NOW)
    assert any("Lund" in text for text in held(ada))
    second = say(ada, row, OSLO, instead_of=first.pk).message
    form_all_awaiting(ada.space, key=ada.key, now=NOW)
    assert any("Oslo" in text for text in held(ada)) and not any("Lund" in text for text in held(ada))
    with ada.open():
        traces = [one for one in recent_changes(ada.space, now=NOW) if one.reason == ANOTHER_VERSION]
    assert traces and "Lund" in traces[0].first_words and "another version" in traces[0].title
    show(ada, row, first.pk)
    assert any("Lund" in text for text in held(ada)) and not any("Oslo" in text for text in held(ada))
    show(ada, row, second.pk)
    with ada.open(), space_scope(ada.space):
        for change in MemoryChange.objects.for_space(ada.space).filter(undone_at__isnull=True):
            if change.reason == ANOTHER_VERSION:
                undo_change(ada.space, change.pk, now=NOW, actor=ada.person)
    assert any("Lund" in text for text in held(ada)) and any("Oslo" in text for text in held(ada))


def test_it_works_without_scripts(access):
    """By a link, the composer and plain buttons, which lead back to the message."""
    row, page = begin(access), logged_in(access.person.username)
    first = say(access, row, "One <b>").message
    address = reverse("chat:conversation", args=[row.pk])
    html = page.get(address, {"edit": str(first.pk)}).text
    assert f'name="instead_of" value="{first.pk}"' in html and "data-box>One &lt;b&gt;</textarea>" in html
    page.post(reverse("chat:say", args=[row.pk]), {"text": "Two", "instead_of": str(first.pk)})
    assert texts(access, row)[0] == "Two" and f'value="{first.pk}"' in page.get(address).text
    answer = page.post(reverse("chat:version", args=[row.pk]), {"version": str(first.pk)})
    assert answer.url == f"{address}?at={first.pk}#message-{first.pk}" and texts(access, row)[0] == "One <b>"
    assert "1 / 2" in page.get(answer.url).text


def test_the_ledger_follows_and_what_was_said_elsewhere_stays(ada):
    """What was kept word for word of a version is inactive while another stands there; what another message says as well is remembered still."""
    say(ada, begin(ada), LUND)
    row = begin(ada)
    first = say(ada, row, f"{LUND} Always answer me in short sentences, please.").message
    form_all_awaiting(ada.space, key=ada.key, now=NOW)

    def active() -> int:
        with space_scope(ada.space):
            return LedgerEntry.objects.for_space(ada.space).current().filter(is_active=True).count()

    counts = [active()]
    say(ada, row, "Never mind", instead_of=first.pk)
    assert any("Lund" in text for text in held(ada))
    counts.append(active())
    show(ada, row, first.pk)
    assert [*counts, active()] == [1, 0, 1]


def test_only_the_last_message_is_changed(access):
    """No earlier one, none that is being answered, no reply; what is refused changes nothing, and a resend makes no further version."""
    row = begin(access)
    first = say(access, row, "One")
    second = say(access, row, "Two")
    for wrong in (first.message.pk, second.reply.pk, uuid4()):
        with pytest.raises(InvalidInput):
            say(access, row, "Other", instead_of=wrong)
        with pytest.raises(NotFound):
            services.find_editable(access, row.pk, wrong)
    given = {"text": "Three", "client_id": uuid4(), "instead_of": second.message.pk, "now": NOW}
    made, again = (services.say(access, row.pk, **given) for _ in range(2))
    assert (again.message.pk, again.reply.pk, again.is_new) == (made.message.pk, made.reply.pk, False)
    with pytest.raises(InvalidInput):  # its reply is being written
        tell(access, row, "Four", instead_of=made.message.pk, now=NOW)
    with pytest.raises(InvalidInput):
        show(access, row, second.message.pk)
    assert texts(access, row)[2] == "Three"


def test_what_a_company_s_memory_has_or_is_reading_stays(bo):
    """It is not one person's to take back, from the moment a reading begins; one that failed holds nothing."""
    row = begin(bo)
    first = say(bo, row, "We chose K2.").message
    with space_scope(bo.space):
        reading = Extraction.objects.create(
            space_id=bo.space,
            conversation_id=row.pk,
            after_position=0,
            until_position=2,
            trigger=Extraction.Trigger.SILENCE,
            started_at=NOW,
        )
    with pytest.raises(InvalidInput):
        say(bo, row, "We chose K3.", instead_of=first.pk)
    change_rows(bo, Extraction, {"pk": reading.pk}, state=Extraction.State.FAILED)
    second = say(bo, row, "We chose K3.", instead_of=first.pk).message
    change_rows(bo, Conversation, {"pk": row.pk}, extracted_until=4)
    with pytest.raises(InvalidInput):
        say(bo, row, "We chose K10.", instead_of=second.pk)
    with pytest.raises(InvalidInput):
        services.find_editable(bo, row.pk, second.pk)
    assert texts(bo, row)[0] == "We chose K3."


async def test_every_tab_is_told(site, ada, browser, conversation):
    """The one that changes a message and the one beside it make room for the version; so does a page that was drawn before and comes back after."""
    async with tab(site, browser, conversation) as one, tab(site, browser, conversation) as two:
        await one.say("First")
        first = (await one.next("chat.accepted"))["message_id"]
        await one.next("chat.done")
        await two.next("chat.done")
        await one.send(type="chat.say", client_id=str(uuid4()), text="Second", instead_of=first)
        for each in (one, two):
            events = await each.until("chat.accepted")
            second = events[-1]["message_id"]
            assert next(event for event in events if event["type"] == "chat.replaced")["message"] == first
        await one.next("chat.done")
    async with tab(site, browser, conversation) as back:
        for shown in (second, first, str(uuid4())):
            await back.send(type="chat.resume", shown=shown)
        await back.say("Third")
        kinds = [event["type"] for event in await back.until("chat.accepted")]
        assert kinds == ["chat.turned", "chat.accepted"]
