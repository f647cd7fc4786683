"""The page of mood and goals: what is written there stands there, can be taken back, and is nobody else's."""

import re
from dataclasses import asdict
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from chat import services as chat
from companion_site.accounts.services import switch_memory
from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from memory.models import DailyMetric, Goal, GoalNote, Gratitude, LifeFact, Mood, Wishes
from memory.student.life.facts.loops import loops_and_portrait
from memory.student.life.feelings import EmotionState
from memory.student.life.wishes import PersonWishes, read_wishes
from tests.cases import cases
from tests.live import logged_in
from tests.memory.student.pages.conftest import tell_fact

pytestmark = [pytest.mark.django_db, pytest.mark.spec("L4")]
WORDS = "zebrafinch"
TODAY = timezone.localdate().isoformat()
MOOD = {"mood-emotion": "joy", "mood-intensity": "high", "mood-energy": "high", "mood-note": WORDS}


def feel(scoped, ada, valence=-0.4, *, ago=0, origin="read", **given):
    """Leave a mood of some days ago."""
    state = asdict(EmotionState.of("sadness", "low", energy="low", confidence=0.8)) | {"valence": valence}
    at = timezone.now() - timedelta(days=ago)
    scoped(lambda: Mood.objects.create(space_id=ada.space, at=at, origin=origin, state=state, **given))


def rows(scoped, ada, model):
    return scoped(lambda: list(model.objects.for_space(ada.space).order_by("id")))


def page(browser, **query):
    return browser.get(reverse("memory:life"), query).content.decode()


def post(browser, name, given=None, *args):
    return browser.post(reverse(f"memory:{name}", args=args), given or {})


def write(browser, part, given):
    return post(browser, "life_write", given, part)


def name_wish(browser, body):
    """Send what a script names as JSON."""
    address, accept = reverse("memory:life_write", args=["wishes"]), {"Accept": "application/json"}
    return browser.post(address, body, content_type="application/json", headers=accept)


@pytest.mark.spec("L2")
def test_a_mood_is_told_and_drawn(browser, scoped, ada):
    """It is a point of the picture, a row of the table and an entry that says whose word it is."""
    assert write(browser, "moods", MOOD).url.endswith("/memory/life/#moods")
    (row,) = rows(scoped, ada, Mood)
    assert scoped(lambda: (row.origin, row.state["valence"], row.state["note"])) == (
        "told",
        EmotionState.of("joy", "high", confidence=1).valence,
        WORDS,
    )
    told = page(browser)
    assert told.count("<circle") == 1 and "life__point--told" in told
    assert "told by you" in told and WORDS in told


@pytest.mark.spec("L2")
def test_a_mood_read_from_a_message_says_so(browser, scoped, ada):
    """Its point is hollow, it leads to the message, and it is deleted like any other."""
    message = new_id()
    feel(scoped, ada, message_id=message)
    told = page(browser)
    assert "read from a message" in told and "life__point--told" not in told
    assert f"/chat/messages/{message}/" in told
    post(browser, "life_remove_mood", {}, rows(scoped, ada, Mood)[0].pk)
    assert rows(scoped, ada, Mood) == [] and "No mood yet" in page(browser)


def test_the_way_to_a_message_leads_to_its_conversation(browser, stranger, ada):
    """Nobody else's does: another student gets what does not exist."""
    message = chat.say(
        ada, chat.begin_conversation(ada, now=timezone.now()).pk, text="I feel lonely", client_id=new_id(), now=timezone.now()
    ).message  # fmt: skip
    address = reverse("chat:said", args=[message.pk])
    assert (
        browser.get(address).url == f"/chat/{message.conversation_id}/?at={message.pk}#message-{message.pk}"
    )
    assert stranger.get(address).status_code == 404
    assert browser.get(reverse("chat:said", args=[new_id()])).status_code == 404


def test_with_memory_off_no_mood_is_written_down(browser, scoped, ada):
    """The page says so, and nothing is written."""
    switch_memory(ada.person, on=False, key=ada.key, now=timezone.now())
    assert "switched off" in page(browser)
    answer = write(browser, "moods", MOOD)
    assert answer.status_code == 400 and "switched off" in answer.content.decode()
    assert rows(scoped, ada, Mood) == []


