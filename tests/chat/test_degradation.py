"""Step by step less, and the chat goes on: without its memory, by the next provider, without a model, beside a sleep that hangs."""

import logging
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import numpy as np
import pytest
from django.db import connection, connections

from chat import services
from chat.memories.formation import form_all_awaiting
from chat.models import Message
from chat.replies.presentation import show_messages
from chat.services import read_text
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from memory.models import CompanyFact, MemoryNode, MemoryVector, SleepRun
from memory.student.sleep.run import sleep
from memory.student.sleep.timing import begin_run
from memory.student.workingset import working_sets
from tests.chat.talking import begin, believe, memory_ids, prompt, remember, reply_to, talk, tell
from tests.factories import NOW
from tests.llm.wire_server import Act, WireServer, serve_model
from tests.memory.student.sleep.sleeper import HANDBALL, MOSES, NIGHT, Sleeper

pytestmark = pytest.mark.spec("I7")

ZEBRAS = "I keep seventeen zebrafinches in my room"
ASKED = "How many zebrafinches do I keep?"
AUDITOR = "Our auditor is called Helena Berg."
ANSWER = Act(text="All right.")
COMPLETE = Message.State.COMPLETE


@pytest.fixture
def model(model, committed) -> WireServer:
    model.always(ANSWER)
    return model


@pytest.fixture
def two_models(settings, committed) -> Iterator[tuple[WireServer, WireServer]]:
    """Two providers in order, and nothing after them but the companion without a model."""
    with ExitStack() as stack:
        first, second = (stack.enter_context(WireServer()) for _ in range(2))
        settings.LLM_CHAIN = ["anthropic", "openai", "offline"]
        settings.ANTHROPIC_API_KEY, settings.ANTHROPIC_BASE_URL = "test", first.url
        settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = "test", f"{second.url}/v1"
        # The name of a file of weights may be longer than what a reply's row has room for.
        settings.OPENAI_CHAT_MODEL = settings.OPENAI_FAST_MODEL = "/models/" + "y" * 300
        settings.LLM_TIMEOUT_S = 5
        first.always(Act(text="The first says so."))
        second.always(Act(text="The second says so."))
        yield first, second


def replace_vectors(access, sealed: bytes) -> list[tuple]:
    """Put these bytes where the vectors lie, past everything that seals; return what was there."""
    with space_scope(access.space), connection.cursor() as cursor:
        cursor.execute("SELECT id, vector FROM memory_memoryvector WHERE space_id = %s", [access.space])
        before = cursor.fetchall()
        cursor.execute(
            "UPDATE memory_memoryvector SET vector = %s WHERE space_id = %s", [sealed, access.space]
        )
    working_sets.forget(access.space)
    return before


def put_back(access, rows: list[tuple]) -> None:
    with space_scope(access.space), connection.cursor() as cursor:
        for key, vector in rows:
            cursor.execute(
                "UPDATE memory_memoryvector SET vector = %s WHERE space_id = %s AND id = %s",
                [bytes(vector), access.space, key],
            )
    working_sets.forget(access.space)


def assert_answered_without_memory(access, reply: Message, server: WireServer, caplog) -> None:
    assert (reply.state, read_text(access, reply), reply.recalled) == (COMPLETE, "All right.", [])
    assert "seventeen" not in prompt(server) and ASKED in prompt(server)
    assert "recall.failed" in caplog.text and "zebrafinches" not in caplog.text


@pytest.mark.slow
def test_a_reply_comes_without_memory_where_vectors_cannot_be_opened(ada, model, caplog):
    """Rows that no key opens cost a reply its memory and nothing else; when they are mended it is all there again."""
    remember(ada, ZEBRAS)
    before = replace_vectors(ada, b"\xff" * 1600)
    caplog.set_level(logging.INFO)
    assert_answered_without_memory(ada, talk(ada, ASKED), model, caplog)
    put_back(ada, before)
    reply = talk(ada, ASKED)
    assert reply.state == COMPLETE and "seventeen" in prompt(model)
    assert {entry["id"] for entry in reply.recalled} <= memory_ids(ada) and reply.recalled


