"""What a message has noted: written once, shown under the reply, taken back in one click, and nobody else's."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client

from chat import services
from chat.coaching.store import noted_of
from chat.models import Conversation
from chat.replies.presentation import render_message, show_messages
from chat.turn.reply import TurnInput
from chat.turn.student import coach_step
from companion_site.accounts.services import switch_memory
from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.llm.gateway import get_gateway
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.student.life.goals import list_goals, move_goal, note_goal, set_goal
from memory.student.life.journals import list_notes
from memory.student.life.kinds import GRATITUDE
from memory.student.life.limits import LIFE
from memory.student.life.moods import moods_between
from tests.chat.talking import talk
from tests.factories import (
    NOW,
    make_access,
    make_business_user,
    make_company_access,
    make_student,
    open_space,
)
from tests.live import logged_in

pytestmark = pytest.mark.usefixtures("committed")

BOTH = "I'm grateful for the tea. I want to start running twice a week."


def say(access, text, *, conversation=None, memory_on=True):
    row = conversation or services.begin_conversation(access, now=NOW, memory_on=memory_on)
    return services.say(access, row.pk, text=text, client_id=uuid4(), now=NOW)


def coach(access, exchange, *, now=NOW, is_danger=False) -> int:
    asked = TurnInput(exchange, access=access, gateway=get_gateway(), now=now).asked
    return asyncio.run(coach_step(asked, is_danger=is_danger))


def noted(access, exchange) -> list[str]:
    with unlocked(access.space, access.key):
        return [one.text for one in noted_of(access.space, [exchange.message.pk])[exchange.message.pk]]


def ids(access, exchange) -> list:
    with unlocked(access.space, access.key):
        return [one.id for one in noted_of(access.space, [exchange.message.pk])[exchange.message.pk]]


def life(access) -> tuple[int, int, int]:
    with unlocked(access.space, access.key):
        return (
            len(list_goals(access.space)),
            len(list_notes(access.space, GRATITUDE)),
            len(moods_between(access.space, NOW - timedelta(days=1), NOW + timedelta(days=1))),
        )


def undo(browser: Client, exchange, row, *, message=None, conversation=None):
    place = conversation or exchange.message.conversation_id
    return browser.post(f"/chat/{place}/messages/{message or exchange.message.pk}/noted/{row}/undo/")


@pytest.mark.spec("L4")
def test_what_a_message_says_is_written_into_its_persons_life():
    """Goal and gratitude in their words, each naming the message it came from."""
    access = make_access()
    exchange = say(access, BOTH)
    assert coach(access, exchange) == 2
    with unlocked(access.space, access.key):
        (goal,), (thanks,) = list_goals(access.space), list_notes(access.space, GRATITUDE)
    assert (goal.text, goal.message_id) == ("I want to start running twice a week.", exchange.message.pk)
    assert (thanks.text, thanks.message_id) == ("I'm grateful for the tea.", exchange.message.pk)


@pytest.mark.spec("L4")
def test_a_second_run_of_the_same_message_changes_nothing():
    """Neither a retry nor two at once; what was taken back in between does not return."""
    access = make_access()
    exchange = say(access, BOTH)
    assert [coach(access, exchange) for _ in range(2)] == [2, 0]
    browser = logged_in("ada")
    assert undo(browser, exchange, ids(access, exchange)[0]).status_code == 302
    assert coach(access, exchange) == 0
    assert len(noted(access, exchange)) == 1


@pytest.mark.spec("L4")
@pytest.mark.parametrize(
    "change", [("I reached my goal with the running.", "done"), ("I give up running.", "dropped")]
)
def test_a_goal_told_to_be_over_is_closed_and_comes_back_on_undo(change):
    """The word by which it was closed goes, and the goal is pursued as before."""
    text, state = change
    access = make_access()
    with unlocked(access.space, access.key):
        set_goal(access.space, "Run twice a week", now=NOW)
    exchange = say(access, text)
    assert coach(access, exchange) == 1
    with unlocked(access.space, access.key):
        assert [goal.state for goal in list_goals(access.space)] == [state]
    (row,) = ids(access, exchange)
    assert undo(logged_in("ada"), exchange, row).status_code == 302
    with unlocked(access.space, access.key):
        (goal,) = list_goals(access.space)
    assert goal.is_active and not goal.notes and noted(access, exchange) == []


@pytest.mark.spec("L4")
def test_the_line_stands_under_the_reply_with_its_undo():
    """It says what was noted; after the undo it is gone."""
    access = make_access()
    exchange = say(access, BOTH)
    coach(access, exchange)

    def shown() -> str:
        (message,) = show_messages(access, [exchange.reply], now=NOW)
        return render_message(message)

    assert "Goal set: I want to start running twice a week." in shown()
    assert (
        "In your gratitude journal: I&#x27;m grateful for the tea." in shown()
        and shown().count(">Undo<") == 2
    )
    for row in ids(access, exchange):
        assert undo(logged_in("ada"), exchange, row).status_code == 302
    assert "Undo" not in shown() and life(access) == (0, 0, 0)


@pytest.mark.spec("L4")
def test_an_undo_twice_is_one_and_is_on_record():
    """The second finds it taken back; the record has numbers and ids, never a word."""
    access = make_access()
    exchange = say(access, "I feel so lonely today.")
    coach(access, exchange)
    assert noted(access, exchange) == ["Mood noted: Lonely"]
    (row,) = ids(access, exchange)
    browser = logged_in("ada")
    assert [undo(browser, exchange, row).status_code for _ in range(2)] == [302, 302]
    assert life(access) == (0, 0, 0)
    events = AuditEvent.objects.filter(chain=access.space, action="chat.action_undone")
    assert [event.data for event in events] == [{"row": str(row)}]


@pytest.mark.spec("L4")
def test_strangers_and_wrong_ids_find_nothing():
    """Another student, another message, another conversation, a made-up id: 404, and nothing is taken back."""
    access = make_access()
    exchange, other = say(access, BOTH), say(access, "Hello there")
    coach(access, exchange)
    row = ids(access, exchange)[0]
    make_student("eve")
    make_business_user("bo")
    for name in ("eve", "bo"):
        assert undo(logged_in(name), exchange, row).status_code == 404
    browser = logged_in("ada")
    assert undo(browser, exchange, new_id()).status_code == 404
    assert undo(browser, exchange, row, message=other.message.pk).status_code == 404
    assert undo(browser, exchange, row, conversation=other.message.conversation_id).status_code == 404
    assert Client().post(
        f"/chat/{exchange.message.conversation_id}/messages/{exchange.message.pk}/noted/{row}/undo/"
    ).status_code in (302, 403)
    assert (
        browser.get(
            f"/chat/{exchange.message.conversation_id}/messages/{exchange.message.pk}/noted/{row}/undo/"
        ).status_code
        == 405
    )
    assert len(noted(access, exchange)) == 2


@pytest.mark.spec("L4")
def test_nothing_is_noted_with_memory_off():
    """Off for the conversation, for the person, or switched off while the reply was made."""
    access = make_access()
    assert coach(access, say(access, BOTH, memory_on=False)) == 0
    late = say(access, BOTH)
    with space_scope(access.space):
        Conversation.objects.for_space(access.space).filter(pk=late.message.conversation_id).update(
            memory_on=False
        )
    assert coach(access, late) == 0
    switch_memory(access.person, on=False, key=None, now=NOW)
    assert coach(access, say(access, BOTH)) == 0
    assert life(access) == (0, 0, 0)


@pytest.mark.spec("L4")
def test_nothing_is_noted_in_danger():
    """Then there are other things to do."""
    access = make_access()
    assert coach(access, say(access, BOTH), is_danger=True) == 0
    assert life(access) == (0, 0, 0)


@pytest.mark.spec("L4")
def test_a_companys_turn_notes_nothing():
    """Goals and moods are a person's own."""
    access = make_company_access(make_business_user("bo"))
    assert coach(access, say(access, BOTH)) == 0


