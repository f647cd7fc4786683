"""With a person's memory off a turn reads and writes nothing of any memory, and what was said then is never taken up later."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_q.models import OrmQ

from chat import services
from chat.access import ChatAccess
from chat.company.dialogue import read_conversation
from chat.conversations.properties import SWITCHED, switch_conversation
from chat.memories import due
from chat.memories.formation import awaits_formation, form_all_awaiting, form_from_message
from chat.memories.intake import take_in_waiting
from chat.models import Conversation, Message
from chat.summaries.service import fold_conversation, read_batch
from chat.tasks import open_boxes
from companion_site.accounts.models import Person
from companion_site.accounts.services import switch_memory
from companion_site.llm.gateway import get_gateway
from companion_site.vault import inbox
from companion_site.vault.leases import work_left
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from ledger.models import LedgerEntry
from memory.inbound.contents import Observation, PromptRun
from memory.inbound.inbox import awaits_key
from memory.models import CompanyFact, Extraction, MemoryEdge, MemoryNode, MemorySource, MemoryVector
from memory.student.compression.run import is_due
from overlay.models import KnownConcept, Repetition
from tests.audit.record import events
from tests.chat import talking
from tests.chat.talking import begin, believe, change_rows, reply_to, rows
from tests.factories import NOW, make_business_user, make_company_access, make_student
from tests.live import leases, logged_in, new_conversation, run_jobs
from tests.llm.wire_server import WireServer

pytestmark = pytest.mark.spec("I7")

MOMENT = timedelta(minutes=1)
ZEBRAS = "I keep seventeen zebrafinches in my room and I am allergic to nuts"
OTTERS = "My favourite animal is the giant otter and I live in Kiruna"
K3 = "We have decided to use K3 for the annual report."
ADVICE = "Our auditor is called Helena Berg."
#: every table that holds something remembered, or something drawn from what was said
MEMORY = (
    MemoryNode,
    MemorySource,
    MemoryVector,
    MemoryEdge,
    LedgerEntry,
    KnownConcept,
    Repetition,
    CompanyFact,
    Extraction,
)


@pytest.fixture
def model(listening):
    return listening


def switch(access: ChatAccess, *, on: bool, now=None) -> None:
    """Switch the memory, without handing the worker what waits: a test says itself when that is done."""
    switch_memory(access.person, on=on, key=None, now=now or timezone.now())


def say(access: ChatAccess, row: Conversation, text: str, *, now=None, replied: str = "I see.") -> Message:
    """Say something and have it answered, without a turn."""
    return talking.say(access, row, text, answer=replied, now=now or timezone.now()).message


def turn(access: ChatAccess, row: Conversation, text: str) -> Message:
    """Have a whole turn, as the page does; return the reply."""
    exchange = talking.tell(access, row, text, now=timezone.now())
    reply_to(access, exchange, now=timezone.now())
    return services.find_message(access, row.pk, exchange.reply.pk)


def count_rows(access: ChatAccess) -> dict[str, int]:
    return {model.__name__: len(rows(access, model)) for model in MEMORY}


def words(access: ChatAccess) -> str:
    with access.open():
        return " ".join(row.content or "" for row in rows(access, MemoryNode))


def prompt(server: WireServer) -> str:
    """Return what the last reply was asked with; a reading of an exchange is no reply."""
    return str([request.body for request in server.requests if request.body.get("stream")][-1])


def test_a_whole_turn_reads_and_writes_nothing_of_a_memory(ada, model):
    """Not one query names a table of memory, not one row comes or goes, and the model is told nothing of it."""
    row = begin(ada)
    turn(ada, row, ZEBRAS)
    run_jobs()
    with CaptureQueriesContext(connection) as with_memory:
        form_from_message(ada.space, say(ada, row, "My zebrafinches sing").pk, key=ada.key, now=NOW)
    tables = {entity._meta.db_table for entity in MEMORY}
    assert any(table in query["sql"] for query in with_memory for table in tables)
    run_jobs()
    before = count_rows(ada)
    assert before["MemoryNode"]
    # The page's socket knew its person before; each message asks anew.
    Person.objects.filter(pk=ada.person.pk).update(memory_on=False)
    assert ada.person.memory_on
    row = begin(ada)
    with _every_query() as queries:
        reply = turn(ada, row, f"{OTTERS}. What did I say about zebrafinches?")
        assert run_jobs() == 0
    assert reply.state == Message.State.COMPLETE
    assert not [query for query in queries if any(table in query for table in tables)]
    assert count_rows(ada) == before
    assert "seventeen" not in prompt(model) and reply.recalled == []
    assert reply.personalisation in ("", Message.Personalisation.NONE) and not reply.memory_tokens


def test_what_was_said_while_off_is_never_formed(ada):
    """Not by the worker, not by the open session, not after it was switched on again; what is said then is."""
    switch(ada, on=False)
    row = begin(ada)
    message = say(ada, row, OTTERS)
    assert not OrmQ.objects.exists() and leases(ada) == 0
    assert form_from_message(ada.space, message.pk, key=ada.key, now=NOW) is None
    switch(ada, on=True)
    assert form_from_message(ada.space, message.pk, key=ada.key, now=NOW) is None
    take_in_waiting(ada.space, key=ada.key, now=timezone.now())
    assert not any(count_rows(ada).values())
    say(ada, row, ZEBRAS)
    run_jobs()
    assert "zebrafinches" in words(ada) and "otter" not in words(ada)


@pytest.mark.parametrize("of", ["person", "conversation"])
def test_what_was_said_before_waits_while_off(ada, of):
    """A message that nobody had come to when memory was switched off is left alone, and formed when it is on again."""
    row = begin(ada)
    message = say(ada, row, ZEBRAS)

    def turn_it(*, on: bool) -> None:
        if of == "person":
            switch(ada, on=on)
        else:
            assert switch_conversation(ada, row.pk, on=on, now=timezone.now())
            assert not switch_conversation(ada, row.pk, on=on, now=timezone.now())

    turn_it(on=False)
    run_jobs()
    assert form_from_message(ada.space, message.pk, key=ada.key, now=NOW) is None
    with space_scope(ada.space):
        assert not awaits_formation(ada.space) and not work_left(ada.space)
    assert not any(count_rows(ada).values())
    turn_it(on=True)
    form_all_awaiting(ada.space, key=ada.key, now=timezone.now())
    assert "zebrafinches" in words(ada)


def test_who_switches_off_while_a_memory_forms_is_heard(ada, monkeypatch):
    """Thinking takes time; what was thought out before the switch is not written after it."""
    from memory.student.ingest import pipeline

    message = say(ada, begin(ada), ZEBRAS)
    think = pipeline.draft_memories

    def think_slowly(*args, **options):
        draft = think(*args, **options)
        switch(ada, on=False)
        return draft

    monkeypatch.setattr(pipeline, "draft_memories", think_slowly)
    assert form_from_message(ada.space, message.pk, key=ada.key, now=NOW) is None
    assert not any(count_rows(ada).values())


def test_a_reply_written_anew_goes_by_how_its_message_was_said(ada, model):
    """Said while off, it teaches and recalls nothing, though memory is on by the time of the second try."""
    switch(ada, on=False)
    exchange = services.say(ada, begin(ada).pk, text=OTTERS, client_id=uuid4(), now=timezone.now())
    talking.finish(ada, exchange.reply, "", state=Message.State.FAILED, now=timezone.now())
    switch(ada, on=True)
    again = services.retry_reply(ada, exchange.message.conversation_id, exchange.reply.pk, now=timezone.now())
    assert again.is_new and not again.memory_on
    reply_to(ada, again, now=timezone.now())
    assert not any(count_rows(ada).values())


def test_a_summary_says_nothing_of_what_was_said_while_off(ada):
    """Neither while it is off nor when the batch is folded later, its replies left out with it; nor is one recalled."""
    row = begin(ada)
    say(ada, row, ZEBRAS, replied="Seventeen, how lovely.")
    switch(ada, on=False)
    say(ada, row, OTTERS, replied="Otters, how lovely.")
    for number in range(30):
        say(ada, row, f"And another thing, number {number}, we decided on", replied="I see.")
    change_rows(ada, Message, {"role": "companion"}, provider="test")
    assert fold_conversation(ada.space, row.pk, key=ada.key) == 0
    switch(ada, on=True)
    with ada.open():
        batch = read_batch(ada.space, row.pk)
        lines = [line.text for line in batch.lines]
    assert lines == [ZEBRAS, "Seventeen, how lovely."]


def test_the_summary_is_not_recalled_while_off(ada, model):
    """What a long conversation came to was drawn from it when memory was on; off, only the last messages are given."""
    row = begin(ada)
    for number in range(30):
        say(ada, row, f"Thing number {number}")
    with space_scope(ada.space), ada.open():
        stored = Conversation.objects.for_space(ada.space).get(pk=row.pk)
        stored.summary = '[{"kind": "person", "text": "Lives with zebrafinches"}]'
        stored.save(update_fields=["summary"])
    turn(ada, row, "Hello again")
    told = prompt(model)
    switch(ada, on=False)
    turn(ada, row, "Hello again")
    assert ("zebrafinches" in told, "zebrafinches" in prompt(model)) == (True, False)


def test_what_others_send_waits_sealed(ada):
    """A teacher's observation is not read while memory is off, keeps no key with the worker, and is taken in afterwards."""
    tove = make_student("tove", role=Person.Role.TEACHER).person
    contents = Observation(at=NOW, language="en", by="Tove", text="Works best with visual metaphors")
    switch(ada, on=False)
    box = inbox.seal_to(
        ada.space, kind=contents.kind, text=contents.to_bytes(), sender=tove, now=timezone.now()
    )
    open_boxes(str(ada.space))
    take_in_waiting(ada.space, key=ada.key, now=timezone.now())
    with space_scope(ada.space):
        assert SealedBox.objects.for_space(ada.space).unopened().filter(pk=box.pk).exists()
        assert not awaits_key(ada.space) and not work_left(ada.space)
    assert not any(count_rows(ada).values())
    switch_memory(ada.person, on=True, key=ada.key, now=timezone.now())
    run_jobs()
    assert "visual metaphors" in words(ada)


