"""A student's whole turn: listens, feels, curates, plans and chooses a tone before it composes; by rows, models and prompts."""

import asyncio
import json
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from chat import services
from chat.models import Message
from chat.replies.presentation import show_messages
from chat.threads import in_thread
from chat.turn.life import life_step
from chat.turn.reply import Turn
from chat.turn.steps import Steps
from companion_site.embeddings.bundled import BundledEmbedder
from companion_site.llm.gateway import get_gateway
from companion_site.vault.scope import space_scope
from memory.models import DailyMetric, Goal, Gratitude, LifeFact, Mood, Wishes
from memory.student.life.goals import set_goal
from memory.student.life.journals import write_note
from memory.student.life.kinds import GRATITUDE
from memory.student.life.moods import moods_between, tell_mood
from memory.student.life.wishes import change_wishes
from tests.chat.talking import (
    DAY_BEFORE,
    article,
    begin,
    outcome_of,
    remember,
    reply_to,
    steps_of,
    talk,
    tell,
)
from tests.factories import NOW
from tests.llm.wire_server import Act, WireServer

pytestmark = pytest.mark.usefixtures("listening")

LATER = NOW + timedelta(hours=1)
LIFE = (Goal, Gratitude, Mood, DailyMetric, LifeFact, Wishes)
FACTS = [
    "I counted seventeen otters by the river at Skansen in March",
    "I have a biology exam about otters on the third of May",
    "I wrote nine pages about giant otters for my teacher Helena",
    "My group observes otters by the Amazon exhibit every Tuesday",
    "I promised Karin to draw twelve otters for her birthday in June",
    "My cousin Oskar feeds the otters at Kolmården with herring",
    "I bought a mug with two otters on it at the zoo in Berlin",
    "I read a novel about a girl and her otters last summer",
    "I dream of studying otters in Scotland after school",
    "My uncle Tom once photographed four otters near Oban",
]
GOOD = "I was so happy when I saw the otters swim with Signe in Lund"
FATHER = [
    "My father shouted at me for an hour on my fifteenth birthday in Malmö",
    "I have not spoken with dad since he forgot my concert in October",
    "I like to swim in the lake at Delsjön every Saturday with Signe",
]
SAD = "I feel so sad and empty, I cried about the otters all evening."
GLAD = "I am so happy and excited, the otters were wonderful today!"


def asked(server: WireServer) -> str:
    """Return everything that the model was sent last."""
    return json.dumps(server.requests[-1].body, ensure_ascii=False)