@pytest.mark.spec("L2")
def test_three_days_of_decline_are_said_kindly(browser, scoped, ada):
    """The page shows what the companion notices; two days are not enough."""
    for ago, valence in ((3, 0.6), (2, 0.2), (1, -0.2)):
        feel(scoped, ada, valence, ago=ago)
    assert "each harder than the one before" not in page(browser)
    feel(scoped, ada, -0.6)
    assert "each harder than the one before" in page(browser)


def test_a_goal_goes_all_its_way(browser, scoped, ada):
    """Set, noted, put differently, reached and taken up again, each by one form."""
    write(browser, "goals", {"goal-text": "Run twice a week"})
    (goal,) = rows(scoped, ada, Goal)
    post(browser, "life_goal", {"note-text": "Two kilometres!"}, goal.pk, "note")
    post(browser, "life_goal", {"goal-text": "Run three times a week"}, goal.pk, "edit")
    told = page(browser)
    assert "Run three times a week" in told and "Two kilometres!" in told
    post(browser, "life_goal", {}, goal.pk, "reached")
    (goal,) = rows(scoped, ada, Goal)
    assert goal.state == "done" and goal.closed_at is not None and "Take it up again" in page(browser)
    post(browser, "life_goal", {}, goal.pk, "reopen")
    post(browser, "life_goal", {}, goal.pk, "drop")
    assert rows(scoped, ada, Goal)[0].state == "dropped"
    assert post(browser, "life_goal", {}, goal.pk, "destroy").status_code == 404


def test_what_is_typed_wrong_stays_in_its_field(browser, scoped, ada):
    """A note that is too long is told so beside the goal, with what was typed."""
    write(browser, "goals", {"goal-text": "Run"})
    (goal,) = rows(scoped, ada, Goal)
    answer = post(browser, "life_goal", {"note-text": "x" * 501}, goal.pk, "note")
    assert answer.status_code == 400 and f'id="note-{goal.pk}-error"' in answer.content.decode()
    assert "x" * 501 in answer.content.decode() and rows(scoped, ada, GoalNote) == []


def test_a_deleted_goal_comes_back_whole(browser, scoped, ada):
    """One click brings it back with its notes and its times; until then nothing of it is in the database."""
    write(browser, "goals", {"goal-text": "Run"})
    (goal,) = rows(scoped, ada, Goal)
    post(browser, "life_goal", {"note-text": WORDS}, goal.pk, "note")
    before = scoped(lambda: [(row.pk, row.text, row.updated_at) for row in Goal.objects.for_space(ada.space)])
    post(browser, "life_goal", {}, goal.pk, "delete")
    assert rows(scoped, ada, Goal) == rows(scoped, ada, GoalNote) == []
    assert "Undo" in page(browser) and WORDS not in str(browser.session.items())
    post(browser, "life_undo")
    assert before == scoped(
        lambda: [(row.pk, row.text, row.updated_at) for row in Goal.objects.for_space(ada.space)]
    )
    assert WORDS in page(browser) and "Undo" not in page(browser)
    assert post(browser, "life_undo").status_code == 404


def test_gratitude_is_added_deleted_and_had_back(browser, scoped, ada):
    """The journal's newest first."""
    for text in ("Sun on the water", "My sister called"):
        write(browser, "gratitude", {"gratitude-text": text})
    told = page(browser)
    assert told.index("My sister called") < told.index("Sun on the water")
    post(browser, "life_remove_gratitude", {}, rows(scoped, ada, Gratitude)[0].pk)
    assert "Sun on the water" not in page(browser)
    post(browser, "life_undo")
    assert "Sun on the water" in page(browser) and "The whole journal" not in page(browser)
    for number in range(20):
        write(browser, "gratitude", {"gratitude-text": f"Good thing {number}"})
    assert "Sun on the water" not in page(browser) and "The whole journal" in page(browser)
    assert "Sun on the water" in page(browser, show="all")