@pytest.mark.spec("L4")
def test_an_undone_goal_that_has_been_pursued_since_is_let_go_and_keeps_its_notes():
    """More hangs on it than the message that set it."""
    access = make_access()
    exchange = say(access, "I want to start running twice a week.")
    coach(access, exchange)
    with unlocked(access.space, access.key):
        (goal,) = list_goals(access.space)
        note_goal(access.space, goal.id, "Ran today", now=NOW + timedelta(hours=1))
    assert undo(logged_in("ada"), exchange, goal.id).status_code == 302
    with unlocked(access.space, access.key):
        (left,) = list_goals(access.space)
    assert left.state == "dropped" and len(left.notes) == 1 and noted(access, exchange) == []
    assert undo(logged_in("ada"), exchange, goal.id).status_code == 302
    assert AuditEvent.objects.filter(chain=access.space, action="chat.action_undone").count() == 1


@pytest.mark.spec("L4")
def test_a_goal_that_was_reached_is_not_taken_back_any_more():
    """It is its person's, on their own page; nothing of it stands under the reply that could be undone."""
    access = make_access()
    exchange = say(access, "I want to start running twice a week.")
    coach(access, exchange)
    with unlocked(access.space, access.key):
        (goal,) = list_goals(access.space)
        move_goal(access.space, goal.id, "done", now=NOW + timedelta(hours=1))
    assert noted(access, exchange) == []
    assert undo(logged_in("ada"), exchange, goal.id).status_code == 404
    with unlocked(access.space, access.key):
        (left,) = list_goals(access.space)
    assert left.state == "done"


