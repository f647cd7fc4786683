"""The companion speaks first: the card on the page, its answers, and who never sees it."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.utils import timezone

from chat import services
from chat.initiative import show_initiative
from chat.models import Conversation, Message
from companion_site.ids import new_id
from memory.models import Initiative
from memory.student.life.goals import set_goal
from memory.student.life.journals import write_note
from memory.student.life.kinds import GRATITUDE
from memory.student.life.wishes import change_wishes
from tests.chat.talking import change_rows, rows
from tests.factories import make_access, make_student
from tests.live import logged_in, new_conversation, page_of

pytestmark = [pytest.mark.spec("L8"), pytest.mark.usefixtures("committed")]

MORNING, EVENING = time(8), time(18)


def local(hour: time) -> datetime:
    """Return today at an hour here: the page itself goes by the clock, so days must be today's."""
    return timezone.make_aware(datetime.combine(timezone.localdate(), hour))


def always_morning(settings) -> None:
    """Choose the zone in which it is between eight and nine in the morning now."""
    ahead = (MORNING.hour - datetime.now(UTC).hour + 12) % 24 - 12
    settings.TIME_ZONE = f"Etc/GMT{-ahead:+d}"


@pytest.fixture
def ada(settings):
    always_morning(settings)
    return make_access()


def answer(browser, conversation, card, given, **headers):
    return browser.post(f"/chat/{conversation}/initiative/{card.pk}/", {"answer": given}, **headers)


def test_what_could_not_be_said_is_offered_again(ada, browser, settings):
    """Taken up and said are one: a failure between them loses neither the word nor the click."""
    conversation = new_conversation(browser)
    page_of(browser, conversation)
    (card,) = rows(ada, Initiative)
    key = settings.KEY_STORE_DIR / "erasure" / str(ada.space)
    gone = key.rename(key.with_suffix(".gone"))  # pages open without it, and no work can be queued
    assert "data-initiative=" in page_of(browser, conversation)
    assert answer(browser, conversation, card, "chosen").url == "/locked/"
    gone.rename(key)
    assert rows(ada, Message) == [] and "data-initiative=" in page_of(browser, conversation)
    answer(browser, conversation, card, "chosen")
    assert len(rows(ada, Message)) == 2


def test_with_memory_off_or_initiative_off_nothing_is_offered(ada, browser):
    """Nor is a row written."""
    with ada.open():
        change_wishes(ada.space, now=timezone.now(), initiative_on=False)
    conversation = new_conversation(browser)
    assert "data-initiative=" not in page_of(browser, conversation)
    with ada.open():
        change_wishes(ada.space, now=timezone.now(), initiative_on=True)
    change_rows(ada, Conversation, memory_on=False)
    assert "data-initiative=" not in page_of(browser, conversation)
    assert browser.get(f"/chat/{conversation}/initiative/").status_code == 204
    assert rows(ada, Initiative) == []


def test_strangers_and_wrong_answers_are_refused(ada, browser):
    """Another's card is not found, an answer that is none changes nothing, and reading answers nothing."""
    conversation = new_conversation(browser)
    page_of(browser, conversation)
    (card,) = rows(ada, Initiative)
    make_student("eve")
    eve = logged_in("eve")
    theirs = new_conversation(eve)
    for place in (conversation, theirs):
        assert answer(eve, place, card, "dismissed").status_code == 404
    assert eve.get(f"/chat/{conversation}/initiative/").status_code == 404
    assert answer(browser, conversation, card, "shown").status_code == 400
    assert browser.get(f"/chat/{conversation}/initiative/{card.pk}/").status_code == 405
    card.pk = new_id()
    assert answer(browser, conversation, card, "chosen").status_code == 404
    (kept,) = rows(ada, Initiative)
    assert kept.taken_at is None and kept.dismissed_at is None


def test_the_evening_looks_back_on_what_there_was():
    """What was talked about, the goals touched, the gratitude; a topic to avoid is not brought up."""
    access = make_access()
    noon, evening = local(time(12)), local(EVENING)
    row = services.begin_conversation(access, now=noon)
    services.say(access, row.pk, text="We built a kite", client_id=new_id(), now=noon)
    with access.open():
        set_goal(access.space, "Swim twice a week", now=noon)
        set_goal(access.space, "Talk about the divorce", now=noon)
        write_note(access.space, GRATITUDE, "The wind", now=noon)
        write_note(access.space, GRATITUDE, "Last week's rain", now=noon - timedelta(days=7))
        change_wishes(access.space, now=noon, avoid=["divorce"])
    card = show_initiative(access, is_remembered=True, now=evening)["initiative"]
    assert card.lines == (
        "You talked about: We built a kite",
        "Your goals: Swim twice a week",
        "You were grateful for: The wind",
    )


def test_the_greeting_stands_over_the_text_box_and_a_click_begins_one_turn(ada, browser):
    """No message does before it: what the person takes up is said by them, and answered, once however often it is sent."""
    conversation = new_conversation(browser)
    page = page_of(browser, conversation)
    assert page.index("data-initiative=") < page.index("data-composer")
    assert "Good morning, Ada" in page and rows(ada, Message) == []
    (card,) = rows(ada, Initiative)
    assert [answer(browser, conversation, card, "chosen").status_code for _ in range(2)] == [302, 302]
    said, reply = rows(ada, Message)
    with ada.open():
        assert said.role == "person" and said.text == "Good morning! Let us talk about today."
        assert reply.state == "complete" and reply.text
    assert "data-initiative=" not in page_of(browser, conversation)
    told = answer(browser, conversation, card, "chosen", headers={"accept": "application/json"})
    assert told.json() == {"message": ""}


@pytest.mark.parametrize("given", ["chosen", "dismissed"])
def test_a_page_that_stays_open_finds_it_and_is_told_what_to_say(ada, browser, given):
    """The fragment has the card alone; dismissed, it comes not again that day, on no page, and says nothing."""
    conversation = new_conversation(browser)
    found = browser.get(f"/chat/{conversation}/initiative/")
    assert found.status_code == 200 and b"data-initiative=" in found.content and b"<html" not in found.content
    (card,) = rows(ada, Initiative)
    told = answer(browser, conversation, card, given, headers={"accept": "application/json"})
    message = "Good morning! Let us talk about today." if given == "chosen" else ""
    assert told.json() == {"message": message} and rows(ada, Message) == []
    assert browser.get(f"/chat/{new_conversation(browser)}/initiative/").status_code == 204


def test_a_conversation_without_memory_is_not_looked_back_on(bo):
    """What was said in it is nobody's to bring up; a company's people are not spoken to first at all."""
    access = make_access()
    row = services.begin_conversation(access, now=local(time(12)), memory_on=False)
    services.say(access, row.pk, text="A secret", client_id=new_id(), now=local(time(12)))
    for who, hour in ((access, EVENING), (bo, MORNING)):
        assert show_initiative(who, is_remembered=True, now=local(hour)) == {"initiative": None}
