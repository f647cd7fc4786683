"""The first look is made whole or not at all."""

from datetime import timedelta

import pytest
from django.db import connection
from django_q.models import OrmQ

from chat import tasks
from chat.demo.people import MET, ensure_demo
from chat.demo.talk import remember_demo_talk
from chat.models import Conversation
from companion_site.accounts.demo import PASSWORD
from companion_site.accounts.models import Person, School
from companion_site.accounts.services import change_password
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import MemoryNode, SleepRun
from memory.student.life.goals import list_goals
from memory.student.life.journals import list_notes
from memory.student.life.kinds import GRATITUDE
from memory.student.life.metrics import list_measures
from memory.student.life.moods import moods_between
from overlay.worlds import world_of
from tests.factories import NOW, open_space
from tests.live import logged_in


def die_at_openings(execute, sql, params, many, context):
    if "overlay_opening" in sql and sql.startswith("INSERT"):
        raise SystemExit
    return execute(sql, params, many, context)


@pytest.mark.slow
@pytest.mark.spec("G10")
def test_a_first_run_that_was_cut_short_is_made_up_for(committed, settings):
    """Killed while the world is being opened it leaves nobody behind, so that the next start makes all of it."""
    settings.DEMO_TALK = False
    with pytest.raises(SystemExit), connection.execute_wrapper(die_at_openings):
        ensure_demo(now=NOW)
    assert not Person.objects.exists() and not School.objects.exists()
    ensure_demo(now=NOW)
    names = {concept.key for concept in world_of(Person.objects.get(username="ada")).concepts}
    assert names.issuperset(MET)
    count = Person.objects.count()
    ensure_demo(now=NOW)
    assert Person.objects.count() == count


@pytest.mark.slow
@pytest.mark.spec("L4", "G10")
def test_a_first_look_finds_some_weeks_of_life(committed, settings):
    """Both students, each in their own language: moods over weeks, goals, gratitude and measures; a second start adds nothing."""
    settings.TIME_ZONE, settings.DEMO_TALK = "Europe/Stockholm", False
    for _ in range(2):
        ensure_demo(now=NOW)
    for username, words in (("ada", "Learn the song"), ("elsa", "Lära mig låten")):
        page = logged_in(username, PASSWORD).get("/memory/life/").content.decode()
        assert words in page
        person = Person.objects.get(username=username)
        key = open_space(person, PASSWORD)
        with unlocked(key.space, key):
            moods = moods_between(key.space, NOW - timedelta(days=42), NOW)
            goals = list_goals(key.space)
            entries = list_notes(key.space, GRATITUDE)
            days = list_measures(key.space, since=NOW.date() - timedelta(days=15))
        assert (moods[0].at - moods[-1].at).days > 28 and len(
            {mood.state.primary_emotion for mood in moods}
        ) > 4
        assert {goal.state for goal in goals} == {"active", "done"} and all(goal.notes for goal in goals)
        assert len(entries) == len({entry.text for entry in entries}) == 8 and len(days) == 13


@pytest.mark.slow
@pytest.mark.spec("C2", "G10")
def test_a_first_look_finds_a_memory_that_has_grown(committed):
    """From words of five days, some of them slept over, by the job that the start queues; a second run adds nothing."""
    ensure_demo(now=NOW)
    person = Person.objects.get(username="elsa")
    with space_scope(person.space_id):
        assert Conversation.objects.count() == 5 and not MemoryNode.objects.exists()
    queued = [(row.func(), row.args()) for row in OrmQ.objects.all()]
    assert ("chat.tasks.remember_demo_weeks", (str(person.pk),)) in queued
    tasks.remember_demo_weeks(str(person.pk))
    with space_scope(person.space_id):
        days = {at.date() for at in MemoryNode.objects.values_list("formed_at", flat=True)}
        before = MemoryNode.objects.count()
        assert Conversation.objects.count() == 5
        assert SleepRun.objects.filter(state=SleepRun.State.SUCCESS).count() > 2
    assert len(days) >= 5 and before > 10
    tasks.remember_demo_weeks(str(person.pk))
    with space_scope(person.space_id):
        assert MemoryNode.objects.count() == before
    assert "marinbiolog" in logged_in("elsa", PASSWORD).get("/memory/history/").content.decode()


@pytest.mark.slow
def test_who_has_changed_their_password_is_left_alone(committed):
    """A demo student who has become somebody's own companion is not told what they never said."""
    ensure_demo(now=NOW)
    person = Person.objects.get(username="ada")
    change_password(person, key=open_space(person, PASSWORD), password="another-long-one", now=NOW)
    assert remember_demo_talk(person.pk, now=NOW) is None