def test_a_reply_comes_without_memory_where_vectors_have_another_length(ada, model, caplog):
    """Sealed as they should be, made by another model: no arithmetic on them succeeds, and the chat goes on."""
    remember(ada, ZEBRAS)
    with write_scope(ada.space), ada.open():
        for row in MemoryVector.objects.for_space(ada.space):
            row.vector = np.ones(3, dtype=np.float32)
            row.save(update_fields=["vector"])
        MemoryNode.objects.for_space(ada.space).update(version=bump_version(ada.space))
    working_sets.forget(ada.space)
    caplog.set_level(logging.INFO)
    assert_answered_without_memory(ada, talk(ada, ASKED), model, caplog)


def test_somebody_of_a_company_is_answered_without_its_memory(bo, model, caplog):
    """The facts' table cannot be read: the reply says less, and comes."""
    believe(bo, AUDITOR)
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"ALTER TABLE {CompanyFact._meta.db_table} RENAME COLUMN content TO content_away")
    try:
        reply = talk(bo, "Who is our auditor?")
    finally:
        with connections["owner"].cursor() as cursor:
            cursor.execute(f"ALTER TABLE {CompanyFact._meta.db_table} RENAME COLUMN content_away TO content")
    assert (reply.state, read_text(bo, reply)) == (COMPLETE, "All right.")
    assert "Helena" not in prompt(model) and "recall.failed" in caplog.text
    assert talk(bo, "Who is our auditor?").state == COMPLETE and "Helena" in prompt(model)


@pytest.mark.slow
def test_a_provider_that_is_down_is_passed_over_until_none_is_left(ada, two_models, settings):
    """The first answers, then the second, then the companion without a model, which has the memory as well and says so; without either a reply comes."""
    first, second = two_models
    remember(ada, ZEBRAS)
    before = replace_vectors(ada, b"")
    put_back(ada, before)
    assert talk(ada, ASKED).provider == "anthropic" and "seventeen" in prompt(first)
    first.always(Act(status=529, retry_after="60"))
    reply = talk(ada, ASKED)
    assert (reply.provider, read_text(ada, reply), reply.state) == ("openai", "The second says so.", COMPLETE)
    assert (
        "seventeen" in prompt(second) and reply.model and settings.OPENAI_CHAT_MODEL.startswith(reply.model)
    )
    second.always(Act(status=503, retry_after="60"))
    replace_vectors(ada, b"")
    reply = talk(ada, ASKED)
    assert (reply.provider, reply.state, reply.recalled) == ("offline", COMPLETE, []) and read_text(
        ada, reply
    )
    put_back(ada, before)
    reply = talk(ada, ASKED)
    assert (reply.provider, reply.state) == ("offline", COMPLETE)
    assert "seventeen" in read_text(ada, reply)
    assert [shown.offline for shown in show_messages(ada, [reply], now=NOW)] == [True]
    settings.LLM_CHAIN = ["offline"]  # no model is set up: a mark under each reply would tell nobody anything
    assert [shown.offline for shown in show_messages(ada, [reply], now=NOW)] == [False]


def test_a_reply_without_end_is_cut_and_says_so(ada, model, settings):
    """So much is kept as may be, with a note; the reply counts as interrupted, and can be written anew."""
    settings.LLM_MAX_REPLY_CHARS = 1_000
    model.always(Act(text="on and on " * 2_000))
    reply = talk(ada, "Tell me everything you know.")
    words = read_text(ada, reply)
    assert reply.state == Message.State.INTERRUPTED
    assert words.startswith("on and on " * 100) and len(words) < 1_200 and "The reply was cut here" in words
    assert [step["cut"] for step in reply.steps if step["step"] == "reply"] == [1]
    model.always(ANSWER)
    exchange = services.retry_reply(ada, reply.conversation_id, reply.pk, now=NOW)
    reply_to(ada, exchange)
    assert read_text(ada, services.find_message(ada, reply.conversation_id, reply.pk)) == "All right."