def test_what_the_student_told_a_learning_system_while_off_is_not_taken_in(ada):
    """Their own answers of that time are dropped unread when the memory comes on; those of another time are not."""
    switch(ada, on=False, now=NOW)
    for at, text in ((NOW + MOMENT, OTTERS), (NOW - MOMENT, ZEBRAS)):
        contents = PromptRun(at=at, language="en", prompt="Tell me", response=text)
        inbox.seal_to(ada.space, kind=contents.kind, text=contents.to_bytes(), sender=None, now=NOW)
    switch(ada, on=True, now=NOW + 2 * MOMENT)
    take_in_waiting(ada.space, key=ada.key, now=NOW + 3 * MOMENT)
    assert "zebrafinches" in words(ada) and "otter" not in words(ada)
    with space_scope(ada.space):
        assert not SealedBox.objects.for_space(ada.space).unopened().exists()


def test_the_memory_can_be_looked_at_and_deleted_while_off(ada, model):
    """What exists is still its person's: shown, and gone when they say so."""
    turn(ada, begin(ada), ZEBRAS)
    run_jobs()
    switch(ada, on=False)
    browser = logged_in("ada")
    node, *_ = rows(ada, MemoryNode)
    page = browser.get(f"/memory/{node.pk}/")
    assert page.status_code == 200 and "zebrafinches" in page.text
    assert browser.get("/memory/").status_code == 200
    answer = browser.post(f"/memory/{node.pk}/forget/")
    assert answer.status_code == 302
    assert rows(ada, MemoryNode, pk=node.pk, removed_at=None) == []


