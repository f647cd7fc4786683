"""What a person writes of their life: said once it stands once, within limits, sealed, and deleted so that it can come back."""

from base64 import b64decode, b64encode
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from companion_site.accounts.services import start_anew
from companion_site.audit.models import AuditEvent
from companion_site.errors import BoxBroken, SpaceLocked
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import DailyMetric, Goal, GoalNote, Gratitude
from memory.student.life import deletion, goals, metrics, wishes
from memory.student.life.journals import list_notes, write_note
from memory.student.life.kinds import GRATITUDE
from memory.student.life.limits import LIFE, LifeLimits, LifeRefused, NotInRange
from tests.cases import cases
from tests.factories import NOW, make_access
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.spec("L4")]
LATER = NOW + timedelta(hours=1)
TODAY = NOW.date()
WORDS = "zebrafinch"


@pytest.fixture
def tight(monkeypatch):
    """Limits that a test can reach."""
    small = LifeLimits(goals=4, active_goals=2, notes_of_goal=2, avoided=2)
    for module in (goals, wishes):
        monkeypatch.setattr(module, "LIFE", small)


def test_a_goal_of_one_message_stands_once(unsealed):
    """Whoever reads the message again finds the goal, also after it was reached; another message may set another."""
    message = new_id()
    goal = goals.set_goal(unsealed, "Walk after lunch", now=NOW, message_id=message)
    assert goals.set_goal(unsealed, " walk  AFTER lunch", now=LATER, message_id=message).pk == goal.pk
    goals.move_goal(unsealed, goal.pk, "done", now=LATER)
    assert goals.set_goal(unsealed, "Walk after lunch", now=LATER, message_id=message).pk == goal.pk
    again = goals.set_goal(unsealed, "Walk after lunch", now=LATER, message_id=new_id())
    assert again.pk != goal.pk
    assert [(one.text, one.origin) for one in goals.list_goals(unsealed, states=["active"])] == [
        ("Walk after lunch", "conversation")
    ]


def test_a_goal_said_again_while_it_is_pursued_is_the_same(unsealed):
    """It only counts as touched."""
    goal = goals.set_goal(unsealed, "Walk", now=NOW)
    goals.set_goal(unsealed, "walk", now=LATER, message_id=new_id())
    (one,) = goals.list_goals(unsealed)
    assert (one.id, one.updated_at, one.origin) == (goal.pk, LATER, "person")


def test_a_closed_goal_takes_no_note(unsealed):
    """It has to be taken up again first; closing twice, or reopening what is open, changes nothing."""
    goal = goals.set_goal(unsealed, "Walk", now=NOW)
    goals.move_goal(unsealed, goal.pk, "dropped", now=NOW)
    assert goals.move_goal(unsealed, goal.pk, "done", now=LATER).state == "dropped"
    with refused(LifeRefused, "goal-closed"):
        goals.note_goal(unsealed, goal.pk, "Did it", now=LATER)
    goals.move_goal(unsealed, goal.pk, "active", now=LATER)
    assert goals.move_goal(unsealed, goal.pk, "active", now=LATER).closed_at is None
    actions = AuditEvent.objects.filter(chain=unsealed, subject_id=goal.pk).order_by("position")
    assert list(actions.values_list("action", flat=True)) == [
        "memory.goal_set",
        "memory.goal_dropped",
        "memory.goal_reopened",
    ]


def test_a_note_of_one_message_stands_once(unsealed):
    """The same words from the same message are one, of a goal or in a journal; two different things, or the person's own words again, are two."""
    goal, message = goals.set_goal(unsealed, "Walk", now=NOW), new_id()
    for text in ("Did it", "did it"):
        goals.note_goal(unsealed, goal.pk, text, now=NOW, message_id=message)
    goals.note_goal(unsealed, goal.pk, "Did it", now=LATER)
    assert len(goals.list_goals(unsealed)[0].notes) == 2
    for text in ("The sun", "the sun", "My sister"):
        write_note(unsealed, GRATITUDE, text, now=NOW, message_id=message)
    assert {one.text for one in list_notes(unsealed, GRATITUDE)} == {"The sun", "My sister"}
    assert list_notes(unsealed, GRATITUDE, since=LATER) == []


def test_only_so_many_goals_and_notes_are_opened_as_are_asked_for(unsealed):
    """The last touched, each with its latest notes."""
    for number, text in enumerate(("Walk", "Read", "Sing")):
        goal = goals.set_goal(unsealed, text, now=NOW + number * timedelta(minutes=1))
        for told in ("one", "two"):
            goals.note_goal(unsealed, goal.pk, told, now=LATER + number * timedelta(minutes=1))
    shown = goals.list_goals(unsealed, most=2, notes_each=1)
    assert [(one.text, [note.text for note in one.notes]) for one in shown] == [
        ("Sing", ["two"]),
        ("Read", ["two"]),
    ]
    assert not any(one.notes for one in goals.list_goals(unsealed, notes_each=0))


