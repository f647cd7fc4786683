"""The first look is made whole or not at all."""

from datetime import timedelta

import pytest
from django.db import connection
from django_q.models import OrmQ

from chat import tasks
from chat.demo.people import MET, ensure_demo
from chat.demo.talk import remember_demo_talk
from chat.models import Conversation, Message
from companion_site.accounts.demo import PASSWORD
from companion_site.accounts.models import Person, School
from companion_site.accounts.services import change_password
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.company.demo import read_conversations
from memory.models import CompanyEvent, CompanyFact, MemoryNode, SleepRun
from memory.student.life.goals import list_goals
from memory.student.life.journals import list_notes
from memory.student.life.kinds import GRATITUDE
from memory.student.life.metrics import list_measures
from memory.student.life.moods import moods_between
from overlay.worlds import world_of
from tests.factories import NOW, open_space
from tests.live import logged_in


@pytest.mark.slow
@pytest.mark.spec("G10")
def test_a_first_run_that_was_cut_short_is_made_up_for(committed, settings):
    """Killed while the world is being opened it leaves nobody behind, so that the next start makes all of it."""
    settings.DEMO_TALK = False
    with pytest.raises(SystemExit), connection.execute_wrapper(die_after(0, "overlay_opening")):
        ensure_demo(now=NOW)
    assert not Person.objects.exists() and not School.objects.exists()
    ensure_demo(now=NOW)
    names = {concept.key for concept in world_of(Person.objects.get(username="ada")).concepts}
    assert names.issuperset(MET)
    assert not Person.objects.filter(welcomed_at=None).exists()
    count = Person.objects.count()
    settings.DEMO_TALK = True
    ensure_demo(now=NOW)
    assert Person.objects.count() == count and not OrmQ.objects.exists()


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
    assert "chat.tasks.load_demo_company" in {path for path, _ids in queued}
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


def die_after(count: int, table: str):
    """Return what ends the process when a table is written to once more than so many times."""
    left = [count]

    def execute_or_die(execute, sql, params, many, context):
        if sql.startswith("INSERT") and f'"{table}"' in sql:
            left[0] -= 1
            if left[0] < 0:
                raise SystemExit
        return execute(sql, params, many, context)

    return execute_or_die


@pytest.mark.slow
@pytest.mark.spec("C14")
def test_a_company_s_load_that_is_cut_short_is_made_up_for(committed, monkeypatch):
    """Killed anywhere, the next try goes on there; in the end all is there once, as of the day that the company was made."""
    ensure_demo(now=NOW)
    space = Person.objects.get(username="bo").company.space_id
    written = read_conversations(space, now=NOW)[:4]
    monkeypatch.setattr("chat.demo.people.read_conversations", lambda space, now: written)
    for count, table in (
        (1, "chat_conversation"),
        (3, "company_memory"),
        (1, "company_memory_event"),
        (0, "company_kpi"),
    ):
        with pytest.raises(SystemExit), connection.execute_wrapper(die_after(count, table)):
            tasks.load_demo_company(str(space))
    for _ in range(2):
        tasks.load_demo_company(str(space))
        with space_scope(space):
            facts, messages = CompanyFact.objects.for_space(space), Message.objects.for_space(space)
            assert messages.count() == sum(len(one.messages) for one in written)
            assert facts.count() == sum(len(one.facts) for one in written)
            assert not facts.filter(said_at__gt=NOW).exists()
            assert not CompanyEvent.objects.for_space(space).filter(kind="confirmed").exists()