def test_nothing_is_tidied_by_itself_while_off(ada):
    """What exists stays as it is: no compression comes at the end of a session."""
    message = say(ada, begin(ada), ZEBRAS)
    form_from_message(ada.space, message.pk, key=ada.key, now=NOW)
    with space_scope(ada.space):
        assert is_due(ada.space)
        switch(ada, on=False)
        assert not is_due(ada.space)


def test_the_page_says_that_the_person_s_memory_is_off(ada):
    """Before anything is said and after, with the way to switch it on; on, it says nothing of the kind."""
    browser, row = logged_in("ada"), begin(ada)
    page = browser.get(f"/chat/{row.pk}/").text
    assert "memory is off" not in page.casefold() and "It remembers" in page
    switch(ada, on=False)
    page = browser.get(f"/chat/{row.pk}/").text
    assert "Your memory is off: nothing you say is remembered" in page and "It remembers" not in page
    assert 'href="/account/#memory-title"' in page and "Switch memory off here" not in page


@pytest.mark.slow
def test_a_conversation_s_memory_is_switched_on_its_page(ada, model):
    """Off and on again by a button each; what is said meanwhile is neither remembered nor answered from memory."""
    turn(ada, begin(ada), ZEBRAS)
    run_jobs()
    browser, row = logged_in("ada"), begin(ada)
    address = f"/chat/{row.pk}/memory/"
    page = browser.post(address, {"memory": "off"}, follow=True).text
    assert "Memory is off in this conversation" in page and 'name="memory" value="on"' in page
    assert turn(ada, row, f"{OTTERS}. And zebrafinches?").recalled == []
    run_jobs()
    assert "seventeen" not in prompt(model)
    assert "seventeen" in ask_elsewhere(ada, model)
    page = browser.post(address, {"memory": "on"}, follow=True).text
    assert "memory is off" not in page.casefold() and 'name="memory" value="off"' in page
    run_jobs()
    assert "otter" not in words(ada)
    assert [(event.data, event.subject_id, event.actor_id) for event in events(ada.space, SWITCHED)] == [
        ({"on": False}, row.pk, ada.person.pk),
        ({"on": True}, row.pk, ada.person.pk),
    ]