@contextmanager
def away(table: str):
    """Have a table not be there."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME TO {table}_away")
    try:
        yield
    finally:
        with connections["owner"].cursor() as cursor:
            cursor.execute(f"ALTER TABLE {table}_away RENAME TO {table}")


@pytest.mark.slow
@pytest.mark.spec("L3", "L4", "L6")
def test_the_same_matter_told_sadly_and_gladly_gets_another_context_plan_and_tone(ada, model):
    """Who is sad is given fewer facts, what they are grateful for, support and a warm voice; who is glad is celebrated with."""
    for fact in (*FACTS, GOOD):
        remember(ada, fact)
    with ada.open() as space:
        write_note(space, GRATITUDE, "A walk by the river with Signe", now=DAY_BEFORE)
        write_note(space, GRATITUDE, "The cinnamon buns of my grandmother", now=DAY_BEFORE)

    replies = {}
    for text in (SAD, GLAD):
        reply = talk(ada, text)
        replies[text] = (outcome_of(ada, reply), asked(model))
    (sad, sad_prompt), (glad, glad_prompt) = replies[SAD], replies[GLAD]

    assert (sad["emotion"]["primary_emotion"], glad["emotion"]["primary_emotion"]) == ("sadness", "joy")
    assert (sad["plan"]["mode"], sad["plan"]["goal"]) == ("support", "validate_feelings")
    assert (glad["plan"]["mode"], glad["plan"]["goal"]) == ("gratitude", "celebrate")
    assert (sad["tone"]["name"], glad["tone"]["name"]) == ("warm_empathic", "cheerful_light")

    def told(prompt: str) -> int:
        return sum(fact in prompt for fact in FACTS)

    assert told(sad_prompt) < told(glad_prompt)
    assert GOOD in sad_prompt and "cinnamon buns" in sad_prompt
    assert "They seem (a guess): sad" in sad_prompt and "They seem (a guess): glad" in glad_prompt


@pytest.mark.spec("L3")
def test_a_topic_to_avoid_never_reaches_the_model(ada, model):
    """Not out of memories, goals, gratitude or the summary of the conversation; what they say themselves now is theirs."""
    for fact in FATHER:
        remember(ada, fact)
    row = begin(ada)
    with ada.open() as space:
        set_goal(space, "Write a letter to my dad", now=DAY_BEFORE)
        set_goal(space, "Swim twice a week", now=DAY_BEFORE)
        write_note(space, GRATITUDE, "Dad fixed my bike", now=DAY_BEFORE)
        change_wishes(space, now=NOW, avoid=["my father"])
        with space_scope(space):
            row.summary = "- Said: my father left in May\n- Said: the lake was cold"
            row.save(update_fields=["summary"])

    reply = talk(ada, "What do I like to do, and who was angry and forgot my birthday?", conversation=row)
    sent = asked(model).casefold()

    assert "delsjön" in sent
    for word in ("father", "pappa", "dad ", "my dad"):
        assert word not in sent
    assert outcome_of(ada, reply)["dropped"]["avoided"] >= 3

    talk(ada, "My father called me today", conversation=row)
    assert "My father called me today" in asked(model)


@pytest.mark.slow
@pytest.mark.spec("L9")
def test_what_does_not_depend_on_one_another_runs_side_by_side(ada, model, monkeypatch):
    """All that needs nothing else has begun before any of it ends; feeling and recalling wait for the vector alone."""
    for fact in FACTS:
        remember(ada, fact)
    with ada.open() as space:
        set_goal(space, "Count otters every week", now=DAY_BEFORE)

    course, take = [], Steps.take

    async def note(steps, name, work):
        course.append((name, "begins"))
        try:
            return await take(steps, name, work)
        finally:
            course.append((name, "ends"))

    monkeypatch.setattr(Steps, "take", note)
    reply = talk(ada, "Tell me about the otters by the river")
    # Of a first message the vector is known already: its title was made by it.
    first_end = next(place for place, (name, what) in enumerate(course) if what == "ends" and name != "embed")

    assert {name for name, _ in course[:first_end]} >= {
        "meet", "earlier", "listen", "embed", "open", "wishes", "life",
    }  # fmt: skip
    embedded = course.index(("embed", "ends"))
    for name in ("recall", "emotion"):
        assert course.index((name, "begins")) > embedded
    assert course.index(("emotion", "begins")) < course.index(("recall", "ends")) or course.index(
        ("recall", "begins")
    ) < course.index(("emotion", "ends"))
    decided = [course.index((name, "ends")) for name in ("curate", "plan", "tone", "compose")]
    assert course.index(("recall", "ends")) < min(decided)
    assert steps_of(reply).keys() >= {name for name, _ in course} | {"reply"}
    assert all(step["ms"] >= 0 and step["form"] in {"offline", "model"} for step in reply.steps)


@pytest.mark.spec("L9")
@pytest.mark.parametrize(
    ("table", "failed"),
    [("memory_dailymetric", "life"), ("memory_wishes", "wishes"), ("ledger_ledgerentry", "recall")],
)
def test_a_step_that_fails_costs_the_reply_that_step_alone(ada, model, table, failed):
    """The reply is whole, and its row says which step failed; where nobody knows what to avoid, nothing remembered is told."""
    remember(ada, FACTS[0])
    with away(table):
        reply = talk(ada, "When do the otters eat?")

    assert reply.state == Message.State.COMPLETE
    assert ("seventeen" in asked(model)) == (failed == "life")
    assert [step["step"] for step in reply.steps if step["form"] == "failed"] == [failed]


@pytest.mark.spec("L9")
def test_what_follows_a_reply_is_timed_and_fails_alone(ada, model):
    """Each step after the reply stands behind it on the row, with how much it noted; where nothing can be noted as a goal, the mood is kept all the same."""
    remember(ada, FACTS[0])
    reply = talk(ada, SAD)
    steps = steps_of(reply)
    assert [*steps][-4:] == ["reply", "touch", "coach", "mood"]
    assert steps["reply"]["first_ms"] <= steps["reply"]["ms"]
    assert (steps["touch"]["touched"], steps["mood"]["noted"]) == (len(reply.recalled), 1)
    with away("memory_goal"):
        reply = talk(ada, SAD)
    assert [step["step"] for step in reply.steps if step["form"] == "failed"] == ["life", "coach"]
    with ada.open() as space:
        moods = moods_between(space, DAY_BEFORE, LATER)
    assert [mood.state.primary_emotion for mood in moods] == ["sadness"] * 2 and not moods[0].is_told


@pytest.mark.spec("L9")
def test_a_step_that_was_stopped_did_not_fail(ada, model):
    """Who stops a reply is not told that something went wrong."""
    model.always(Act(hang="request"))
    row = begin(ada)

    async def run() -> Message:
        exchange = await in_thread(services.say, ada, row.pk, text=SAD, client_id=uuid4(), now=NOW)
        task = asyncio.create_task(Turn(exchange, access=ada, now=NOW).run())
        while not model.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        await task
        await get_gateway().aclose()
        return await in_thread(services.find_message, ada, row.pk, exchange.reply.pk)

    reply = asyncio.run(run())
    assert reply.state == Message.State.STOPPED
    assert {step["form"] for step in reply.steps} == {"offline", "stopped"}
    assert "did not work" not in article(ada, reply)


@pytest.mark.spec("L3")
def test_the_last_good_moment_is_found_however_long_ago(ada):
    """A good mood with words counts beyond the days of the trend, unless they were grateful for something since."""
    row = begin(ada)
    said = tell(ada, row, "Hello again").message
    glad, low = ({"emotion": emotion, "intensity": "medium"} for emotion in ("joy", "sadness"))
    with ada.open() as space:
        tell_mood(space, **glad, note="Signe swam with me", now=NOW - timedelta(days=40))
        tell_mood(space, **low, note="Rain", now=NOW - timedelta(days=2))
    assert life_step(ada, said, now=NOW).last_positive.text == "Signe swam with me"

    with ada.open() as space:
        write_note(space, GRATITUDE, "Cinnamon buns", now=NOW - timedelta(days=3))
    assert life_step(ada, said, now=NOW).last_positive.text == "Cinnamon buns"
    with ada.open() as space:
        tell_mood(space, **glad, note="We danced", now=NOW - timedelta(days=1))
    assert life_step(ada, said, now=NOW).last_positive.text == "We danced"


@pytest.mark.spec("L3")
def test_days_are_those_where_the_person_is(ada, model):
    """Half past midnight in Stockholm is not the day before, though it still is in Greenwich."""
    with ada.open() as space:
        write_note(space, GRATITUDE, "A walk by the river", now=datetime(2026, 3, 1, 23, 30, tzinfo=UTC))
    talk(ada, SAD)
    assert r"\"A walk by the river\" [2026-03-02]" in asked(model)


def test_a_message_is_embedded_once(ada, model, monkeypatch):
    """The title, recall, danger, planning, noting and what is said of the reply go by one vector."""
    embedded: list[str] = []
    embed = BundledEmbedder.embed

    def note(self, texts):
        embedded.extend(texts)
        return embed(self, texts)

    monkeypatch.setattr(BundledEmbedder, "embed", note)
    talk(ada, "We talked about fractions at school today")

    assert embedded.count("We talked about fractions at school today") == 1


@pytest.mark.spec("I7", "L2")
def test_with_memory_off_no_row_of_a_life_is_read_and_no_feeling_kept(ada, model):
    """The message's own feeling may choose the voice, of which the row keeps the numbers and not the name."""
    with ada.open() as space:
        set_goal(space, "Count otters every week", now=DAY_BEFORE)
    with CaptureQueriesContext(connection) as here:
        reply = talk(ada, SAD, memory_on=False)
    tables = [model._meta.db_table for model in LIFE]

    assert set(outcome_of(ada, reply)) == {"tone"}
    assert set(outcome_of(ada, reply)["tone"]) == {"stability", "similarity", "style", "speed"}
    assert "Count otters" not in asked(model)
    assert not [one for one in here.captured_queries for table in tables if f'"{table}"' in one["sql"]]
    ran = steps_of(reply).keys()
    assert not ran & {"wishes", "life", "recall", "open", "vectors"}
    (shown,) = show_messages(ada, [reply], now=NOW)
    assert list(shown.stood_on.steps) == []
    with ada.open() as space:
        assert moods_between(space, DAY_BEFORE, LATER) == []


