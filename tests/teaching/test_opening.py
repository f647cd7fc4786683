"""Teachers open concepts for a class or a student, take them back, and are offered what a lesson names."""

import pytest

from companion_site.accounts.models import School
from companion_site.ids import new_id
from companion_site.vault.scope import space_scope
from overlay import teacher_views
from overlay.models import Opening
from overlay.selectors import standing_openings
from overlay.worlds import world_of
from tests.factories import NOW
from tests.overlay.building import named, take_world

pytestmark = pytest.mark.spec("G10")


@pytest.fixture
def world(place):
    """Give the school of Tove a world of three concepts; return their ids by name."""
    take_world(place.school, concepts=named("Photosynthesis", "Osmosis", "Mitosis", kind="idea"), edges=[])
    return {concept.name: concept.id for concept in world_of(place.tove).concepts}


def for_class(place):
    return f"/teaching/concepts/classes/{place.school_class.pk}/"


def for_ada(place):
    return f"/teaching/concepts/students/{place.ada.pk}/"


def openings(place):
    with space_scope(place.school.world_space_id):
        rows = Opening.objects.for_space(place.school.world_space_id).standing()
        return {(row.concept_id, row.school_class_id, row.person_id, row.how) for row in rows}


def known(student):
    student.refresh_from_db()
    return set(standing_openings(student, now=NOW.replace(year=2100)))


def test_a_concept_is_opened_for_a_class_and_taken_back(place, world, tove):
    """Every student of the class may hear of it, nobody else; doing it twice changes nothing. The page lists what is open and offers
    to take it back; another audience's opening is not theirs to take."""
    assert "Osmosis" in tove.get(for_class(place)).text
    for _ in range(2):
        answer = tove.post(for_class(place), {"do": "open", "concepts": [world["Osmosis"]]}, follow=True)
        assert "1 concept is open." in answer.text
    assert openings(place) == {(world["Osmosis"], place.school_class.pk, None, "teacher")}
    assert known(place.ada) == known(place.elsa) == {world["Osmosis"]} and known(place.olle) == set()
    with space_scope(place.school.world_space_id):
        opening = Opening.objects.for_space(place.school.world_space_id).get().pk
    retract = f"{for_class(place)}{opening}/retract/"
    assert retract in tove.get(for_class(place)).text
    assert tove.post(f"{for_ada(place)}{opening}/retract/").status_code == 404
    assert "Taken back." in tove.post(retract, follow=True).text
    assert openings(place) == set() and tove.post(retract).status_code == 404


def test_a_concept_is_opened_for_a_student(place, world, tove):
    """Several at once, for one student alone. The page of a school without a world says so; and no page offers to open what there is not."""
    chosen = [world["Osmosis"], world["Mitosis"]]
    page = tove.post(for_ada(place), {"do": "open", "concepts": chosen}, follow=True).text
    assert "2 concepts are open." in page
    assert known(place.ada) == set(chosen) and known(place.elsa) == set()
    School.objects.filter(pk=place.school.pk).update(world_space_id=None)
    assert "No world graph yet" in tove.get(for_class(place)).text
    assert "/teaching/concepts/" not in tove.get(f"/teaching/classes/{place.school_class.pk}/").text


def test_a_lesson_leads_to_the_concepts_it_names(place, world, tove):
    """Recording a lesson that introduced something goes on to its concepts, chosen by the lesson's words; one step opens
    them, marked as a lesson's. No address along the way holds a word of the lesson."""
    lesson = {
        "id": str(new_id()),
        "title": "Plants",
        "taught": "We looked at photosynthesis in leaves.",
        "introduces": "on",
    }
    answer = tove.post(f"/teaching/classes/{place.school_class.pk}/lessons/", lesson)
    assert (answer.status_code, answer.url) == (307, for_class(place))
    page = tove.post(answer.url, lesson).text
    assert f'value="{world["Photosynthesis"]}" checked' in page
    assert f'value="{world["Osmosis"]}" checked' not in page and "Sealed and sent" in page
    tove.post(answer.url, {"do": "open", "how": "lesson", "concepts": [world["Photosynthesis"]]})
    assert openings(place) == {(world["Photosynthesis"], place.school_class.pk, None, "lesson")}


def test_concepts_are_found_by_name_and_choices_stay(place, world, tove, monkeypatch):
    """In a world larger than a page the search narrows the list, and what was ticked stays ticked; with no tick, something that is no
    id, and a concept of no world the page asks, and opens none."""
    for concepts in ([], ["no id"], [str(new_id())]):
        answer = tove.post(for_class(place), {"do": "open", "concepts": concepts})
        assert answer.status_code == 200 and "Choose a concept first." in answer.text, concepts
    monkeypatch.setattr(teacher_views, "OFFERED", 1)
    assert "2 more; find them by their names." in tove.get(for_class(place)).text
    page = tove.post(for_class(place), {"do": "find", "find": "  MITO ", "concepts": [world["Osmosis"]]}).text
    assert f'value="{world["Osmosis"]}" checked' in page
    assert openings(place) == set()
    page = tove.post(for_class(place), {"do": "find", "find": "mito"}).text
    assert str(world["Mitosis"]) in page and str(world["Osmosis"]) not in page


@pytest.mark.usefixtures("strangers")
@pytest.mark.spec("E2")
def test_only_the_students_teachers_open_concepts(place, world):
    """Students, other teachers, auditors and staff find no such page."""
    for username in ("ada", "eva", "ulla", "root", "bo"):
        browser = place.browser(username)
        for address in (for_class(place), for_ada(place)):
            assert browser.post(address, {"do": "open", "concepts": [world["Osmosis"]]}).status_code == 404
    assert openings(place) == set()