def ask_elsewhere(access: ChatAccess, server: WireServer) -> str:
    turn(access, begin(access), "How many zebrafinches do I keep?")
    return prompt(server)


def test_a_word_that_is_none_switches_nothing(ada):
    """Nor does going to the address. That nobody else switches it: tests/chat/test_strangers.py."""
    row = begin(ada)
    for given in ("", "maybe", "ON"):
        assert logged_in("ada").post(f"/chat/{row.pk}/memory/", {"memory": given}).status_code == 400
    assert logged_in("ada").get(f"/chat/{row.pk}/memory/").status_code == 405
    assert rows(ada, Conversation, pk=row.pk, memory_on=True)


def test_a_company_conversation_with_memory_off_is_offered_nothing(bo):
    """What is believed of the company is not read for suggestions either."""
    row = begin(bo)
    switch_conversation(bo, row.pk, on=False, now=NOW)
    with _every_query() as queries:
        page = logged_in("bo").get(f"/chat/{row.pk}/").text
    assert "Memory is off in this conversation" in page
    assert not [query for query in queries if CompanyFact._meta.db_table in query]


def test_the_page_without_scripts_goes_by_the_switch(ada, model):
    """The form's way to a reply asks the same rule."""
    browser = logged_in("ada")
    turn(ada, begin(ada), ZEBRAS)
    run_jobs()
    browser.post("/account/memory/", {"memory": "off"})
    asyncio.run(_say_by_form(browser, new_conversation(browser), f"{OTTERS}. And zebrafinches?"))
    run_jobs()
    assert "seventeen" not in prompt(model) and "otter" not in words(ada)