def test_whoever_follows_a_reply_hears_of_its_end_though_it_cannot_be_written(ada, model):
    """No fault of writing leaves a page waiting; the row is found to be interrupted when nobody has written it for a while."""
    row = begin(ada)
    exchange = tell(ada, row, ASKED)
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"ALTER TABLE {Message._meta.db_table} RENAME COLUMN timings_ms TO timings_away")
    try:
        live = reply_to(ada, exchange).live
    finally:
        with connections["owner"].cursor() as cursor:
            cursor.execute(f"ALTER TABLE {Message._meta.db_table} RENAME COLUMN timings_away TO timings_ms")
    assert live.state == Message.State.INTERRUPTED and live.error is not None
    found = services.find_message(ada, row.pk, exchange.reply.pk)
    services.settle(ada, [found], now=NOW + 2 * services.STALE_AFTER)
    assert found.state == Message.State.INTERRUPTED


@pytest.mark.slow
@pytest.mark.spec("I2", "AC-2.1.7")
def test_a_sleep_that_hangs_holds_nobody_up(ada, settings):
    """While the model that a sleep asked stays silent, its person is answered and remembered; the sleep ends after that."""
    sleeper, order = Sleeper(ada), []
    sleeper.say([*MOSES, *HANDBALL], salience=0.8)
    run = begin_run(ada.space, trigger=SleepRun.Trigger.SCHEDULED, now=NIGHT)

    def fall_asleep() -> None:
        try:
            sleep(ada.space, run.pk, key=ada.key, now=NIGHT, queue=False)
            order.append("slept")
        finally:
            connections.close_all()

    worker = threading.Thread(target=fall_asleep)
    with ExitStack() as stack:
        stack.callback(worker.join, timeout=60)  # whatever happens, after the model has gone
        server = stack.enter_context(serve_model(settings))
        server.script(Act(hang="request"))
        server.always(ANSWER)
        worker.start()
        _wait_for(lambda: server.requests)
        order.append("asked")
        reply = talk(ada, "What is my kitten called?")
        assert (reply.state, read_text(ada, reply)) == (COMPLETE, "All right.")
        assert "Moses" in prompt(server)
        order.append("answered")
        assert form_all_awaiting(ada.space, key=ada.key, now=NIGHT) == 1
        order.append("formed")
        assert sleeper.runs()[-1].state == SleepRun.State.RUNNING and worker.is_alive()
    assert order == ["asked", "answered", "formed", "slept"]
    assert sleeper.runs()[-1].state == SleepRun.State.FAILED
    assert sleeper.sleep(now=NIGHT).state == SleepRun.State.FAILED
    with_none = sleeper.sleep(now=NIGHT)
    assert (with_none.state, with_none.provider) == (SleepRun.State.SUCCESS, "offline")
    assert "Moses" in "\n".join(sleeper.active().values())


def _wait_for(ready) -> None:
    """Return once something has happened in another thread."""
    for _ in range(3000):
        if ready():
            return
        threading.Event().wait(0.01)
    pytest.fail("it did not happen")


@pytest.mark.slow
def test_neither_memory_nor_model_still_gives_a_reply(ada, two_models):
    """Both at once: the least there is, and it comes."""
    remember(ada, ZEBRAS)
    replace_vectors(ada, b"")
    for server in two_models:
        server.always(Act(status=503, retry_after="60"))
    reply = talk(ada, ASKED)
    assert (reply.provider, reply.state, reply.recalled) == ("offline", COMPLETE, [])
    assert read_text(ada, reply).strip() and "seventeen" not in read_text(ada, reply)
