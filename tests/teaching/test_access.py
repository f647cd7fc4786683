"""Who may see and do what: teachers for their students, auditors of a school for its students, nobody else."""

import pytest
from django.utils import timezone

from companion_site.accounts.models import ClassMembership
from companion_site.ids import new_id
from companion_site.vault import unlocked
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from ledger.models import ThreatAlert
from memory.student.snapshots import teachers_of
from memory.teaching import services
from tests.cases import cases
from tests.factories import NOW, make_business_user, make_student, open_space
from tests.memory.student.drafts import make_node
from tests.teaching.conftest import alert_of

pytestmark = pytest.mark.spec("E2")


@pytest.fixture
def found(place):
    """Every address of the teachers' and auditors' pages, by name, about Ada and her class."""
    box = services.observe(place.tove, place.ada, observation_id=new_id(), text="Draws", now=NOW)
    lesson = new_id()
    services.record_lesson(
        place.tove, place.school_class, lesson_id=lesson, title="Light", taught="", result="", now=NOW
    )
    alert = alert_of(place.ada)
    group, student = f"/teaching/classes/{place.school_class.pk}/", f"/teaching/students/{place.ada.pk}/"
    return {
        "read": [
            "/teaching/",
            group,
            student,
            f"/teaching/concepts/classes/{place.school_class.pk}/",
            f"/teaching/concepts/students/{place.ada.pk}/",
        ],
        "write": [
            f"{group}lessons/",
            f"{group}lessons/{lesson}/retract/",
            f"{student}observations/",
            f"{student}boxes/{box.pk}/retract/",
            f"{student}alerts/{alert.pk}/seen/",
        ],
        "audit": ["/wellbeing/", f"/wellbeing/{place.ada.pk}/"],
    }


def settled(place):
    """Return how many boxes and alerts of Ada's were touched."""
    with space_scope(place.ada.space_id):
        rows = SealedBox.objects.for_space(place.ada.space_id)
        alerts = ThreatAlert.objects.for_space(place.ada.space_id)
        return rows.exclude(retracted_at=None).count(), alerts.exclude(seen_at=None).count(), rows.count()


@pytest.mark.usefixtures("strangers")
@cases("username", ["ada", "elsa", "bo", "ulla", "sven", "root", "eva"])
def test_nobody_but_teachers_of_a_student_opens_the_teachers_pages(place, found, username):
    """To students, business users, auditors, staff and another school's teacher they do not exist, by reading and by writing."""
    browser = place.browser(username)
    for address in found["read"][username == "eva" :]:
        assert browser.get(address).status_code == 404, address
    for address in found["write"]:
        answer = browser.post(address, {"id": str(new_id()), "text": "x", "title": "x"})
        assert answer.status_code == 404, address
    assert settled(place) == (0, 0, 2)


def test_a_colleague_sees_their_own_class_and_takes_back_only_their_own(place, found):
    """Not the school but the class makes a student theirs; of two teachers of one class each sees their own receipts, and neither
    touches the other's."""
    nina = make_student("nina", role="teacher", school=place.school).person
    browser = place.browser("nina")
    assert browser.get("/teaching/").status_code == 200
    for address in found["read"][1:]:
        assert browser.get(address).status_code == 404, address
    ClassMembership.objects.create(school_class=place.school_class, person=nina)
    assert "Nothing yet." in browser.get(found["read"][2]).text
    assert browser.post(found["write"][1]).status_code == 404
    assert browser.post(found["write"][3]).status_code == 404
    assert settled(place)[0] == 0


def test_a_teacher_who_left_the_class_is_turned_away(place, found):
    """Access ends with the membership, at once. Before that too, a link followed, or fetched ahead by a browser, changes nothing."""
    browser = place.browser("tove")
    for address in found["write"]:
        assert browser.get(address).status_code == 405, address
    assert browser.get(found["read"][2]).status_code == 200
    ClassMembership.objects.filter(person=place.tove).delete()
    assert browser.get(found["read"][2]).status_code == 404
    assert browser.post(found["write"][3]).status_code == 404


