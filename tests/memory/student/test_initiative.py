"""When the companion may speak first: hours, wishes, low days, once a day."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from companion_site.accounts.services import switch_memory
from companion_site.errors import NotFound
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.algorithms.moods import MeanDay
from memory.models import Initiative
from memory.student.life.feelings import EmotionState, MoodTrend
from memory.student.life.goals import set_goal
from memory.student.life.initiative import (
    Kind,
    Today,
    choose_kind,
    day_in_life,
    dismiss,
    is_low,
    is_tired,
    offer_initiative,
    take_up,
)
from memory.student.life.journals import write_note
from memory.student.life.kinds import GRATITUDE
from memory.student.life.moods import ShownMood, tell_mood
from memory.student.life.wishes import PersonWishes, change_wishes
from tests.cases import cases
from tests.factories import make_access
from tests.racing import at_once

#: in Stockholm, in winter: one hour before it is
DAY = date(2026, 3, 2)


def at(hour: int, minute: int = 0, *, day: date = DAY) -> datetime:
    return timezone.make_aware(datetime.combine(day, time(hour, minute)))


def today(now: datetime, *, wishes: PersonWishes | None = None, **given) -> Today:
    return Today(at=now, wishes=wishes or PersonWishes(), **given)


def trend(*valences: float, until: date = DAY, declining: int = 0) -> MoodTrend:
    days = tuple(
        MeanDay(day=until - timedelta(days=back), valence=valence, count=1, emotion="sadness")
        for back, valence in reversed(list(enumerate(reversed(valences))))
    )
    return MoodTrend(days=days, declining_days=declining)


def felt(when: datetime, energy: str) -> ShownMood:
    state = EmotionState.of("neutral", "low", energy=energy, confidence=1)
    return ShownMood(id=new_id(), at=when, state=state, is_told=True, note="", message_id=None)


@pytest.fixture
def access(db):
    access = make_access()
    with unlocked(access.space, access.key):
        yield access


def offer(access, now, *, spoken=False, talked=True):
    return offer_initiative(access.space, spoken=spoken, talked=talked, now=now)


def rows(access) -> list[Initiative]:
    with space_scope(access.space):
        return list(Initiative.objects.for_space(access.space).order_by("day"))


@pytest.mark.spec("L8")
@cases(
    ("hour", "given", "kind"),
    [
        (7, {}, Kind.MORNING),
        (10, {}, Kind.MORNING),
        (10, {"spoken": True}, None),
        (11, {"has_content": True}, None),
        (16, {"has_content": True}, None),
        (18, {"has_content": True}, Kind.EVENING),
        (18, {"spoken": True, "has_content": True}, Kind.EVENING),
        (18, {}, None),
        (6, {}, None),
        (21, {"has_content": True}, None),
        (23, {"has_content": True}, None),
        (3, {}, None),
    ],
)
def test_a_word_fits_the_time_of_day(hour, given, kind):
    """A greeting before anything was said, a look back where there is something, nothing in quiet hours."""
    assert choose_kind(today(at(hour), **given)) == kind


@pytest.mark.spec("L8")
def test_quiet_hours_hold_over_midnight_too(subtests):
    """From the first minute to the last, low days or not; the same hour twice means none."""
    for quiet, hour, minute, is_quiet in [
        ((22, 8), 7, 59, True),
        ((22, 8), 8, 0, False),
        ((22, 8), 22, 0, True),
        ((22, 8), 0, 0, True),
        ((1, 9), 8, 59, True),
        ((1, 9), 9, 0, False),
        ((7, 7), 7, 0, False),
    ]:
        with subtests.test(quiet=quiet, hour=hour):
            wishes = PersonWishes(quiet_from=time(quiet[0]), quiet_until=time(quiet[1]))
            low = trend(-0.6, -0.7)
            found = choose_kind(today(at(hour, minute), wishes=wishes, trend=low))
            assert found == (None if is_quiet else Kind.AFTER_LOW)


@pytest.mark.spec("L8")
def test_hours_are_local(subtests):
    """Seven in the morning in UTC is a morning in Stockholm, night in New York, and afternoon or evening in the east."""
    for zone, kind in [
        ("Europe/Stockholm", Kind.MORNING),
        ("America/New_York", None),
        ("Asia/Tokyo", None),
        ("Pacific/Auckland", None),
    ]:
        with subtests.test(zone=zone, kind=kind), override_settings(TIME_ZONE=zone), timezone.override(zone):
            assert choose_kind(today(datetime(2026, 3, 2, 7, tzinfo=UTC))) == kind


@pytest.mark.spec("L8")
def test_low_days_are_noticed(subtests):
    """Two in a row up to now, or three days each lower than the one before that end low; old ones say nothing of today."""
    for moods, low in [
        (trend(-0.5, -0.4), True),
        (trend(-0.5, -0.4, until=DAY - timedelta(days=1)), True),
        (trend(-0.5, -0.4, until=DAY - timedelta(days=2)), False),
        (trend(-0.5, 0.2), False),
        (trend(-0.9), False),
        (trend(0.5, 0.3, 0.1, -0.1, declining=3), True),
        (trend(0.3, 0.1, -0.1, declining=2), False),
        (trend(0.8, 0.5, 0.3, 0.1, declining=3), False),
        (MoodTrend(), False),
    ]:
        with subtests.test(moods=moods, low=low):
            assert is_low(today(at(12), trend=moods)) is low
            assert choose_kind(today(at(12), trend=moods)) == (Kind.AFTER_LOW if low else None)


@pytest.mark.spec("L8")
def test_tired_days_are_noticed():
    """Most of what was felt on two days in a row had little energy."""
    days = [at(12), at(12, day=DAY - timedelta(days=1))]
    assert is_tired(today(at(18), moods=[felt(when, "low") for when in days]))
    assert not is_tired(today(at(18), moods=[felt(days[0], "low")]))
    assert not is_tired(today(at(18), moods=[felt(days[0], "low"), felt(days[1], "medium")]))
    mixed = [felt(when, energy) for when in days for energy in ("low", "high")]
    assert not is_tired(today(at(18), moods=mixed))


@pytest.mark.spec("L8")
def test_once_a_day_and_the_next_day_again(access):
    """The same word stays until its time is over; it is not followed by another on that day."""
    first = offer(access, at(8))
    assert first.kind == Kind.MORNING and offer(access, at(9)) == first
    assert offer(access, at(12)) is None and offer(access, at(18)) is None
    following = offer(access, at(18, day=DAY + timedelta(days=1)))
    assert following.kind == Kind.EVENING and [row.day for row in rows(access)] == [
        DAY,
        DAY + timedelta(days=1),
    ]
    # Of one day in UTC, and of two here.
    change_wishes(access.space, now=at(8), quiet_from=time(3), quiet_until=time(4))
    late, after = (at(hour, 30, day=DAY + timedelta(days=day)) for hour, day in ((23, 2), (5, 3)))
    assert offer(access, late).kind == Kind.EVENING and offer(access, after).kind == Kind.MORNING


@pytest.mark.spec("L8")
@pytest.mark.parametrize("answer", [take_up, dismiss])
def test_an_answered_word_is_gone_and_answered_once(access, answer):
    """Taken up it begins one turn, dismissed none; neither comes again that day, nor another in the evening."""
    offered = offer(access, at(8))
    answer(access.space, offered.id, now=at(8, 1))
    assert take_up(access.space, offered.id, now=at(8, 2)) is None
    dismiss(access.space, offered.id, now=at(8, 3))
    (row,) = rows(access)
    assert (row.taken_at is None) != (row.dismissed_at is None)
    assert offer(access, at(9)) is None and offer(access, at(18)) is None


def test_a_word_of_another_space_is_not_found(access):
    """Nor is one that never was."""
    offered = offer(access, at(8))
    other = make_access("eve")
    for space, initiative in ((other.space, offered.id), (access.space, new_id())):
        with pytest.raises(NotFound):
            take_up(space, initiative, now=at(9))
        with pytest.raises(NotFound):
            dismiss(space, initiative, now=at(9))


@pytest.mark.spec("L8")
def test_nothing_is_said_first_where_it_is_not_wanted(access):
    """Switched off, in quiet hours, and with memory off; a word that stands goes too."""
    offered = offer(access, at(8))
    change_wishes(access.space, now=at(8), initiative_on=False)
    assert offer(access, at(9)) is None
    change_wishes(access.space, now=at(8), initiative_on=True, quiet_from=time(9), quiet_until=time(10))
    assert offer(access, at(9, 30)) is None and offer(access, at(10)) == offered
    switch_memory(access.person, on=False, key=None, now=at(10))
    assert offer(access, at(10, 1)) is None


@pytest.mark.spec("L8")
def test_low_moods_of_two_days_lead_to_a_word(access):
    """By the rows of the mood log themselves; how somebody is comes before the greeting."""
    sad = {"emotion": "sadness", "intensity": "high", "energy": "low"}
    for back in (1, 0):
        tell_mood(access.space, **sad, now=at(7, 30) - timedelta(days=back))
    assert offer(access, at(8)).kind == Kind.AFTER_LOW


@pytest.mark.spec("L8")
def test_a_day_is_looked_back_on_by_its_goals_and_gratitude(access):
    """Those of the local day, and no others."""
    yesterday = at(12) - timedelta(days=1)
    set_goal(access.space, "Swim", now=yesterday)
    write_note(access.space, GRATITUDE, "Rain", now=yesterday)
    set_goal(access.space, "Read", now=at(0, 5))
    write_note(access.space, GRATITUDE, "Tea", now=at(12))
    life = day_in_life(access.space, now=at(18))
    assert (life.goals, life.gratitude) == (("Read",), ("Tea",))


@pytest.mark.spec("L8")
def test_two_tabs_at_once_show_one_word(committed):
    """The row's own constraint decides, and one click of two begins a turn."""
    access = make_access()

    def opened():
        with unlocked(access.space, access.key):
            return offer(access, at(8))

    offered, *others = at_once(*[opened] * 4)
    assert offered is not None and all(other == offered for other in others)
    taken = at_once(*[lambda: take_up(access.space, offered.id, now=at(8, 1))] * 4)
    assert taken.count(Kind.MORNING) == 1 and taken.count(None) == 3
    assert len(rows(access)) == 1
