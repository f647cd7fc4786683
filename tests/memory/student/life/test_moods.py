"""The mood log: what was read from messages and told by the person, once each, sealed, deletable, and how the days go."""

from datetime import UTC, datetime, timedelta

import pytest

from companion_site.accounts.services import switch_memory
from companion_site.errors import InvalidInput
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from memory.models import Mood
from memory.student.life import moods
from memory.student.life.deletion import delete_found, restore_deleted
from memory.student.life.feelings import UNKNOWN, EmotionState
from memory.student.life.limits import LifeLimits, LifeRefused
from memory.student.life.moods import mood_trend, moods_between, note_mood, tell_mood
from tests.cases import cases
from tests.factories import NOW
from tests.refusals import refused

pytestmark = pytest.mark.spec("L2")

DAY = timedelta(days=1)


def state(emotion="sadness", intensity="medium", **given):
    fields = {"energy": "low", "social_need": "unknown", "confidence": 0.8, **given}
    fields.setdefault("valence", EmotionState.of(emotion, intensity, confidence=1).valence)
    return EmotionState(primary_emotion=emotion, intensity=intensity, **fields)


def log(space, *valences, first=NOW - 6 * DAY):
    """Note one mood a day; None leaves the day out."""
    for number, valence in enumerate(valences):
        if valence is not None:
            emotion = "sadness" if valence < 0 else "joy"
            note_mood(space, state(emotion, valence=valence), new_id(), first + number * DAY)


def test_mood_of_a_message_is_noted_once(unsealed):
    """A turn that is made anew leaves one mood, the first."""
    message = new_id()
    first = note_mood(unsealed, state("sadness"), message, NOW)
    again = note_mood(unsealed, state("joy"), message, NOW + DAY)
    assert first.pk == again.pk
    assert [mood.state.primary_emotion for mood in moods_between(unsealed, NOW - DAY, NOW + 2 * DAY)] == [
        "sadness"
    ]


@cases("reading", [UNKNOWN, state("neutral"), state("sadness", confidence=0.2)])
def test_what_tells_no_feeling_is_no_mood(unsealed, reading):
    """A question about homework does not make a mean mood meaner."""
    assert note_mood(unsealed, reading, new_id(), NOW) is None
    assert moods_between(unsealed, NOW - DAY, NOW + DAY) == []


def read(space, message):
    return note_mood(space, state("sadness"), message, NOW)


def tell(space, message):
    return tell_mood(
        space, emotion="calm", intensity="medium", now=NOW, note="a walk helped", message_id=message
    )


@cases("order", [(read, tell), (tell, read), (read, tell, tell, read)])
def test_what_is_told_in_a_message_takes_the_place_of_what_was_read_from_it(unsealed, order):
    """Whichever comes first and however often, one mood counts that day; taken back, none is left."""
    message = new_id()
    for write in order:
        write(unsealed, message)
    (mood,) = moods_between(unsealed, NOW - DAY, NOW + DAY)
    assert (mood.is_told, mood.state.primary_emotion, mood.note) == (True, "calm", "a walk helped")
    assert [day.count for day in mood_trend(unsealed, NOW).days] == [1]
    delete_found(Mood, unsealed, pk=mood.id, now=NOW)
    assert moods_between(unsealed, NOW - DAY, NOW + DAY) == []


def test_what_was_read_does_not_come_back_beside_what_was_told_since(unsealed):
    """Undo says that something else has its place; after that is gone, it does come back."""
    message = new_id()
    deleted = delete_found(Mood, unsealed, pk=read(unsealed, message).pk, now=NOW)
    told = tell(unsealed, message)
    with refused(LifeRefused, "taken-meanwhile"):
        restore_deleted(unsealed, deleted, now=NOW)
    delete_found(Mood, unsealed, pk=told.pk, now=NOW)
    restore_deleted(unsealed, deleted, now=NOW)
    assert [mood.is_told for mood in moods_between(unsealed, NOW - DAY, NOW + DAY)] == [False]


def test_a_day_takes_so_many_told_moods(unsealed, monkeypatch):
    """One more is refused, and what was read stays."""
    monkeypatch.setattr(moods, "LIFE", LifeLimits(told_moods_of_day=2))
    message = new_id()
    kept = read(unsealed, message)
    for _ in range(2):
        tell(unsealed, None)
    with refused(LifeRefused, "too-many"):
        tell(unsealed, message)
    assert kept.pk in {mood.id for mood in moods_between(unsealed, NOW - DAY, NOW + DAY)}


def test_state_outside_the_enumerations_is_refused(unsealed):
    """Nobody tells a mood that there is no word for."""
    for outside in ({"emotion": "rage"}, {"intensity": "huge"}, {"energy": "none"}):
        with pytest.raises(InvalidInput):
            tell_mood(unsealed, **{"emotion": "joy", "intensity": "low", **outside}, now=NOW)


def test_with_memory_off_nothing_is_noted_told_or_looked_at(ada, unsealed):
    """A person's memory that is off stays as it is; what stands there is still theirs to see and to delete."""
    kept = note_mood(unsealed, state(), new_id(), NOW)
    switch_memory(ada.person, on=False, key=ada.key, now=NOW)
    assert note_mood(unsealed, state(), new_id(), NOW) is None
    assert tell_mood(unsealed, emotion="sadness", intensity="medium", now=NOW) is None
    assert mood_trend(unsealed, NOW).days == ()
    with space_scope(unsealed):
        assert list(Mood.objects.for_space(unsealed).values_list("pk", flat=True)) == [kept.pk]


def test_days_without_a_mood_neither_break_nor_make_a_decline(unsealed):
    """Who writes every other day is seen to decline as well, and silence is no bad mood."""
    log(unsealed, 0.6, None, 0.3, None, None, 0.0, -0.4)
    trend = mood_trend(unsealed, NOW)
    assert [day.valence for day in trend.days] == [0.6, 0.3, 0.0, -0.4]
    assert trend.is_declining
    later = mood_trend(unsealed, NOW + 3 * DAY)
    assert later.declining_days == 3


def test_days_are_those_of_where_the_person_lives(unsealed, settings):
    """Half past eleven at night in Stockholm is not yet the next day."""
    settings.TIME_ZONE = "Europe/Stockholm"
    for hour in (22, 23):
        note_mood(unsealed, state(), new_id(), datetime(2026, 3, 1, hour, 30, tzinfo=UTC))
    assert [day.day.isoformat() for day in mood_trend(unsealed, NOW).days] == ["2026-03-01", "2026-03-02"]
