"""An open page learns that a message was remembered, also where the notice of it is lost."""

import asyncio
import re
from uuid import UUID, uuid4

import pytest
from channels_postgres.models import GroupChannel

from chat.memories import formation
from chat.memories.formation import find_settled, form_from_message
from chat.models import Conversation
from companion_site.accounts.sessions import LogIn
from companion_site.vault.grants import granted
from tests.chat.talking import begin, change_rows, tell
from tests.chat.test_socket import threaded
from tests.factories import NOW, make_access
from tests.live import page_of, run_jobs, tab

pytestmark = pytest.mark.spec("G4")

TEXT = "My sister Anna moved to Lund in May and I miss her a lot"


@pytest.fixture
def soon(monkeypatch):
    """Ask the database as often as the test can bear."""
    monkeypatch.setattr(formation, "FIRST_PAUSE_S", 0.1)
    monkeypatch.setattr(formation, "LONGEST_PAUSE_S", 0.2)


@threaded
def leave_groups() -> int:
    """Have the channel layer know nobody any more, so that a notice reaches no page."""
    return GroupChannel.objects.using("channels_postgres").all().delete()[0]


@threaded
def say_by_form(browser, conversation, text: str) -> list[UUID]:
    """Say something by the page's form; return the messages that the page then awaits."""
    assert browser.post(f"/chat/{conversation}/say/", {"text": text}).status_code == 302
    return awaited_by(browser, conversation)


def awaited_by(browser, conversation) -> list[UUID]:
    articles = re.findall(r"<article[^>]*>", page_of(browser, conversation))
    return [
        UUID(re.search('data-message="(.*?)"', tag)[1])
        for tag in articles
        if re.search(r"\sdata-awaits\b", tag)
    ]


def still_asking(served) -> bool:
    """Tell whether the site asks the database for any page."""
    names: list[str] = []

    async def look() -> None:
        names.extend(task.get_name() for task in asyncio.all_tasks())

    served.run(look())
    return formation.TASK in names


async def end_of_asking(served) -> None:
    async with asyncio.timeout(10):
        while still_asking(served):
            await asyncio.sleep(0.01)


async def assert_told_all_the_same(page) -> None:
    """Say something, have the channel layer reach nobody when it is remembered, and hear of it."""
    await page.say(TEXT)
    accepted = await page.next("chat.accepted")
    await page.next("chat.done")
    assert await leave_groups() >= 1
    await threaded(run_jobs)()
    remembered = await page.next("chat.remembered")
    assert remembered["message"] == accepted["message_id"] and remembered["count"] >= 1


async def test_a_page_learns_what_came_before_it_listened(site, browser, conversation, soon):
    """What was remembered between the loading of a page and its socket is told once the page says what it awaits."""
    (message,) = await say_by_form(browser, conversation, TEXT)
    await threaded(run_jobs)()
    async with tab(site, browser, conversation) as page:
        await page.send(type="chat.resume", awaiting=[str(message)])
        assert (await page.next("chat.remembered"))["message"] == str(message)
    assert await threaded(awaited_by)(browser, conversation) == []


async def test_nothing_is_asked_while_nothing_waits(site, served, browser, conversation):
    """A page that was told what was remembered, or that left, costs no question more."""
    async with tab(site, browser, conversation) as page:
        await page.say(TEXT)
        accepted = await page.next("chat.accepted")
        await page.next("chat.done")
        assert still_asking(served)
        await threaded(run_jobs)()
        remembered = await page.next("chat.remembered")
        assert remembered["message"] == accepted["message_id"] and remembered["count"] >= 1
        await end_of_asking(served)
        await page.say("And another thing")
        await page.next("chat.done")
        assert still_asking(served)
    await end_of_asking(served)
    async with tab(site, browser, conversation) as page:
        await page.send(type="chat.resume", reply=str(uuid4()))
        await page.send(type="chat.fly")
        await page.next("chat.error")
        assert not still_asking(served)


async def test_what_forms_nothing_is_asked_for_once(site, served, browser, conversation, soon):
    """Messages that no memory comes from, and ids that are nobody's, are settled without a word to the page."""
    (message,) = await say_by_form(browser, conversation, "ok")
    await threaded(run_jobs)()
    async with tab(site, browser, conversation) as page:
        await page.send(type="chat.resume", awaiting=[str(message), str(uuid4())])
        async with asyncio.timeout(10):
            while not still_asking(served):
                await asyncio.sleep(0.01)
        await end_of_asking(served)
        await page.send(type="chat.fly")
        assert [event["type"] for event in await page.until("chat.error")] == ["chat.error"]


@threaded
def switch(access, *, on: bool) -> None:
    """Switch the memory of a person's conversations, as another tab of theirs would."""
    change_rows(access, Conversation, memory_on=on)


async def test_without_memory_nothing_is_awaited(site, served, ada, browser, conversation, soon):
    """What is said while memory is off is settled at the first question, without a word to the page."""
    await switch(ada, on=False)
    async with tab(site, browser, conversation) as page:
        await page.say(TEXT)
        await page.next("chat.done")
        await end_of_asking(served)
        await page.send(type="chat.fly")
        assert [event["type"] for event in await page.until("chat.error")] == ["chat.error"]


async def test_memory_switched_on_elsewhere_is_awaited_in_a_tab_that_was_open_before(
    site, ada, browser, conversation, soon
):
    """Whether memory is on is asked of each message, not once when the page opens: a lost notice is made good here too."""
    await switch(ada, on=False)
    async with tab(site, browser, conversation) as page:
        await page.send(type="chat.resume", awaiting=[])
        await switch(ada, on=True)
        await assert_told_all_the_same(page)


async def test_asking_ends_with_the_log_in(committed, soon):
    """Whoever logs out while a message waits leaves a task that ends, not one that fails."""
    ada, told = await threaded(make_access)("ada"), []

    async def tell(message: UUID, count: int) -> None:
        told.append(message)

    with granted(LogIn("of a test"), ada.space) as grant:
        awaited = formation.Awaited(ada, tell)
        awaited.add([uuid4()])
        (task,) = (task for task in asyncio.all_tasks() if task.get_name() == formation.TASK)
        grant.end()
        await asyncio.wait_for(task, 10)
    assert not told


def test_a_stranger_s_message_tells_nothing(committed):
    """Somebody else's message, remembered or not, is answered as one that does not exist."""
    ada, elsa = make_access("ada"), make_access("elsa")
    row = begin(elsa)
    remembered, waiting = (tell(elsa, row, f"{TEXT} {n}").message.pk for n in range(2))
    form_from_message(elsa.space, remembered, key=elsa.key, now=NOW)
    assert find_settled(elsa.space, {remembered, waiting})[remembered] >= 1
    unknown = uuid4()
    settled = find_settled(ada.space, {remembered, waiting, unknown})
    assert settled == {remembered: 0, waiting: 0, unknown: 0}
    assert waiting not in find_settled(elsa.space, {remembered, waiting})