async def _say_by_form(browser: Client, conversation: UUID, text: str) -> None:
    """Send the form, and close what this loop has open to the model."""
    client = AsyncClient()
    client.cookies = browser.cookies
    await client.post(f"/chat/{conversation}/say/", {"text": text})
    await get_gateway().aclose()


def test_a_company_is_neither_read_nor_told_for_who_switched_off(bo, model):
    """Their conversations are not read for facts and are given none; nothing is confirmed by them either."""
    believe(bo, ADVICE)
    before = count_rows(bo)
    switch(bo, on=False)
    row = begin(bo)
    with _every_query() as queries:
        reply = turn(bo, row, f"{K3} Who is our auditor?")
    assert not [query for query in queries if CompanyFact._meta.db_table in query]
    assert "Helena" not in prompt(model) and reply.recalled == []
    due.leave(bo, row.pk, now=NOW)
    assert rows(bo, Conversation, pk=row.pk, extract_at=None)
    assert due.queue_due(now=timezone.now() + 10 * MOMENT) == 0
    assert read_conversation(bo.space, row.pk, now=timezone.now() + 10 * MOMENT) == 0
    assert count_rows(bo) == before
    kim = make_company_access(make_business_user("kim", company=bo.person.company))
    turn(kim, begin(kim), "Who is our auditor?")
    assert "Helena" in prompt(model), "a colleague's memory stays on"


def test_a_company_s_facts_come_from_what_was_said_while_on(bo):
    """Off in the middle of a conversation: what was said before is read when memory is on again, the rest never."""
    row = begin(bo)
    say(bo, row, K3, now=NOW)
    switch(bo, on=False)
    say(bo, row, ADVICE, now=NOW + MOMENT)
    later = NOW + 20 * MOMENT
    assert due.queue_due(now=later) == 0 and read_conversation(bo.space, row.pk, now=later) == 0
    switch(bo, on=True)
    assert due.queue_due(now=later) == 1
    assert read_conversation(bo.space, row.pk, now=later) == 1
    told = " ".join(fact.content for fact in rows(bo, CompanyFact))
    assert "K3" in told and "Helena" not in told
    assert read_conversation(bo.space, row.pk, now=later) == 0


class _every_query:
    """The SQL of every connection of this process while the block lasts, of whichever thread."""

    def __enter__(self) -> list[str]:
        from django.db.backends.utils import CursorWrapper

        self._wrapper, self._run, seen = CursorWrapper, CursorWrapper._execute_with_wrappers, []
        run = self._run

        def note(cursor, sql, params, many, executor):
            seen.append(str(sql))
            return run(cursor, sql, params, many, executor)

        CursorWrapper._execute_with_wrappers = note
        return seen

    def __exit__(self, *error: object) -> None:
        self._wrapper._execute_with_wrappers = self._run


def test_a_conversation_begins_without_memory(ada):
    """By the button in the list; a choice that is none remembers nothing, and who has no memory at all is not asked."""
    page = logged_in("ada")
    assert "New, without memory" in page.get("/chat/").text
    sent = ({"memory": "off"}, {}, {"memory": "maybe"})
    begun = [page.post("/chat/new/", choice).url for choice in sent]
    remembered = {f"/chat/{row.pk}/": row.memory_on for row in rows(ada, Conversation)}
    assert [remembered[url] for url in begun] == [False, True, False]
    assert "Memory is off in this conversation" in page.get(begun[0]).text
    Person.objects.filter(username="ada").update(memory_on=False)
    assert "New, without memory" not in page.get("/chat/").text


@pytest.mark.parametrize("name", ["ada", "bo"])
def test_without_a_model_it_says_that_memory_is_off(name, request):
    """Asked for what it was told elsewhere, and off in this conversation: it says so, and promises to keep nothing."""
    access = request.getfixturevalue(name)
    turn(access, begin(access), ZEBRAS)
    row = begin(access)
    switch_conversation(access, row.pk, on=False, now=NOW)
    reply = turn(access, row, "What am I allergic to?")
    with access.open():
        assert "emory is off" in reply.text and "nuts" not in reply.text
