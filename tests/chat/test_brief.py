"""The brief before every request: what stands in it, what never does, and that it is data."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat import services
from chat.models import Conversation, Import
from chat.prompts import NOT_REMEMBERED, REMEMBERED, system_prompt
from chat.turn.brief import CLOSING, OPENING, Brief, LastTalk, write_brief
from chat.turn.notes import guess_mood
from companion_site.embeddings.service import get_embedder
from companion_site.llm.scrubbing.detector import find_places
from companion_site.llm.scrubbing.policy import Kind
from companion_site.llm.tokens import count_tokens
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode
from memory.student.corrections import correct_memory
from memory.student.life.facts.loops import OpenLoop
from memory.student.life.feelings import MoodTrend
from memory.student.life.wishes import change_wishes
from tests.cases import cases
from tests.chat.planning import FALLING, PLAIN, SAD
from tests.chat.talking import DAY_BEFORE, begin, change_rows, compose, prompt, remember, rows, talk, tell
from tests.factories import NOW, make_access

HERE = ZoneInfo("Europe/Stockholm")
LOCAL = NOW.astimezone(HERE)
DENTIST = "I have a dentist appointment on 3 March at 10:00"


def system(server) -> str:
    return server.requests[-1].system_text


def brief_of(server) -> str:
    """Return the brief that the model read last."""
    return prompt(server).split(OPENING)[1].split(CLOSING)[0].strip()


def talked_before(access, text: str, *, memory_on: bool = True) -> Conversation:
    """Have said something in another conversation, without a turn."""
    row = services.begin_conversation(access, now=DAY_BEFORE, memory_on=memory_on)
    tell(access, row, text, now=DAY_BEFORE)
    return row


def promise(text: str, due: datetime, **fields) -> OpenLoop:
    return OpenLoop(
        **{"id": uuid4(), "kind": "promise", "text": text, "priority": "low", "due": due, **fields}
    )


# --- the block --------------------------------------------------------------------------------------------------------


def test_the_brief_has_its_form():
    """Now, who, what is due with what was corrected, the last talk, a guess; each on a line, the person's words in marks."""
    at = LOCAL.replace(hour=10, minute=0) + timedelta(days=1)
    test = promise("The test is on Tuesday", at, kind="appointment")
    brief = Brief(
        now=LOCAL,
        name="Ada",
        due=[
            test,
            promise("I call Sara", LOCAL, is_all_day=True),
        ],
        corrected={test.id: ("The test is on Friday",)},
        last_talk=LastTalk(at=NOW - timedelta(days=1), about="Fractions"),
        mood="sad",
    )
    assert write_brief(brief, tokens=400) == "\n".join(
        [
            "<COMPANION_BRIEF>",
            f"Now: Monday 2026-03-02, {LOCAL:%H:%M}",
            'You talk with: "Ada"',
            'Due tomorrow, Tuesday 2026-03-03 10:00: "The test is on Tuesday" (appointment); before it was corrected: "The test is on Friday"',
            'Due today, Monday 2026-03-02: "I call Sara" (promise)',
            'You last talked: yesterday, 2026-03-01, about "Fractions"',
            "They seem (a guess): sad",
            "</COMPANION_BRIEF>",
        ]
    )


@given(st.text(), st.text(), st.text(), st.integers(0, 300))
def test_nothing_in_it_can_leave_its_line_or_pass_its_tokens(name, about, text, tokens):
    """A name and a title are text from outside: between the block's first and last line stand only lines of ours."""
    loop = promise(text, LOCAL)
    brief = Brief(
        now=LOCAL,
        name=f"N{name}",
        due=[loop],
        corrected={loop.id: (text,)},
        last_talk=LastTalk(at=NOW, about=f"A{about}"),
    )
    whole = write_brief(brief, tokens=10_000)
    assert whole.startswith(OPENING) and whole.endswith(CLOSING) and len(whole.splitlines()) == 6
    assert whole.count(OPENING) == whole.count(CLOSING) == 1
    assert whole.count('"') == 8
    fitted = write_brief(brief, tokens=tokens)
    assert fitted == "" or count_tokens([fitted]) <= tokens
    assert set(fitted.splitlines()) <= set(whole.splitlines())


def test_a_day_and_a_time_are_nobody_s_number():
    """What is kept back from providers is personal: none of the brief's own figures is taken for a telephone or a number of somebody. Nor is a mood told that was not read surely."""
    assert guess_mood(SAD, MoodTrend()) == "sad; would like company"
    assert guess_mood(replace(SAD, confidence=0.2), MoodTrend()) == guess_mood(PLAIN, MoodTrend()) == ""
    assert guess_mood(PLAIN, FALLING) == "each of the last 3 days was lower than the one before"
    for days in range(0, 3_650, 7):
        now = LOCAL + timedelta(days=days, minutes=37 * days)
        due = [promise("I go", now + timedelta(days=1))]
        text = write_brief(Brief(now=now, name="Ada", due=due, last_talk=LastTalk(at=now)), tokens=400)
        assert list(find_places(text, frozenset(Kind))) == []


