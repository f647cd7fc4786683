"""`kill -9` in the middle of the work: nothing said is lost or doubled, and every memory forms once.

Each instant is one student who says one thing, brought to a place in the work (tests/e2e/places.py) and killed there a
seeded moment later. What became of it is read from the database, opened with the student's own password.
"""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from uuid import UUID

import pytest
from websockets.exceptions import ConnectionClosed

from tests.e2e import records
from tests.e2e.model import Model
from tests.e2e.places import Hold, holding, is_queued, is_streaming, kill, kill_backend
from tests.e2e.records import Records
from tests.e2e.starting import environment, run_on, running
from tests.e2e.visitor import Talk, Visitor, Words
from tests.llm.wire_server import Act
from tests.running.site import Site, wait_until

SEED = 20260321
#: Half a minute of it: on a busy machine a worker that was killed is not back at work much sooner.
REPLY = " ".join(f"word{number}" for number in range(80))
SLOW, QUICK = Act(text=REPLY, delay_s=0.4), Act(text=REPLY)
#: Longer than any pause at a place; a job whose worker died is run again a little later.
SETTINGS = {"JOB_TIMEOUT_S": "9", "JOB_RETRY_S": "10"}
STUDENTS = [f"student-{number}" for number in range(1, 41)]
#: Where the worker is killed, its head or all of it, and where the web process is killed in the same breath.
ROUNDS = [
    ("before writing", "head", "storing"),
    ("first memory written", "all", "saving"),
    ("all memories written", "all", "streaming"),
    ("going to commit", "head", "receiving"),
    ("committed", "all", "streaming"),
]
#: Where the worker is when the database is killed, as a whole or one process of it.
DATABASE_INSTANTS = [
    ("before writing", "server"),
    ("source written", "backend"),
    ("going to commit", "server"),
]


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    with Model() as model:
        yield model


@pytest.fixture(scope="module")
def site_env(model, tmp_path_factory) -> dict[str, str]:
    return environment(tmp_path_factory.mktemp("kills"), model_url=model.url, **SETTINGS)


@pytest.fixture(scope="module")
def site(site_env, tmp_path_factory) -> Iterator[Site]:
    with running(tmp_path_factory.mktemp("output"), site_env, STUDENTS) as site:
        yield site


@pytest.fixture(scope="module")
def unused() -> list[str]:
    return list(STUDENTS)


@dataclass
class Student:
    """One student with one conversation, in which one thing is said."""

    visitor: Visitor
    conversation: UUID
    records: Records
    words: Words

    def talk(self):
        return self.visitor.talk(self.conversation)

    def formed(self) -> bool:
        """Tell whether memories have been formed from the words."""
        query = "SELECT formed_at FROM chat_message WHERE id = %s"
        (row,) = self.records.ask(query, self.words.message)
        return row.formed_at is not None


@pytest.fixture
def meet(site, model, unused) -> Callable[[], Student]:
    """Log a student in whom nobody has met, with something of their own to say."""
    model.always(QUICK)

    def meet() -> Student:
        name = unused.pop()
        visitor = Visitor(site, name)
        assert visitor.log_in() == 302
        year = 1900 + len(unused)
        text = f"I was born in Uppsala in {year}. I am allergic to hazelnuts."
        return Student(visitor, visitor.begin_conversation(), Records(site.var, name), Words(text))

    return meet


def test_the_worker_and_the_web_process_killed_at_work_lose_nothing(site, model, meet):
    """Whichever process dies, and wherever in its work: each message is there once, and its memory forms once.

    What was accepted is there; what was not is there once after a resend; a reply that broke off says so and can be
    had anew.
    """
    rng, met = random.Random(SEED), []
    for place, victim, web_place in rng.sample(ROUNDS, len(ROUNDS)):
        thinker, listener = meet(), meet()
        met += [thinker, listener]
        model.always(SLOW)
        with listener.talk() as talk:
            with ExitStack() as stack:
                _bring_both_to(place, thinker, web_place, listener, talk, rng=rng, stack=stack)
                _wait_until_taken(site, thinker)
                assert thinker.formed() == (place == "committed")
                _kill_both(site, victim, rng=rng)
                assert is_queued(site.var, thinker.words.message)
                assert thinker.formed() == (place == "committed")
            talk.hear_rest(listener.words)
            assert "chat.done" not in {event["type"] for event in talk.heard}
        model.always(QUICK)
        wait_until(site.answers, "the site")
        if listener.words.reply is None:
            # No receipt, or nothing after it: the page sends the words again, which harms in neither case.
            listener.visitor.tell_again(listener.conversation, listener.words)
        else:
            assert is_streaming(site.var, listener.words.reply)
    for student in met:
        _have_the_whole_reply(student)
    _assert_all_is_well(site, met)