def test_there_are_limits(unsealed, tight):
    """To goals pursued and in all, to notes, to the journal and to topics."""
    journal = replace(GRATITUDE, most=2)
    first, _second = (goals.set_goal(unsealed, text, now=NOW) for text in ("a", "b"))
    with refused(LifeRefused, "too-many"):
        goals.set_goal(unsealed, "c", now=NOW)
    for text in ("one", "two"):
        goals.note_goal(unsealed, first.pk, text, now=NOW)
        write_note(unsealed, journal, text, now=NOW)
    with refused(LifeRefused, "too-many"):
        goals.note_goal(unsealed, first.pk, "three", now=NOW)
    with refused(LifeRefused, "too-many"):
        write_note(unsealed, journal, "three", now=NOW)
    goals.move_goal(unsealed, first.pk, "done", now=NOW)
    goals.set_goal(unsealed, "c", now=NOW)
    with refused(LifeRefused, "too-many"):
        goals.move_goal(unsealed, first.pk, "active", now=NOW)
    with refused(LifeRefused, "too-many"):
        wishes.change_wishes(unsealed, avoid=["a", "b", "c"], now=NOW)


@cases(
    ("text", "why"),
    [(text, "nothing-said") for text in ("", " \n\t", "\u200b", "\x00")] + [("x" * 501, "too-long")],
)
def test_no_words_and_too_many_are_refused(unsealed, text, why):
    """Nothing that can be seen is nothing said; a word is counted without what cannot be seen."""
    for refusing in (
        lambda: goals.set_goal(unsealed, text, now=NOW),
        lambda: write_note(unsealed, GRATITUDE, text, now=NOW),
    ):
        with refused(LifeRefused, why):
            refusing()
    goals.set_goal(unsealed, "x" * LIFE.goal_chars + "\u200b", now=NOW)
    with refused(LifeRefused, "too-long"):
        goals.set_goal(unsealed, "x" * (LIFE.goal_chars + 1), now=NOW)
    with refused(LifeRefused, "too-long"):
        wishes.change_wishes(unsealed, avoid=["x" * (LIFE.topic_chars + 1)], now=NOW)


def test_a_deleted_row_comes_back_as_it_was(unsealed):
    """A goal with its notes, each value as before; brought back twice it is there once."""
    goal = goals.set_goal(unsealed, "Walk", now=NOW, message_id=new_id())
    for text in ("one", "two"):
        goals.note_goal(unsealed, goal.pk, text, now=NOW + timedelta(microseconds=7))
    before = goals.list_goals(unsealed)
    deleted = deletion.delete_found(Goal, unsealed, pk=goal.pk, now=LATER)
    assert goals.list_goals(unsealed) == []
    for _ in range(2):
        assert deletion.restore_deleted(unsealed, deleted, now=LATER) == goal.pk
    assert goals.list_goals(unsealed) == before


def test_a_note_of_a_goal_that_is_gone_does_not_come_back(unsealed):
    """It has no place any more; with its goal it would."""
    goal = goals.set_goal(unsealed, "Walk", now=NOW)
    note = goals.note_goal(unsealed, goal.pk, "one", now=NOW)
    gone = deletion.delete_found(GoalNote, unsealed, pk=note.pk, now=NOW)
    whole = deletion.delete_found(Goal, unsealed, pk=goal.pk, now=NOW)
    with refused(LifeRefused, "taken-meanwhile"):
        deletion.restore_deleted(unsealed, gone, now=LATER)
    deletion.restore_deleted(unsealed, whole, now=LATER)
    deletion.restore_deleted(unsealed, gone, now=LATER)
    assert len(goals.list_goals(unsealed)[0].notes) == 1


def test_what_was_deleted_opens_in_its_own_space_and_place_alone(unsealed):
    """Another space, another id or another kind of it opens nothing."""
    entry = write_note(unsealed, GRATITUDE, "The sun", now=NOW)
    deleted = deletion.delete_found(Gratitude, unsealed, pk=entry.pk, now=NOW)
    eve = make_access("eve")
    with unlocked(eve.space, eve.key), pytest.raises(BoxBroken):
        deletion.restore_deleted(eve.space, deleted, now=NOW)
    cut = b64encode(b64decode(deleted["box"])[:-1]).decode()
    for changed in ({"id": str(new_id())}, {"kind": "memorynode"}, {"box": cut}):
        with pytest.raises(BoxBroken):
            deletion.restore_deleted(unsealed, {**deleted, **changed}, now=NOW)


