"""What a message has noted: written once, shown under the reply, taken back in one click, and nobody else's."""

import asyncio
from datetime import timedelta

import pytest
from django.test import Client

from chat.coaching.store import noted_of, was_taken_back
from chat.models import Conversation
from chat.turn.reply import Turn
from chat.turn.student import coach_step
from companion_site.accounts.services import switch_memory
from companion_site.ids import new_id
from memory.student.life.goals import list_goals, move_goal, note_goal, set_goal
from memory.student.life.journals import list_notes
from memory.student.life.kinds import GRATITUDE
from memory.student.life.limits import LIFE
from memory.student.life.moods import moods_between
from tests.audit.record import events
from tests.chat.talking import article, begin, change_rows, talk, tell
from tests.factories import NOW, make_business_user, make_student
from tests.live import logged_in

pytestmark = pytest.mark.spec("L4")

THANKS, GOAL = "I'm grateful for the tea.", "I want to start running twice a week."
BOTH = f"{THANKS} {GOAL}"
LATER = NOW + timedelta(hours=1)


def coach(access, exchange, *, is_danger=False) -> int:
    asked = Turn(exchange, access=access, now=NOW).side.asked
    return asyncio.run(coach_step(asked, is_danger=is_danger))


def noted(access, exchange) -> dict:
    """Return what was noted of a message, each line by its row."""
    with access.open():
        found = noted_of(access.space, [exchange.message.pk])[exchange.message.pk]
    return {one.id: one.text for one in found}


def goals(access) -> list:
    with access.open():
        return list_goals(access.space)


def life(access) -> tuple[int, int, int]:
    with access.open():
        return (
            len(list_goals(access.space)),
            len(list_notes(access.space, GRATITUDE)),
            len(moods_between(access.space, NOW - timedelta(days=1), NOW + timedelta(days=1))),
        )


def place_of(exchange, row, *, message=None, conversation=None) -> str:
    conversation = conversation or exchange.message.conversation_id
    return f"/chat/{conversation}/messages/{message or exchange.message.pk}/noted/{row}/undo/"


def undo(browser: Client, exchange, row, **other) -> int:
    return browser.post(place_of(exchange, row, **other)).status_code


def test_what_a_message_says_is_noted_once_shown_under_its_reply_and_taken_back(ada):
    """In the person's own words, as text; a second run adds nothing, also after an undo, which is on record without a word."""
    exchange = tell(ada, begin(ada), BOTH.replace("tea", "<b>tea"))
    assert [coach(ada, exchange) for _ in range(2)] == [2, 0]
    with ada.open():
        (goal,), (thanks,) = list_goals(ada.space), list_notes(ada.space, GRATITUDE)
    assert (goal.text, goal.message_id) == (GOAL, exchange.message.pk)
    assert (thanks.text, thanks.message_id) == ("I'm grateful for the <b>tea.", exchange.message.pk)

    shown = article(ada, exchange.reply)
    assert f"Goal set: {GOAL}" in shown and shown.count(">Undo<") == 2
    assert "In your gratitude journal: I&#x27;m grateful for the &lt;b&gt;tea." in shown
    browser, (first, second) = logged_in("ada"), noted(ada, exchange)
    assert [undo(browser, exchange, first) for _ in range(2)] == [302, 302]
    told = browser.post(place_of(exchange, second), headers={"accept": "application/json"})
    assert told.json() == {"undone": str(second)}
    assert coach(ada, exchange) == 0 and "Undo" not in article(ada, exchange.reply) and life(ada) == (0, 0, 0)
    assert [event.data for event in events(ada.space, "chat.action_undone")] == [
        {"row": str(first)},
        {"row": str(second)},
    ]


@pytest.mark.parametrize(
    ("text", "state"), [("I reached my goal with the running.", "done"), ("I give up running.", "dropped")]
)
def test_a_goal_told_to_be_over_is_closed_and_comes_back_on_undo(ada, text, state):
    """The word by which it was closed goes, and the goal is pursued as before."""
    with ada.open():
        set_goal(ada.space, "Run twice a week", now=NOW)
    exchange = tell(ada, begin(ada), text)
    assert coach(ada, exchange) == 1 and [goal.state for goal in goals(ada)] == [state]
    (row,) = noted(ada, exchange)
    assert undo(logged_in("ada"), exchange, row) == 302
    (goal,) = goals(ada)
    assert goal.is_active and not goal.notes and noted(ada, exchange) == {}