def test_the_database_killed_while_both_work_loses_nothing(site, site_env, model, meet):
    """With a reply streaming and a memory half written: both are whole in the end, and the site mends itself."""
    rng, met, talks = random.Random(SEED + 1), [], []
    instants = rng.sample(DATABASE_INSTANTS, len(DATABASE_INSTANTS))
    with ExitStack() as pages:
        for number, (place, victim) in enumerate(instants, start=1):
            thinker, listener = meet(), meet()
            met += [thinker, listener]
            model.always(SLOW)
            talk = pages.enter_context(listener.talk())
            talks.append((talk, listener.words))
            talk.told(listener.words)
            for _ in range(rng.randint(1, 12)):
                talk.hear("chat.delta")
            with _brought_to(place, thinker) as hold:
                _wait_until_taken(site, thinker)
                assert not thinker.formed()
                assert is_streaming(site.var, listener.words.reply)
                _kill_database(site, victim, hold)
            wait_until(lambda: records.answers(site.var), "the database")
            if number < len(instants):
                # By itself it is back too, but only after the queue's pause of ten seconds.
                kill(site, "worker")
        for talk, words in talks:
            _assert_the_reply_ends(talk, words)
    model.always(QUICK)
    _assert_news_arrives(meet())
    for student in met:
        _have_the_whole_reply(student)
    _assert_all_is_well(site, met)
    run_on(site_env, "manage.py", "verify_audit")


@contextmanager
def _brought_to(place: str, student: Student) -> Iterator[Hold]:
    """Say the words and let the forming go on as far as a place; it goes on from there after the block."""
    var, space = student.records.var, student.records.space
    with ExitStack() as stack:
        # Held from the beginning, so that what the place's lock keeps the web process from is done by then.
        with holding(var, "before writing", space=space) as first:
            with student.talk() as talk:
                talk.told(student.words)
            first.wait_until_reached()
            if place == "before writing":
                yield first
                return
            hold = stack.enter_context(holding(var, place, space=space))
        hold.wait_until_reached()
        yield hold


def _wait_until_taken(site: Site, student: Student) -> None:
    """Wait until a worker has the job that forms the student's memories."""
    wait_until(lambda: is_queued(site.var, student.words.message, taken=True), "the job")


def _bring_both_to(
    place: str,
    thinker: Student,
    web_place: str,
    listener: Student,
    talk: Talk,
    *,
    rng: random.Random,
    stack: ExitStack,
) -> None:
    """Bring the worker and the web process to their places, one with each student's words."""
    if web_place in {"streaming", "saving"}:
        talk.told(listener.words)
        for _ in range(rng.randint(1, 12)):
            talk.hear("chat.delta")
    stack.enter_context(_brought_to(place, thinker))
    if web_place in {"storing", "saving"}:
        records = listener.records
        hold = stack.enter_context(holding(records.var, "going to commit", space=records.space))
    if web_place in {"storing", "receiving"}:
        talk.say(listener.words)
    if web_place in {"storing", "saving"}:
        hold.wait_until_reached()
    time.sleep(rng.uniform(0, 0.1))


def _kill_both(site: Site, victim: str, *, rng: random.Random) -> None:
    """Kill the web process and one of the worker's, or all of them, in either order."""
    kills = [lambda: kill(site, "web"), lambda: kill(site, "worker", whole_group=victim == "all")]
    for kill_one in rng.sample(kills, 2):
        kill_one()


def _kill_database(site: Site, victim: str, hold: Hold) -> None:
    if victim == "server":
        kill(site, "postgres")
    else:
        kill_backend(site.var, hold.waiting()[0])


def _assert_the_reply_ends(talk: Talk, words: Words) -> None:
    """The page is told how a reply ended, or loses its socket and asks again; it is never left waiting."""
    try:
        event = talk.hear("chat.done", "chat.error", timeout_s=30)
    except ConnectionClosed:
        return
    assert event.get("reply") == str(words.reply)


def _assert_news_arrives(student: Student) -> None:
    """An open page hears from the worker again, though both lost their connections."""
    with student.talk() as talk:
        talk.told(student.words)
        assert talk.hear("chat.remembered")["message"] == str(student.words.message)


def _have_the_whole_reply(student: Student) -> None:
    """Come back to the conversation; a reply that broke off says so, keeps what it had, and is written anew."""
    words = student.words
    with student.talk() as talk:
        talk.send(type="chat.resume", reply=str(words.reply))
        state = talk.hear("chat.done")["state"]
        if state == "complete":
            return
        assert state in {"interrupted", "failed"}
        partial = next(m.text for m in student.records.messages() if m.row.id == words.reply)
        assert REPLY.startswith((partial or "").strip())
        talk.send(type="chat.retry", reply=str(words.reply))
        assert talk.hear("chat.done")["state"] == "complete"


def _assert_all_is_well(site: Site, met: list[Student]) -> None:
    for student in met:
        wait_until(student.formed, "the memory")
        _assert_said_once(student)
        _assert_formed_once(student)
    assert site.process.poll() is None
    wait_until(site.answers, "the site")


def _assert_said_once(student: Student) -> None:
    said, reply = student.records.messages()
    assert (said.row.id, said.row.client_id) == (student.words.message, student.words.client_id)
    assert (said.row.role, said.text, said.row.position) == ("person", student.words.text, 1)
    assert (reply.row.role, reply.row.parent_id, reply.row.position) == ("companion", said.row.id, 2)
    assert (reply.row.state, reply.text.strip()) == ("complete", REPLY)


def _assert_formed_once(student: Student) -> None:
    memories = student.records.memories()
    assert len(memories) == 2 and all(memory.text in student.words.text for memory in memories)
    assert {memory.row.source_id for memory in memories} == {student.words.message}
    assert len({(memory.row.start, memory.row.end) for memory in memories}) == len(memories)
    assert student.records.count_events("memory.formed") == 1