@pytest.mark.spec("L3")
def test_measures_are_typed_and_deleted(browser, scoped, ada):
    """A day typed twice has the later numbers; one number is deleted by its button and had back."""
    day = timezone.localdate().isoformat()
    write(
        browser,
        "measures",
        {"measures-day": day, "measures-sleep_hours": "5.5", "measures-steps": "1200"},
    )
    write(browser, "measures", {"measures-day": day, "measures-sleep_hours": "7.25"})
    found = scoped(lambda: {row.name: row.value["value"] for row in DailyMetric.objects.for_space(ada.space)})
    assert found == {"sleep_hours": 7.25, "steps": 1200}
    post(browser, "life_remove_dailymetric", {}, day, "steps")
    assert len(rows(scoped, ada, DailyMetric)) == 1
    post(browser, "life_undo")
    assert len(rows(scoped, ada, DailyMetric)) == 2
    assert post(browser, "life_remove_dailymetric", {}, "yesterday", "steps").status_code == 404


@cases(
    ("part", "wrong"),
    [
        *[("moods", {**MOOD, **wrong}) for wrong in (
            {"mood-emotion": "fury"}, {"mood-emotion": ""}, {"mood-intensity": "x"}, {"mood-note": "x" * 301},
        )],
        *[("measures", {"measures-day": TODAY, **wrong}) for wrong in (
            {}, {"measures-sleep_hours": "25"}, {"measures-sleep_hours": "nan"}, {"measures-steps": "-1"},
            {"measures-steps": "1", "measures-day": "2001-01-01"}, {"measures-steps": "1", "measures-day": "9999-01-01"},
        )],
        ("goals", {"goal-text": "x" * 301}), ("gratitude", {"gratitude-text": "\u200b \n"}),
    ],
)  # fmt: skip
def test_what_cannot_be_right_is_refused(browser, scoped, ada, part, wrong):
    """A clear page, and nothing written."""
    answer = write(browser, part, wrong)
    assert answer.status_code == 400 and 'role="alert"' in answer.content.decode()
    assert not any(rows(scoped, ada, model) for model in (Mood, DailyMetric, Goal, Gratitude))


@pytest.mark.spec("L8")
def test_wishes_are_kept_by_the_form(browser, scoped, ada):
    """Topics on lines, switches as they were set, quiet hours as typed."""
    given = {
        "avoid": "my father\nmaths tests\nMy father",
        "calm": "on",
        "quiet_from": "20:30",
        "quiet_until": "08:00",
    }
    write(browser, "wishes", {f"wishes-{name}": value for name, value in given.items()})
    wishes = scoped(lambda: read_wishes(ada.space))
    assert wishes.avoid == ("My father", "maths tests") and wishes.calm and not wishes.initiative_on
    assert (wishes.quiet_from.hour, wishes.quiet_until.hour) == (20, 8)
    assert "maths tests" in page(browser)


@pytest.mark.spec("L8")
def test_one_wish_is_changed_by_a_script(browser, scoped, ada):
    """The switch of the chat names `speaks`, and nothing else changes."""
    assert name_wish(browser, '{"speaks": true}').status_code == 204
    assert scoped(lambda: read_wishes(ada.space)) == PersonWishes(speaks=True)


@cases(
    "body",
    ["[]", '{"shout": true}', '{"speaks": "perhaps"}', '{"quiet_from": "25:00"}', '{"quiet_from": "21:00Z"}', '{"avoid": ["' + "x" * 81 + '"]}'])  # fmt: skip
def test_a_wish_that_is_none_is_refused_as_json(browser, scoped, ada, body):
    """With a code, and nothing changes."""
    answer = name_wish(browser, body)
    assert answer.status_code == 400 and set(answer.json()) == {"error", "message", "retryable"}
    assert rows(scoped, ada, Wishes) == []


