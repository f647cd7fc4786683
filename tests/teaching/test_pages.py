"""Teachers write into their students' memory, keep receipts, and read no word of it."""

import re

import pytest

from companion_site.accounts.models import ClassMembership
from companion_site.ids import new_id
from companion_site.vault.models import InboxKey
from companion_site.vault.scope import space_scope
from ledger.models import ThreatAlert
from tests.cases import cases
from tests.factories import make_invited_student, make_student
from tests.teaching.conftest import alert_of, boxes, remembered, take_in

pytestmark = [pytest.mark.spec("G4")]

NOTICED = "Works best with visual metaphors and zebrafinches"


def page_of(student):
    return f"/teaching/students/{student.pk}/"


def class_page(place):
    return f"/teaching/classes/{place.school_class.pk}/"


def notice(browser, student, text=NOTICED, **given):
    data = {"id": str(new_id()), "text": text, **given}
    return browser.post(page_of(student) + "observations/", data, follow=True)


def record(browser, place, **given):
    fields = {
        "id": str(new_id()),
        "title": "Photosynthesis",
        "taught": "Plants make zebrafinches.",
        "result": "",
    }
    return browser.post(class_page(place) + "lessons/", {**fields, **given}, follow=True)


def test_a_teacher_finds_their_classes_and_students(place, tove):
    """The start leads to the class, the class to its students; other classes are not there."""
    start = tove.get("/teaching/").text
    assert class_page(place) in start and ">7B<" in start and ">8A<" not in start
    shown = tove.get(class_page(place)).text
    assert page_of(place.ada) in shown and page_of(place.elsa) in shown
    assert "Olle" not in shown and "Filip" not in shown
    assert tove.get(page_of(place.ada)).status_code == 200


@pytest.mark.spec("G11")
def test_what_a_teacher_noticed_reaches_the_student_s_memory(place, tove):
    """Sealed as it is sent, said to be, and formed into memory with the teacher's name when the student is there. The receipt
    tells when and whether it was opened; the words are on no page any more."""
    answer = notice(tove, place.ada).text
    assert "Sealed and sent" in answer and "zebrafinch" not in answer and "not opened yet" in answer
    assert take_in(place.ada) == 1
    assert list(remembered(place.ada)) == [f"My teacher Tove noticed: {NOTICED}."]
    for page in (page_of(place.ada), class_page(place), "/teaching/"):
        assert "zebrafinch" not in tove.get(page).text
    assert "opened" in tove.get(page_of(place.ada)).text


def test_a_form_sent_twice_counts_once(place, tove):
    """A double click or a reload changes nothing. Changed meanwhile, what was sent first stands; the words typed since are still in
    the form, ready to be sent as something new."""
    same = {"id": str(new_id())}
    for _ in range(2):
        notice(tove, place.ada, **same)
        record(tove, place, **same | {"id": "0198b9b0-7d3c-7c57-9d0a-5f1f6f8f9a11"})
    assert [box.kind for box in boxes(place.ada)] == ["observation", "lesson"]
    answer = notice(tove, place.ada, "Draws before writing", **same)
    assert answer.status_code == 409 and "Draws before writing" in answer.text
    fresh = re.search(r'name="id" value="([0-9a-f-]{36})"', answer.text)[1]
    assert fresh != same["id"]
    assert notice(tove, place.ada, "Draws before writing", id=fresh).status_code == 200
    assert len(boxes(place.ada)) == 3


def test_a_teacher_takes_back_what_was_not_opened(place, tove):
    """Taken back it never becomes memory; opened it stays, and the page says which it was."""
    notice(tove, place.ada)
    (box,) = boxes(place.ada)
    retract = f"{page_of(place.ada)}boxes/{box.pk}/retract/"
    assert retract in tove.get(page_of(place.ada)).text
    assert "Taken back" in tove.post(retract, follow=True).text
    assert take_in(place.ada) == 0 and list(remembered(place.ada)) == []
    notice(tove, place.ada)
    take_in(place.ada)
    late = f"{page_of(place.ada)}boxes/{boxes(place.ada)[1].pk}/retract/"
    assert late not in tove.get(page_of(place.ada)).text
    assert "stays as it is" in tove.post(late, follow=True).text
    assert len(remembered(place.ada)) == 1


