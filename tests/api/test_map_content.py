"""A student's map over the REST API: what is known by its name, and not a word of what is not."""

import pytest

from companion_site.accounts.models import ClassMembership, School, SchoolClass
from companion_site.vault import unlocked
from overlay.models import Opening
from overlay.selectors import load_known
from overlay.services import open_concept
from overlay.worlds import world_of
from tests.api.conftest import make_program
from tests.api.content import problem
from tests.audit.record import events
from tests.factories import NOW, make_access
from tests.overlay.building import CONCEPTS, NAMES, id_of, make_school, meet, take_world

pytestmark = [pytest.mark.django_db, pytest.mark.spec("K10")]


class Learner:
    """A program, and the student of a school with a world."""

    def __init__(self, username: str = "ada", *, school: School | None = None) -> None:
        self.school = school or School.objects.create(name="North")
        self.access = make_access(username, school=self.school)
        self.class_ = SchoolClass.objects.create(school=self.school, name=f"{username}'s")
        ClassMembership.objects.create(school_class=self.class_, person=self.access.person)
        self.program = make_program(self.access)

    def known(self) -> dict[str, object]:
        """Return the rows of what is known, by name."""
        with unlocked(self.access.space, self.access.key):
            world = world_of(self.access.person)
            return {world.get(known.concept).name: known for known in load_known(self.access.space).values()}

    def concepts(self, query: str = "") -> dict[str, dict]:
        items = self.program.get(f"map/concepts{query}").json()["items"]
        return {item["name"]: item for item in items}


@pytest.fixture
def ada(db) -> Learner:
    school = make_school()
    learner = Learner(school=school)
    meet(learner.access, "A round arch needs a keystone")
    return learner


def test_known_concepts_are_told_as_they_stand(ada):
    """Name, how it came, since when, and the student's own numbers; the id is their row's, and the world's is nobody's."""
    told, rows = ada.concepts(), ada.known()
    assert told.keys() == rows.keys() == {"Round arch", "Keystone"}
    for name, row in rows.items():
        item = told[name]
        assert item["id"] == str(row.id) != str(row.concept)
        assert (item["how"], item["attitude"]) == ("person", row.attitude)
        assert item["familiarity"] == pytest.approx(row.familiarity)
        assert item["known_at"] == "2026-03-02T14:05:00Z"
    for key in ("arch", "mortar"):
        concept = id_of(world_of(ada.access.person), key)
        problem(ada.program.get(f"map/concepts/{concept}"), 404, "not-found")


def test_what_is_unknown_is_named_nowhere(ada):
    """Neither on the map, nor in a list, nor in the description or among the neighbours of what is known."""
    met = ada.concepts()
    hidden = {
        name for entry in CONCEPTS if entry["name"] not in met for name in (entry["name"], *entry["aliases"])
    }
    assert len(hidden) == 4 and hidden < set(NAMES)
    one = ada.program.get(f"map/concepts/{met['Round arch']['id']}")
    assert "Keystone" in one.json()["description"]
    for answer in (ada.program.get("map"), ada.program.get("map/concepts"), one):
        assert not [name for name in hidden if name.casefold() in answer.text.casefold()]
    assert one.json()["has_fog"] is True
    assert [(item["name"], item["discovered"]) for item in one.json()["neighbours"]] == [("Keystone", True)]


def test_the_map_has_a_place_for_each(ada):
    """Every known concept within the picture, the rest as one shape of fog; where nothing is known it is empty, whether there is a world or not."""
    told = ada.program.get("map").json()
    assert {(place["name"], place["id"]) for place in told["concepts"]} == {
        (name, item["id"]) for name, item in ada.concepts().items()
    }
    for place in told["concepts"]:
        assert 0 <= place["x"] <= told["width"] and 0 <= place["y"] <= told["height"] and place["radius"] > 0
    assert told["fog"] and told["discovered"] and told["is_part"] is False
    fresh, elsewhere = Learner("bea", school=ada.school), Learner("cai")
    assert fresh.program.get("map").json() == elsewhere.program.get("map").json()
    assert fresh.concepts() == elsewhere.concepts() == {}


def test_what_a_teacher_opens_is_known(ada):
    """To the students of the class, from the next request on; it is asked for by how it came."""
    vault = id_of(world_of(ada.access.person), "vault")
    open_concept(ada.class_, vault, by=None, how=Opening.How.TEACHER, now=NOW)
    assert ada.concepts(f"?how={Opening.How.TEACHER}").keys() == {"Barrel vault"}
    assert ada.concepts("?how=person").keys() == {"Round arch", "Keystone"}


def test_an_opinion_is_written_down(ada):
    """What is sent is changed and what is left out stays; on record without a word."""
    arch = ada.concepts()["Round arch"]["id"]
    path = f"map/concepts/{arch}"
    before = ada.program.get(path).json()
    told = ada.program.ask("PATCH", path, {"attitude": -0.5, "notes": "  The lab was fun. "}).json()
    assert told == {**before, "attitude": -0.5, "notes": "The lab was fun."} == ada.program.get(path).json()
    assert ada.program.ask("PATCH", path, {"familiarity": 1}).json() == {**told, "familiarity": 1.0}
    assert ada.program.ask("PATCH", path, {"notes": ""}).json()["notes"] == ""
    found = events(ada.access.space, "overlay.opinion_set")
    assert [(str(event.subject_id), event.data) for event in found] == [(arch, {})] * 3


def test_a_concept_that_was_taken_out_of_the_world_stays_with_who_knew_it(ada):
    """Told as retired, by its name; nobody's map shows it any more."""
    arch = ada.concepts()["Round arch"]["id"]
    take_world(ada.school, concepts=[concept for concept in CONCEPTS if concept["id"] != "arch"], edges=[])
    told = ada.program.get(f"map/concepts/{arch}").json()
    assert told["name"] == "Round arch" and told["retired"] is True
    assert "Round arch" not in {place["name"] for place in ada.program.get("map").json()["concepts"]}
