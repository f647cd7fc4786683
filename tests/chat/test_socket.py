"""The socket of an open conversation, over a real connection."""

import asyncio
from uuid import UUID, uuid4

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from chat import protocol
from chat.models import Message
from companion_site.accounts.models import Session
from tests.chat.talking import rows
from tests.factories import make_business_user
from tests.live import logged_in, new_conversation, run_jobs, tab, threaded
from tests.running.site import wait_until

pytestmark = [pytest.mark.spec("C2")]


SAY = f'{{"type": "chat.say", "client_id": "{UUID(int=7)}", "text": %s}}'


async def count_messages(access) -> int:
    return len(await threaded(rows)(access, Message))


async def close_code(address, browser, conversation):
    with pytest.raises(ConnectionClosed) as closed:
        async with tab(address, browser, conversation) as page:
            await page.next("never")
    return closed.value.rcvd.code


async def test_a_message_is_stored_then_answered(site, ada, browser, conversation):
    """What is said comes back as stored, and a reply streams piece by piece to its final form."""
    async with tab(site, browser, conversation) as page:
        client_id = await page.say("I find recursion hard, please explain step by step")
        events = await page.until("chat.done")
    kinds = [event["type"] for event in events]
    assert kinds[0] == "chat.accepted" and events[0]["client_id"] == str(client_id)
    assert "recursion" in events[0]["html"]
    numbers = [event["seq"] for event in events if event["type"] == "chat.delta"]
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) > 3
    assert events[-1]["state"] == "complete"
    assert await count_messages(ada) == 2


async def test_a_resend_adds_nothing(site, ada, browser, conversation):
    """The same message sent by two tabs at once, and once more by a third, is stored and answered once."""
    client_id = uuid4()
    async with tab(site, browser, conversation) as one, tab(site, browser, conversation) as two:
        await asyncio.gather(one.say("Race", client_id), two.say("Race", client_id))
        first, second = await asyncio.gather(one.next("chat.accepted"), two.next("chat.accepted"))
        assert first["message_id"] == second["message_id"]
        await asyncio.gather(one.next("chat.done"), two.next("chat.done"))
    async with tab(site, browser, conversation) as page:
        await page.say("Race", client_id)
        assert (await page.next("chat.accepted"))["message_id"] == first["message_id"]
        assert (await page.next("chat.done"))["state"] == "complete"
    assert await count_messages(ada) == 2


async def test_what_is_said_in_one_tab_appears_in_the_other(site, browser, conversation, slow_model):
    """Every open tab of a conversation shows what was said in any of them, its title and the reply."""
    async with tab(site, browser, conversation) as one, tab(site, browser, conversation) as two:
        await two.send(type="chat.resume")
        client_id = await one.say("Said in the first tab")
        accepted = await two.next("chat.accepted")
        assert accepted["client_id"] == str(client_id) and "Said in the first tab" in accepted["html"]
        assert (await two.next("chat.title"))["title"] == "Said in the first tab"
        assert (await two.next("chat.done"))["state"] == "complete"


@pytest.mark.slow
async def test_a_page_sees_one_reply_grow_at_a_time(site, browser, conversation, slow_model):
    """Where two tabs speak at once, each sees its own reply grow and the other's when it is done."""
    async with tab(site, browser, conversation) as one, tab(site, browser, conversation) as two:
        await one.say("Said in the first tab")
        own = (await one.next("chat.started"))["reply"]
        await two.say("Said in the second tab")
        events = [await one.next("chat.delta", "chat.snapshot", "chat.done") for _ in range(20)]
        assert {event["reply"] for event in events} == {own}
        ended = {(await one.next("chat.done"))["reply"] for _ in range(2)}
        assert len(ended) == 2 and own in ended


async def test_a_reply_can_be_stopped_and_written_anew(site, browser, conversation, slow_model):
    """Stop keeps what was said so far; "try again" writes the same reply from the start."""
    async with tab(site, browser, conversation) as page:
        await page.say("Tell me a long story")
        reply = (await page.next("chat.started"))["reply"]
        await page.next("chat.delta")
        await page.send(type="chat.stop", reply=reply)
        done = await page.next("chat.done")
        assert done["state"] == "stopped" and "word0" in done["html"]
        slow_model.pause_s = 0
        await page.send(type="chat.retry", reply=reply)
        assert (await page.next("chat.started"))["reply"] == reply
        assert (await page.next("chat.done"))["state"] == "complete"


async def test_a_reply_goes_on_without_its_tab_and_is_resumed(site, browser, conversation, slow_model):
    """A closed tab costs nothing: the next one gets the text so far, then the rest without a gap."""
    async with tab(site, browser, conversation) as page:
        await page.say("Tell me a long story")
        reply = (await page.next("chat.started"))["reply"]
        await page.next("chat.delta")
    async with tab(site, browser, conversation) as page:
        await page.send(type="chat.resume", reply=reply, seq=1)
        shot = await page.next("chat.snapshot")
        assert shot["text"].startswith("word0 ")
        events = await page.until("chat.done")
    pieces = [event["text"] for event in events if event["type"] == "chat.delta"]
    assert shot["text"] + "".join(pieces) == slow_model.text