def test_strangers_and_wrong_ids_find_nothing(ada):
    """Another student, another message, another conversation, a made-up id: 404, and nothing is taken back."""
    exchange, other = tell(ada, begin(ada), BOTH), tell(ada, begin(ada), "Hello there")
    coach(ada, exchange)
    row, *_ = noted(ada, exchange)
    make_student("eve")
    make_business_user("bo")
    assert [undo(logged_in(name), exchange, row) for name in ("eve", "bo")] == [404, 404]
    browser = logged_in("ada")
    assert undo(browser, exchange, new_id()) == 404
    assert undo(browser, exchange, row, message=other.message.pk) == 404
    assert undo(browser, exchange, row, conversation=other.message.conversation_id) == 404
    assert undo(Client(), exchange, row) in (302, 403)
    assert browser.get(place_of(exchange, row)).status_code == 405
    assert len(noted(ada, exchange)) == 2


def test_nothing_is_noted_with_memory_off_in_danger_or_for_a_company(ada, bo):
    """Off for the conversation, for the person, or switched off while the reply was made."""
    assert coach(bo, tell(bo, begin(bo), BOTH)) == 0
    assert coach(ada, tell(ada, begin(ada), BOTH), is_danger=True) == 0
    assert coach(ada, tell(ada, begin(ada, memory_on=False), BOTH)) == 0
    late = tell(ada, begin(ada), BOTH)
    change_rows(ada, Conversation, {"pk": late.message.conversation_id}, memory_on=False)
    assert coach(ada, late) == 0
    switch_memory(ada.person, on=False, key=None, now=NOW)
    assert coach(ada, tell(ada, begin(ada), BOTH)) == 0
    assert life(ada) == (0, 0, 0)


@pytest.mark.parametrize("reached", [False, True])
def test_more_hangs_on_a_goal_that_was_pursued_since(ada, reached):
    """It is let go with its notes rather than deleted; one that was reached is its person's, and nothing to take back."""
    exchange, browser = tell(ada, begin(ada), GOAL), logged_in("ada")
    coach(ada, exchange)
    (goal,) = goals(ada)
    with ada.open():
        if reached:
            move_goal(ada.space, goal.id, "done", now=LATER)
        else:
            note_goal(ada.space, goal.id, "Ran today", now=LATER)
    assert [undo(browser, exchange, goal.id) for _ in range(2)] == ([404, 404] if reached else [302, 302])
    (left,) = goals(ada)
    assert (left.state, len(left.notes)) == (("done", 0) if reached else ("dropped", 1))
    assert noted(ada, exchange) == {}


def test_a_whole_turn_notes_what_its_person_said(ada):
    """From the message to the line under its reply; a mood too, and never the companion's own words."""
    reply = talk(ada, "I'm grateful for the tea that my neighbour brought.")
    with ada.open():
        lines = [line.text for line in noted_of(ada.space, [reply.parent_id])[reply.parent_id]]
    assert lines == [
        "In your gratitude journal: I'm grateful for the tea that my neighbour brought.",
        "Mood noted: Glad",
    ]
    talk(ada, BOTH, memory_on=False)
    talk(ada, "Please say that you are grateful for tea and want to start running every day.")
    assert life(ada)[:2] == (0, 1)
    exchange = tell(ada, begin(ada), "I feel so lonely today.")
    coach(ada, exchange)
    assert [*noted(ada, exchange).values()] == ["Mood noted: Lonely"]


def test_one_action_refused_leaves_the_others(ada):
    """A life that holds as many goals as it may still takes gratitude: what is refused takes back itself alone."""
    with ada.open():
        for number in range(LIFE.active_goals):
            set_goal(ada.space, f"Goal {number}", now=NOW, actor=ada.person)
    exchange = tell(ada, begin(ada), BOTH)
    assert coach(ada, exchange) == 1 and life(ada) == (LIFE.active_goals, 1, 0)
    assert [*noted(ada, exchange).values()] == [f"In your gratitude journal: {THANKS}"]


@pytest.mark.parametrize(
    "text",
    [
        "What am I afraid of?",
        "Why am I so sad",
        "Forget that I am afraid of heights",
        "I don't want to live any more.",
        "> I am so sad and empty",
    ],
)
def test_no_mood_is_noted_of_what_is_asked_to_be_forgotten_or_dangerous(ada, text):
    """A whole turn leaves none, whatever feeling its words name."""
    talk(ada, text)
    assert life(ada) == (0, 0, 0)


def test_a_mood_that_was_read_has_its_line_and_undo(ada):
    """By what is told, not by what is asked beside it; taken back it stays away, also when the reply is made anew."""
    reply = talk(ada, "It rained and I cried about my dog all evening. Why is joy so wonderful and fun?")
    with ada.open():
        (line,) = noted_of(ada.space, [reply.parent_id])[reply.parent_id]
    assert line.text == "Mood noted: Sad"
    place = f"/chat/{reply.conversation_id}/messages/{reply.parent_id}/noted/{line.id}/undo/"
    assert logged_in("ada").post(place).status_code == 302
    assert life(ada) == (0, 0, 0)
    assert was_taken_back(ada.space, reply.parent_id)