@pytest.mark.spec("L2", "L3")
@cases("again", [{}, {"every": "day"}])
def test_what_is_kept_in_mind_is_done_with_closed_and_reopened(browser, stranger, scoped, ada, again):
    """What comes again is done with for this time and stays on the page; closed, it is not brought up again, and its memory stays.

    Nobody else's click does it.
    """
    fact = tell_fact(ada, "I take the blue tablets with my tea", "medication", **again)
    for verb, whose in (("destroy", browser), ("done", stranger)):
        assert post(whose, "life_fact", {}, fact.pk, verb).status_code == 404
    post(browser, "life_fact", {}, fact.pk, "done")
    told = page(browser)
    assert ("Done for this time." in told) == ("Do not bring this up again" in told) == bool(again)
    assert ("Keep it in mind again" in told) == (not again)
    assert scoped(lambda: loops_and_portrait(ada.space, now=timezone.now())[0]) == []
    for verb, is_closed in (("close", True), ("reopen", False)):
        post(browser, "life_fact", {}, fact.pk, verb)
        assert (rows(scoped, ada, LifeFact)[0].closed_at is not None) == is_closed
        assert ("Keep it in mind again" in page(browser)) == is_closed


def test_the_record_holds_ids_and_no_word(browser, ada):
    """What was done stands in the chain of the space."""
    write(browser, "goals", {"goal-text": WORDS})
    write(browser, "moods", MOOD)
    events = AuditEvent.objects.filter(chain=ada.space, action__startswith="memory.")
    assert {"memory.goal_set", "memory.mood_told"} <= set(events.values_list("action", flat=True))
    assert all(WORDS not in str(event.data) and event.actor_id == ada.person.pk for event in events)


def test_another_student_finds_and_changes_nothing(browser, stranger, scoped, ada):
    """Every id of Ada's is 404 to Eve, her page stays empty, and Ada's undo is not hers."""
    write(browser, "goals", {"goal-text": WORDS})
    write(browser, "gratitude", {"gratitude-text": WORDS})
    write(browser, "moods", MOOD)
    (goal,), (entry,), (mood,) = (rows(scoped, ada, model) for model in (Goal, Gratitude, Mood))
    for verb in ("reached", "drop", "reopen", "delete"):
        assert post(stranger, "life_goal", {}, goal.pk, verb).status_code == 404
    assert post(stranger, "life_goal", {"note-text": "x"}, goal.pk, "note").status_code == 404
    assert post(stranger, "life_remove_gratitude", {}, entry.pk).status_code == 404
    assert post(stranger, "life_remove_mood", {}, mood.pk).status_code == 404
    assert post(stranger, "life_undo").status_code == 404 and WORDS not in page(stranger)
    assert [row.state for row in rows(scoped, ada, Goal)] == ["active"]


def test_nothing_is_written_by_reading(browser):
    """Each address but the page's refuses GET."""
    for part in ("undo", "moods", "gratitude", "goals", "measures", "wishes", "device"):
        assert browser.get(f"/memory/life/{part}/").status_code == 405, part
    assert write(browser, "dreams", {}).status_code == 404


def test_the_picture_shows_six_weeks(browser, scoped, ada):
    """An older mood is not in it; a gap of more than four days breaks the line."""
    for ago, valence in ((50, 0.9), (20, -0.5), (19, 0.0), (3, 0.5), (2, 0.6)):
        feel(scoped, ada, valence, ago=ago, origin="told")
    told = page(browser)
    assert told.count("<circle") == 4 and told.count("<polyline") == 2
    ys = [float(found) for found in re.findall(r'<circle[^>]* cy="([\d.]+)"', told)]
    assert ys == sorted(ys, reverse=True)


def test_a_day_of_the_picture_is_written_as_its_language_does(browser, settings):
    """Months with a capital in English, without in Swedish."""
    write(browser, "moods", MOOD)
    for language, month in (("en", "[A-Z][a-z]{2}"), ("sv", "[a-z]{3}")):
        browser.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        assert len(re.findall(rf"<text[^>]*>\d+ {month}</text>", page(browser))) == 3


def test_after_log_out_nothing_can_be_had_back(browser, scoped, ada):
    """What was deleted lies sealed in the session alone, and goes with it."""
    write(browser, "gratitude", {"gratitude-text": WORDS})
    post(browser, "life_remove_gratitude", {}, rows(scoped, ada, Gratitude)[0].pk)
    browser.post("/logout/")
    assert post(logged_in("ada"), "life_undo").status_code == 404