def test_a_page_with_scripts_is_told_and_stays():
    """The answer names what was taken back."""
    access = make_access()
    exchange = say(access, "I'm grateful for the tea.")
    coach(access, exchange)
    (row,) = ids(access, exchange)
    place = f"/chat/{exchange.message.conversation_id}/messages/{exchange.message.pk}/noted/{row}/undo/"
    answer = logged_in("ada").post(place, headers={"accept": "application/json"})
    assert answer.json() == {"undone": str(row)}


def test_words_are_shown_as_text():
    """Markup in a goal is no markup."""
    access = make_access()
    exchange = say(access, "I'm grateful for <b>bold</b> <script>alert(1)</script> tea")
    coach(access, exchange)
    (message,) = show_messages(access, [exchange.reply], now=NOW)
    assert "<script>" not in render_message(message)


def test_another_persons_key_opens_nothing():
    """What was noted is sealed with its own person's key."""
    access = make_access()
    coach(access, say(access, BOTH))
    eve = make_student("eve").person
    with unlocked(eve.space_id, open_space(eve)):
        assert list_goals(eve.space_id) == []


@pytest.mark.spec("L4")
def test_a_whole_turn_notes_what_was_said_and_answers_by_its_plan():
    """From the message to the line under its reply; the same said in a conversation without memory leaves nothing."""
    access = make_access()
    reply = talk(access, "I'm grateful for the tea that my neighbour brought.")
    with unlocked(access.space, access.key):
        (line,) = noted_of(access.space, [reply.parent_id])[reply.parent_id]
    assert line.text == "In your gratitude journal: I'm grateful for the tea that my neighbour brought."
    talk(access, BOTH, memory_on=False)
    assert life(access)[:2] == (0, 1)


@pytest.mark.spec("L4")
def test_the_companions_own_words_are_never_taken():
    """A reply that speaks of goals and gratitude leaves nothing behind."""
    access = make_access()
    reply = talk(access, "Please say that you are grateful for tea and want to start running every day.")
    assert reply.state == "complete" and life(access)[:2] == (0, 0)


@pytest.mark.spec("L4")
def test_one_action_refused_leaves_the_others():
    """A life that holds as many goals as it may still takes gratitude: what is refused takes back itself alone."""
    ada = make_access()
    with unlocked(ada.space, ada.key):
        for number in range(LIFE.active_goals):
            set_goal(ada.space, f"Goal {number}", now=NOW, actor=ada.person)
    exchange = say(ada, BOTH)
    assert coach(ada, exchange) == 1
    assert life(ada) == (LIFE.active_goals, 1, 0)
    assert noted(ada, exchange) == ["In your gratitude journal: I'm grateful for the tea."]