@pytest.mark.spec("L6")
def test_the_tone_stands_on_the_row_before_the_first_word(ada, model):
    """Whoever reads a reply out asks for its first sentence while the rest is still to come."""
    row = begin(ada)
    seen: list[dict | None] = []

    async def run() -> None:
        exchange = await in_thread(services.say, ada, row.pk, text=SAD, client_id=uuid4(), now=NOW)
        turn = Turn(exchange, access=ada, now=NOW)
        task = asyncio.create_task(turn.run())
        async for _ in turn.live.follow(0):
            found = await in_thread(services.find_message, ada, row.pk, exchange.reply.pk)
            seen.append(await in_thread(outcome_of, ada, found))
            break
        await task
        await get_gateway().aclose()

    asyncio.run(run())
    assert seen[0] is not None and seen[0]["tone"]["name"] == "warm_empathic"


@pytest.mark.spec("L4", "L9")
def test_steps_may_ask_a_model_and_say_so(ada, model, settings):
    """By default none does; with TURN_STEPS=model the closed forms are asked for; an answer in no form leaves the rules to decide."""
    remember(ada, FACTS[0])
    talk(ada, "When do the otters eat?")
    assert len(model.requests) == 1
    settings.TURN_STEPS = "model"
    model.always(Act())
    told = "The otters ate a lot at the zoo today"
    reply = talk(ada, told)
    steps = steps_of(reply)
    assert {steps[name]["form"] for name in ("curate", "plan", "tone")} == {"model"}

    model.always(Act(text="All right."))
    reply = talk(ada, told)
    steps = steps_of(reply)
    assert {steps[name]["form"] for name in ("curate", "plan", "tone")} == {"offline"}
    assert reply.state == Message.State.COMPLETE