def test_a_lesson_reaches_every_student_of_the_class(place, tove):
    """One box a student, none for other classes; the page counts who has opened it. Taken back, it says from how many, and for how
    many it was too late."""
    lesson = str(new_id())
    assert "Sealed and sent to 2 students." in record(tove, place, id=lesson).text
    sent = [len(boxes(student)) for student in (place.ada, place.elsa, place.olle, place.filip)]
    assert sent == [1, 1, 0, 0]
    take_in(place.ada)
    assert any("zebrafinches" in text for text in remembered(place.ada))
    shown = " ".join(tove.get(class_page(place)).text.split())
    assert "opened by 1 of 2 students" in shown
    assert "zebrafinch" not in shown and "Photosynthesis" not in shown
    answer = tove.post(f"{class_page(place)}lessons/{lesson}/retract/", follow=True).text
    assert "Taken back from 1 student." in answer and "1 student had opened it before." in answer
    assert take_in(place.elsa) == 0
    assert tove.post(f"{class_page(place)}lessons/{new_id()}/retract/").status_code == 404


def test_a_lesson_in_swedish_is_remembered_in_swedish(place, tove):
    """The words around what was taught are in the language that the teacher wrote in."""
    record(
        tove, place, title="Fotosyntes", taught="Växter gör socker av ljus, vatten och koldioxid under dagen."
    )
    assert take_in(place.elsa) == 1
    assert {row.language for row in remembered(place.elsa).values()} == {"sv"}


def test_students_who_cannot_be_reached_are_named(place, tove):
    """A memory that could not take anything in yet keeps nobody else from the lesson."""
    with space_scope(place.elsa.space_id):
        InboxKey.objects.for_space(place.elsa.space_id).delete()
    answer = record(tove, place).text
    assert "Sealed and sent to 1 student." in answer and "Not sent to Elsa" in answer
    assert notice(tove, place.elsa).status_code == 409


@cases(
    ("text", "status"),
    [("", 422), ("   \n ", 422), ("x" * 501, 422), ("bad \x1b byte", 422), ("😀 é ﷽ ok", 200)],
)
def test_what_cannot_be_sealed_is_said_beside_the_field(place, tove, text, status):
    """Empty, too long, unreadable: the page comes back with what was typed, and nothing is sent. What is sent shows its second."""
    answer = notice(tove, place.ada, text)
    assert answer.status_code == status
    assert len(boxes(place.ada)) == (status == 200)
    assert bool(re.search(r"[0-9]{2}:[0-9]{2}:[0-9]{2}</time>", answer.text)) == (status == 200)


@pytest.mark.spec("G12")
def test_alerts_are_shown_and_marked_as_seen(place, tove):
    """A new alert shows on the class's and the student's page until a teacher has seen it."""
    alert = alert_of(place.ada)
    assert "1 new alert" in tove.get(class_page(place)).text
    seen = f"{page_of(place.ada)}alerts/{alert.pk}/seen/"
    assert seen in tove.get(page_of(place.ada)).text
    assert tove.post(seen, follow=True).status_code == 200
    assert "new alert" not in tove.get(class_page(place)).text
    with space_scope(place.ada.space_id):
        row = ThreatAlert.objects.for_space(place.ada.space_id).get()
    assert row.seen_by_id == place.tove.pk and row.seen_at is not None


@pytest.mark.spec("G12")
def test_where_there_is_nothing_the_page_says_so(place, tove):
    """Too little to tell, in words and in the picture's own text; a class without students, a teacher without classes and a student
    without receipts are told, not blank."""
    shown = tove.get(page_of(place.ada)).text
    assert "Too little to tell" in shown and "Nothing yet." in shown
    assert 'role="img" aria-label="Mood by week' in shown
    ClassMembership.objects.filter(person__in=[place.ada, place.elsa]).delete()
    assert "Nobody is in this class yet." in tove.get(class_page(place)).text
    nisse = make_invited_student("nisse", school=place.school)
    ClassMembership.objects.create(school_class=place.school_class, person=nisse)
    shown = tove.get(class_page(place)).text
    assert "Nobody is in this class yet." not in shown and "password yet" in shown and "Nisse" in shown
    make_student("nina", role="teacher", school=place.school)
    assert "No class yet" in place.browser("nina").get("/teaching/").text