@pytest.mark.spec("G11")
async def test_without_leases_the_open_page_forms_its_memories(site, settings, browser, conversation):
    """LEASE_HOURS=0: no job is queued, as no worker would have the key; the page hears all the same."""
    settings.LEASE_HOURS = 0
    async with tab(site, browser, conversation) as page:
        await page.say("My sister Anna moved to Lund in May and I miss her a lot")
        accepted = await page.next("chat.accepted")
        assert await threaded(run_jobs)() == 0
        assert (await page.next("chat.remembered"))["message"] == accepted["message_id"]


HOSTILE = [
    ("not json", "input.invalid"),
    ("[1, 2]", "input.invalid"),
    ('{"type": "chat.fly"}', "input.invalid"),
    ('{"type": "chat.say", "client_id": "7", "text": "x"}', "input.invalid"),
    (SAY % '["x"]', "input.invalid"),
    (SAY % '" \\n "', "message.empty"),
    (SAY % f'"{"a" * 100_000}"', "message.too-long"),
    (f'{{"type": "chat.stop", "reply": "{UUID(int=7)}"}}', "not-found"),
    (f'{{"type": "chat.retry", "reply": "{UUID(int=7)}"}}', "not-found"),
    ("[" * 100_000, "input.invalid"),
    (b"\x00\xff\xfe", "input.invalid"),
]


async def test_a_hostile_frame_gets_a_clear_error_and_the_socket_lives(site, ada, browser, conversation):
    """Wrong, huge, empty or binary frames are answered with a code; the next good message works."""
    async with tab(site, browser, conversation) as page:
        for frame, code in HOSTILE:
            await page.socket.send(frame)
            error = await page.next("chat.error")
            assert error["code"] == code and error["text"], frame[:80]
        await page.say("Still here?")
        await page.next("chat.done")
    assert await count_messages(ada) == 2


async def test_another_persons_conversation_looks_like_none(site, bo, browser, conversation):
    """An unknown id, a stranger's and a colleague's in the same space are answered alike."""
    await threaded(make_business_user)("bea", company=bo.person.company)
    theirs = await threaded(new_conversation)(await threaded(logged_in)("bo"))
    for name, place in (("bo", conversation), ("bea", theirs), ("ada", uuid4())):
        client = await threaded(logged_in)(name)
        assert await close_code(site, client, place) == protocol.NO_SUCH_CONVERSATION


async def test_without_a_log_in_or_its_key_the_socket_closes(site, browser, conversation):
    """No session, or a session without the cookie that opens it, gets no further."""
    del browser.cookies["companion_key"]
    assert await close_code(site, browser, conversation) == protocol.LOGGED_OUT
    browser.cookies.clear()
    assert await close_code(site, browser, conversation) == protocol.LOGGED_OUT


async def test_a_log_in_that_ends_during_a_reply_ends_it(site, ada, browser, conversation, slow_model):
    """The socket closes by itself with the log-out code; the reply stays as far as it was written, to be written anew."""
    async with tab(site, browser, conversation) as page:
        await page.say("Tell me a long story")
        await page.next("chat.delta")
        await threaded(Session.objects.all().delete)()
        with pytest.raises(ConnectionClosed) as closed:
            await page.next("never")
    assert closed.value.rcvd.code == protocol.LOGGED_OUT
    await threaded(wait_until)(lambda: rows(ada, Message, state=Message.State.INTERRUPTED), "the mark")


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:1", "http://localhost", "null", None]
)
async def test_a_foreign_origin_is_refused(site, browser, conversation, origin):
    """A page of another site cannot use the person's cookies, nor one of another port of this machine."""
    headers = {"Cookie": "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())}
    if origin is not None:
        headers["Origin"] = origin
    with pytest.raises(InvalidStatus):
        async with connect(f"ws://{site}/ws/chat/{conversation}/", additional_headers=headers):
            pass


async def test_a_deleted_conversation_closes_its_pages(site, browser, conversation, slow_model):
    """A page that shows it is told so while its reply is still being written, and does not get in again."""
    async with tab(site, browser, conversation) as page:
        await page.say("Tell me a story")
        await page.until("chat.delta")
        deleted = await threaded(browser.post)(f"/chat/{conversation}/keep/", {"do": "delete"})
        assert deleted.status_code == 302
        with pytest.raises(ConnectionClosed) as closed:
            await page.until("chat.done")
    assert closed.value.rcvd.code == protocol.NO_SUCH_CONVERSATION
    assert await close_code(site, browser, conversation) == protocol.NO_SUCH_CONVERSATION