@pytest.mark.spec("L3")
def test_the_later_measure_of_a_day_holds(unsealed):
    """By when it was received: what was delayed on its way never replaces what is newer."""
    metrics.set_measures(unsealed, TODAY, {"sleep_hours": 7.5, "steps": 900}, now=NOW)
    metrics.set_measures(unsealed, TODAY, {"sleep_hours": 5}, now=LATER, received_at=NOW - timedelta(hours=1))
    assert metrics.measures_of(unsealed, TODAY) == {"sleep_hours": 7.5, "steps": 900}
    assert metrics.set_measures(unsealed, TODAY, {"steps": 900}, now=LATER) == []
    assert len(metrics.set_measures(unsealed, TODAY, {"steps": 1200, "resting_pulse": 60}, now=LATER)) == 2
    assert metrics.measures_of(unsealed, TODAY) == {"sleep_hours": 7.5, "steps": 1200, "resting_pulse": 60}
    assert metrics.measures_of(unsealed, TODAY - timedelta(days=1)) == {}


@pytest.mark.spec("L3")
def test_a_measure_that_is_sent_again_is_as_new_as_its_last_sending(unsealed):
    """What was on its way between the two does not replace it."""
    metrics.set_measures(unsealed, TODAY, {"steps": 900}, now=NOW)
    assert metrics.set_measures(unsealed, TODAY, {"steps": 900}, now=LATER) == []
    between = NOW + timedelta(minutes=30)
    assert metrics.set_measures(unsealed, TODAY, {"steps": 500}, now=LATER, received_at=between) == []
    assert metrics.measures_of(unsealed, TODAY) == {"steps": 900}


@pytest.mark.spec("L3")
@cases(
    ("day", "values"),
    [
        (TODAY, {"sleep_hours": 24.5}), (TODAY, {"steps": -1}), (TODAY, {"steps": 1.5}), (TODAY, {"active_minutes": 1441}),
        (TODAY, {"resting_pulse": 5}), (TODAY, {"sleep_hours": float("nan")}), (TODAY, {"steps": float("inf")}),
        (TODAY, {"weight": 60}), (TODAY + timedelta(days=2), {"steps": 1}), (TODAY - timedelta(days=367), {"steps": 1}),
    ],
)  # fmt: skip
def test_a_measure_that_cannot_be_right_is_refused(unsealed, day, values):
    """And nothing that came with it is set."""
    with pytest.raises(NotInRange):
        metrics.set_measures(unsealed, day, {"active_minutes": 30, **values}, now=NOW)
    assert metrics.list_measures(unsealed, since=date(2020, 1, 1)) == {}


@pytest.mark.spec("L3")
def test_a_deleted_measure_does_not_push_a_newer_one_aside(unsealed):
    """Undo says so instead."""
    metrics.set_measures(unsealed, TODAY, {"steps": 900}, now=NOW)
    deleted = deletion.delete_found(DailyMetric, unsealed, day=TODAY, name="steps", now=NOW)
    metrics.set_measures(unsealed, TODAY, {"steps": 1200}, now=LATER)
    with refused(LifeRefused, "taken-meanwhile"):
        deletion.restore_deleted(unsealed, deleted, now=LATER)
    assert metrics.measures_of(unsealed, TODAY) == {"steps": 1200}


@pytest.mark.spec("L8")
def test_wishes_change_one_by_one(unsealed):
    """What is not named stays; what is the same leaves no trace."""
    assert wishes.read_wishes(unsealed) == wishes.PersonWishes()
    wishes.change_wishes(unsealed, speaks=True, now=NOW)
    after = wishes.change_wishes(unsealed, avoid=[" My father", "my FATHER", ""], calm=True, now=NOW)
    assert after == wishes.read_wishes(unsealed)
    assert (after.avoid, after.speaks, after.calm, after.initiative_on) == (("my FATHER",), True, True, True)
    wishes.change_wishes(unsealed, speaks=True, now=LATER)
    events = AuditEvent.objects.filter(chain=unsealed, action="memory.wishes_changed").order_by("position")
    assert [event.data["changed"] for event in events] == [["speaks"], ["avoid", "calm"]]
    with pytest.raises(TypeError):
        wishes.change_wishes(unsealed, volume=11, now=NOW)


def test_an_erasure_takes_it_all(ada):
    """Who begins anew has nothing of it, and what lies in the old rows opens for nobody, nor does what was deleted."""
    with unlocked(ada.space, ada.key):
        entry = write_note(ada.space, GRATITUDE, WORDS, now=NOW)
        deleted = deletion.delete_found(Gratitude, ada.space, pk=entry.pk, now=NOW)
        goals.set_goal(ada.space, WORDS, now=NOW)
    key, _code = start_anew(ada.person, password="another long password", now=NOW)
    with unlocked(key.space, key):
        assert goals.list_goals(key.space) == list_notes(key.space, GRATITUDE) == []
        with pytest.raises(BoxBroken):
            deletion.restore_deleted(key.space, deleted, now=datetime.now(UTC))
        with space_scope(ada.space):
            (row,) = Goal.objects.for_space(ada.space)
            with pytest.raises(SpaceLocked):
                _ = row.text