@pytest.mark.django_db
@pytest.mark.spec("G9")
def test_its_tokens_are_counted(settings):
    """However little room there is the request keeps its ceiling, and the brief comes before memory."""
    ada = make_access("ada")
    row = begin(ada)
    exchange = tell(ada, row, "hello")
    brief = Brief(now=LOCAL, name="Ada " * 20, last_talk=LastTalk(at=NOW, about="Fractions " * 10))
    own = count_tokens([system_prompt(language="en"), "hello"])
    seen = set()
    for room in range(0, 320, 10):
        settings.LLM_MAX_INPUT_TOKENS = own + room
        request = compose(ada, exchange.message, "hello", brief=brief).request
        assert count_tokens(filter(None, [request.system, request.context, "hello"])) <= own + room
        seen.add(len(request.context.splitlines()))
    assert seen == {0, 3, 4, 5}


# --- whole turns ------------------------------------------------------------------------------------------------------


@pytest.mark.spec("L3")
def test_every_request_says_when_it_is_who_they_are_and_what_is_due(ada, listening):
    """In the message's part, never in the system role, with what was put right; what stands there is not told again below it."""
    remember(ada, DENTIST.replace("3 March", "4 March"))
    (node,) = rows(ada, MemoryNode)
    correction = {"text": DENTIST, "embedder": get_embedder(), "now": DAY_BEFORE, "actor": ada.person}
    with ada.open():
        correct_memory(ada.space, node.pk, **correction)
    talked_before(ada, "How do fractions work?")
    talk(ada, "What even is a derivative?")
    brief = brief_of(listening)
    assert brief.splitlines()[:3] == [
        f"Now: Monday 2026-03-02, {LOCAL:%H:%M}",
        f'You talk with: "{ada.person.display_name}"',
        f'Due tomorrow, Tuesday 2026-03-03 10:00: "{DENTIST}" (appointment); before it was corrected: '
        '"I have a dentist appointment on 4 March at 10:00"',
    ]
    assert 'about "How do fractions work?"' in brief and "yesterday, 2026-03-01" in brief
    assert prompt(listening).count(DENTIST) == 1
    assert "Now: Monday" not in system(listening) and "fractions" not in system(listening)


@pytest.mark.spec("I7")
def test_with_memory_off_nothing_of_before_is_told(ada, listening):
    """Only now, the name and how the message itself sounds; and the instructions say that memory is off."""
    remember(ada, DENTIST)
    talked_before(ada, "How do fractions work?")
    talk(ada, "What even is a derivative?", memory_on=False)
    assert len(brief_of(listening).splitlines()) == 2
    assert NOT_REMEMBERED in system(listening) and REMEMBERED not in system(listening)
    talk(ada, "What even is a derivative?")
    assert REMEMBERED in system(listening) and NOT_REMEMBERED not in system(listening)


@pytest.mark.spec("L4")
def test_nothing_of_danger_is_told_of_the_last_talk(ada, listening):
    """That there was one is told with its day; in danger not even that, nor what is due."""
    remember(ada, DENTIST)
    row = begin(ada)
    talk(ada, "I don't want to live anymore", "What is recursion?", conversation=row)
    brief = brief_of(listening)
    assert "You last talked" not in brief
    talk(ada, "What even is a derivative?")
    assert "You last talked: today, 2026-03-02" in brief_of(listening).splitlines()
    talk(ada, "I don't want to live anymore")
    assert len(brief_of(listening).splitlines()) == 2


@pytest.mark.parametrize("how", ["off", "deleted", "imported", "avoided"])
def test_a_talk_that_is_not_to_be_told_is_not(ada, listening, how):
    """One with memory off, one that was deleted or brought in from elsewhere; of one about a topic to avoid only the day."""
    row = talked_before(ada, "My father shouted at me", memory_on=how != "off")
    with space_scope(ada.space), ada.open():
        if how == "deleted":
            change_rows(ada, Conversation, {"pk": row.pk}, deleted_at=NOW)
        if how == "imported":
            brought = Import.objects.create(space_id=ada.space, author=ada.person, files=[], created_at=NOW)
            change_rows(ada, Conversation, {"pk": row.pk}, brought_by=brought)
        if how == "avoided":
            change_wishes(ada.space, now=NOW, avoid=["my father"])
    talk(ada, "What even is a derivative?")
    brief = brief_of(listening)
    assert "father" not in brief
    assert ("You last talked" in brief) == (how == "avoided")


# --- directions -------------------------------------------------------------------------------------------------------


@pytest.mark.spec("L4")
@cases(
    "text",
    [
        "What even is a derivative?",
        "How many credits do I need to graduate?",
        "Grandpa is in hospital. He wanted to play a game with me yesterday.",
        "I feel so sad and empty, I cried all evening.",
        "I am so happy, I passed my exam!",
        "I keep procrastinating with my essay",
    ],
)
def test_a_model_gets_no_orders_for_what_nobody_asked_for(ada, listening, text):
    """Its instructions are the same for every such message."""
    talk(ada, text)
    assert system(listening) == system_prompt(language="en")


@pytest.mark.spec("L4", "L5")
def test_a_model_is_directed_where_the_person_asks_for_it(ada, listening):
    """Coached, heard, or spoken with calmly."""
    talk(ada, "Can you coach me, please?")
    assert "They asked to be coached" in system(listening) and "one open question" in system(listening)
    talk(ada, "Just listen, please")
    assert "They asked to be listened to" in system(listening)
    with ada.open():
        change_wishes(ada.space, now=NOW, calm=True)
    talk(ada, "What even is a derivative?")
    assert "They wish to be spoken with calmly" in system(listening)
    assert "asked to be" not in system(listening)