@pytest.mark.spec("L4")
def test_the_next_turn_knows_what_the_last_was_for(ada, model):
    """The mode of the reply before is read from its row, and a reply written anew forgets its own."""
    row = begin(ada)
    talk(ada, SAD, conversation=row)
    turn = reply_to(ada, tell(ada, row, "It is raining here."))

    assert turn.side.minded.life.before.mode == "support"


@pytest.mark.spec("I6", "L9")
def test_the_person_sees_why_a_reply_came_out_as_it_did(ada, model):
    """In plain words: how they seemed, what it was for, its tone, and how much was left out, never what."""
    remember(ada, FATHER[0])
    with ada.open() as space:
        change_wishes(space, now=NOW, avoid=["my father"])
    reply = talk(ada, f"{SAD} Who shouted at me on my birthday in Malmö?")

    (shown,) = show_messages(ada, [reply], now=NOW)
    page = article(ada, reply)
    lines = [f"{line.label} {line.words}" for line in shown.stood_on.steps]

    assert "How you seemed: sad" in lines
    assert "What the reply is for: to answer what you asked" in lines
    assert "Its tone: warm" in lines
    assert "Left out: 1 thing that you do not want to speak of" in lines
    assert all(line in page for line in lines)
    assert "father" not in page


@pytest.mark.spec("L9")
def test_steps_are_metadata_and_hold_no_word(ada, model):
    """Names, forms, durations and counts; what they came to is sealed."""
    reply = talk(ada, SAD)
    with connection.cursor() as cursor, space_scope(ada.space):
        cursor.execute("SELECT steps, outcome FROM chat_message WHERE id = %s", [reply.pk])
        steps, outcome = cursor.fetchone()

    assert "sad" not in f"{steps}" and "support" not in f"{steps}"
    assert b"support" not in bytes(outcome) and b"sadness" not in bytes(outcome)
