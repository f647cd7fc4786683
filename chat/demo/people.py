"""What a first look finds: people, a school's world and the part of it that a class has met, some weeks of the students' lives, and a
company's months."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from chat.access import chat_access
from chat.demo.company import load_demo_company, promise_demo_company
from companion_site.accounts.demo import PASSWORD, ensure_demo_people
from companion_site.accounts.models import Person, SchoolClass
from companion_site.accounts.services import unlock_at_log_in
from companion_site.jobs import enqueue
from companion_site.vault import unlocked
from memory.student.life.demo import live_demo_weeks
from overlay.importer import ensure_demo_world
from overlay.models import Opening
from overlay.services import open_concept
from overlay.worlds import world_of

#: forms memories of what a demo student has said, in the background: it takes some seconds
REMEMBER = "chat.tasks.remember_demo_weeks"
#: What class 7B has met; the rest of the world is fog to it.
MET = (
    "cell-membrane",
    "cytoplasm",
    "organelle",
    "cell-nucleus",
    "chloroplast",
    "cell-wall",
    "diffusion",
    "velocity",
    "acceleration",
    "friction",
)


def ensure_demo(*, now: datetime) -> None:
    """Make the demo people, their world, the students' weeks and their company's months where nobody exists yet.

    People, world and weeks are made all of it or nothing; the company's months take seconds, and go on at the next start
    where they were cut short.
    """
    _ensure_people_and_world(now=now)
    load_demo_company()


@transaction.atomic
def _ensure_people_and_world(*, now: datetime) -> None:
    if not ensure_demo_people(now=now):
        return
    promise_demo_company(now=now)
    teacher = Person.objects.get(username="tove")
    school_class = SchoolClass.objects.select_related("school").get(people=teacher)
    ensure_demo_world(school_class.school, now=now)
    concepts = {concept.key: concept.id for concept in world_of(teacher).concepts}
    for key in MET:
        open_concept(
            school_class.school,
            concepts[key],
            for_class=school_class,
            by=teacher,
            how=Opening.How.TEACHER,
            now=now,
        )
    for student in Person.objects.filter(role=Person.Role.STUDENT).order_by("id"):
        _live(student, now=now)


def _live(student: Person, *, now: datetime) -> None:
    """Let a demo student have some weeks behind them."""
    key = unlock_at_log_in(student, password=PASSWORD, now=now)
    with unlocked(key.space, key):
        live_demo_weeks(key.space, language=student.language, now=now, person=student)
    if settings.DEMO_TALK:
        # All that forms memories comes with it, and every start but the first can do without.
        from chat.demo.talk import store_demo_talk

        store_demo_talk(chat_access(student, key))
        enqueue(REMEMBER, student.pk)