def test_a_student_of_another_school_in_the_class_is_not_seen(place):
    """Whoever came into a class before they changed school, or it did, is shown to no teacher there, nor they to them."""
    ClassMembership.objects.create(school_class=place.school_class, person=place.filip)
    tove = place.browser("tove")
    assert tove.get(f"/teaching/students/{place.filip.pk}/").status_code == 404
    assert "Filip" not in tove.get(f"/teaching/classes/{place.school_class.pk}/").text
    assert place.tove not in teachers_of(place.filip)
    ClassMembership.objects.create(school_class=place.far, person=place.tove)
    assert tove.get(f"/teaching/classes/{place.far.pk}/").status_code == 404
    assert tove.get(f"/teaching/students/{place.filip.pk}/").status_code == 404


def test_ids_of_other_people_find_nothing(place, found):
    """A box, alert or teacher named in the wrong place is as unknown as one that does not exist."""
    browser = place.browser("tove")
    box, alert = found["write"][3].split("/")[5], found["write"][4].split("/")[5]
    for address in (
        f"/teaching/students/{place.elsa.pk}/boxes/{box}/retract/",
        f"/teaching/students/{place.elsa.pk}/alerts/{alert}/seen/",
        f"/teaching/students/{place.ada.pk}/boxes/{new_id()}/retract/",
        f"/teaching/students/{place.ada.pk}/alerts/{new_id()}/seen/",
        f"/teaching/students/{place.tove.pk}/observations/",
        f"/teaching/students/{place.olle.pk}/observations/",
        f"/teaching/students/{place.filip.pk}/observations/",
    ):
        assert browser.post(address, {"id": str(new_id()), "text": "x"}).status_code == 404, address
    assert settled(place) == (0, 0, 2)


@pytest.mark.usefixtures("strangers")
@cases("username", ["ada", "bo", "tove", "root"])
def test_nobody_but_auditors_opens_the_auditors_pages(place, found, username):
    """Teachers have their own pages; to everybody else there is nothing."""
    browser = place.browser(username)
    for address in found["audit"]:
        assert browser.get(address).status_code == 404, address


@pytest.mark.usefixtures("strangers")
@pytest.mark.spec("G12")
def test_an_auditor_sees_the_students_of_their_school(place, found):
    """All of them, whatever their class, and nobody of another school; an auditor of a company sees no school."""
    shown = place.browser("ulla").get("/wellbeing/").text
    assert "signed checkpoint" in shown or "(checkpoint " in shown
    assert all(name in shown for name in ("Ada", "Elsa", "Olle")) and "Filip" not in shown
    assert place.browser("ulla").get(f"/wellbeing/{place.filip.pk}/").status_code == 404
    assert place.browser("sven").get(found["audit"][1]).status_code == 404
    assert place.browser("ulla").get(found["audit"][1]).status_code == 200
    make_student("axel", role="auditor", company=make_business_user("bosse").company)
    assert place.browser("axel").get("/wellbeing/").status_code == 404


@pytest.mark.spec("G12")
@pytest.mark.spec("G11")
def test_no_page_of_teachers_and_auditors_holds_a_word_of_content(place, found):
    """What the student said, in memory and in the box, stands on none of them."""
    key = open_space(place.ada)
    with space_scope(key.space), unlocked(key.space, key):
        for _ in range(12):
            make_node(key.space, "zebrafinch", at=timezone.now(), modality="emotional", valence=-0.9).save()
    services.observe(place.tove, place.ada, observation_id=new_id(), text="zebrafinch", now=NOW)
    for username, addresses in (("tove", found["read"]), ("ulla", found["audit"])):
        browser = place.browser(username)
        for address in addresses:
            answer = browser.get(address)
            assert answer.status_code == 200 and "zebrafinch" not in answer.text, address
            assert answer["Cache-Control"].startswith("max-age=0, no-cache"), address
