"""The student's map: what is known by name, everything else as fog that tells nothing."""

import re
from datetime import timedelta
from html import unescape
from xml.etree import ElementTree

import pytest

from companion_site.accounts.models import Person
from companion_site.vault import unlocked
from overlay.models import Opening
from overlay.params import PARAMS
from overlay.picture import label_lines
from overlay.selectors import load_known
from overlay.services import open_concept, set_opinion
from overlay.worlds import worlds
from tests.cases import cases
from tests.factories import NOW, make_access, make_business_user, make_student
from tests.live import logged_in
from tests.overlay.building import CONCEPTS, NAMES, id_of, make_school, meet, named, take_world

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G10")]

LATER = NOW + timedelta(days=1)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def knowing(ada):
    """Ada, who has met the round arch."""
    meet(ada, "A round arch!")
    return ada


@pytest.fixture
def browser(ada):
    return logged_in("ada")


def row_of(access, world, key):
    with unlocked(access.space, access.key):
        return load_known(access.space)[id_of(world, key)]


def picture_in(answer):
    (svg,) = re.findall(r"<svg class=\"map__picture.*?</svg>", answer.text, re.DOTALL)
    return ElementTree.fromstring(svg)  # noqa: S314 - our own page


def drawn_names(answer):
    return {title.text.partition(":")[0] for title in picture_in(answer).iter(f"{SVG}title")}


def leaks(text, world, known=("arch",)):
    """Return every name, key and id of an unknown concept that a page holds."""
    said = unescape(text).casefold()
    unknown = [concept for concept in world.concepts if concept.key not in known]
    words = [word for concept in unknown for word in (*concept.names, str(concept.id), concept.id.hex)]
    words += [concept.key for concept in unknown]
    return [word for word in words if re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", said)]


def test_a_kind_that_is_unknown_itself_is_not_named(knowing, browser, school):
    """Where a concept's kind is a concept still in the fog, the list does not tell it."""
    take_world(school, concepts=[*CONCEPTS, *named("Building")], now=LATER)
    assert "Building" not in browser.get("/map/").text
    meet(knowing, "a building", now=LATER)
    assert '<h3 class="known__kind">Building</h3>' in browser.get("/map/").text


def test_fog_is_one_shape(knowing, browser):
    """No element stands for one unknown concept: all fog is one path, all edges into it another."""
    svg = picture_in(browser.get("/map/"))
    assert [node.tag for node in svg] == [f"{SVG}path"] * 4 + [f"{SVG}a"]
    fog, into_fog, *_ = (node.get("d") for node in svg.iter(f"{SVG}path"))
    assert fog.count("M") == 3 and into_fog.count("M") == 3
    assert {name for node in svg.iter(f"{SVG}path") for name in node.attrib} == {"class", "d"}


def test_discovered_edges_are_drawn_as_such(ada, browser):
    """An edge between known concepts is one still to be found until both are named together."""
    meet(ada, "keystone", "round arch")
    assert lines_of(browser) == {"discovered": 0, "undiscovered": 1}
    meet(ada, "round arch and keystone")
    assert lines_of(browser) == {"discovered": 1, "undiscovered": 0}


def lines_of(browser):
    paths = picture_in(browser.get("/map/")).iter(f"{SVG}path")
    by_class = {path.get("class").rpartition("--")[2]: path.get("d").count("L") for path in paths}
    return {name: by_class[name] for name in ("discovered", "undiscovered")}


def test_size_is_familiarity_and_colour_is_attitude(knowing, browser, world):
    """A concept that is better known is drawn larger, one that is liked in another colour; the words say the same."""

    def drawn():
        (link,) = picture_in(browser.get("/map/")).iter(f"{SVG}a")
        circle = link.find(f"{SVG}circle")
        return link.get("class"), int(circle.get("r")), "".join(link.itertext())

    mood, radius, words = drawn()
    with unlocked(knowing.space, knowing.key):
        set_opinion(
            knowing.person, knowing.space, id_of(world, "arch"), attitude=1.0, familiarity=1.0, now=LATER
        )
    new_mood, new_radius, new_words = drawn()
    assert (mood, new_mood) == ("plate plate--2", "plate plate--4")
    assert new_radius > radius
    assert "I love it" in new_words and "could explain" in new_words and "love" not in words


@cases(
    "wrong",
    [{"attitude": "5"}, {"attitude": "-1"}, {"attitude": "nan"}, {"familiarity": ""}, {"notes": "x" * 2_001}],
)
def test_a_form_that_does_not_add_up_changes_nothing(knowing, browser, world, wrong):
    """A made-up step and overlong notes come back with what is wrong."""
    known = row_of(knowing, world, "arch")
    given = {"attitude": "4", "familiarity": "4", "notes": "", **wrong}
    answer = browser.post(f"/map/{known.id}/", given)
    assert answer.status_code == 200 and list(answer.context["form"].errors) == list(wrong)
    assert row_of(knowing, world, "arch") == known


def test_a_concept_taken_out_of_the_world_stays_in_the_list(knowing, browser, school, world):
    """What was known when it went is kept with its name, and says so; the map no longer draws it."""
    take_world(school, concepts=[CONCEPTS[0]], edges=[], now=LATER)
    answer = browser.get("/map/")
    assert "Round arch" in answer.text and "map__picture" not in answer.text
    details = browser.get(f"/map/{row_of(knowing, world, 'arch').id}/")
    assert details.status_code == 200 and "stays yours" in details.text
    assert leaks(details.text, worlds.get(school.world_space_id)) == []


def test_of_a_large_world_the_neighbourhood_is_drawn(db):
    """Beyond what one page can show, the map holds the known and what touches it, and says that there is more."""
    count = PARAMS.map_concepts + 500
    concepts = [{"id": f"c{n}", "name": f"Notion {n:05}"} for n in range(count)]
    edges = [{"source": f"c{n}", "target": f"c{n - 1}", "type": "requires"} for n in range(1, count)]
    school = make_school("South", concepts=concepts, edges=edges)
    access = make_access("cleo", school=school)
    meet(access, "notion 00700")
    answer = logged_in("cleo").get("/map/")
    assert drawn_names(answer) == {"Notion 00700"} and "there is more beyond" in answer.text
    fog = next(picture_in(answer).iter(f"{SVG}path")).get("d")
    assert fog.count("M") == 2
    assert re.findall(r"Notion \d+", answer.text.replace("Notion 00700", "")) == []


@cases("name", [*NAMES, "x" * 200, "Newton's first law of motion, as taught in schools", "a b c"])
def test_a_label_fits_its_place(name):
    """A name has one or two lines of at most 18 characters; what is cut off shows that it is."""
    lines = label_lines(name)
    assert 1 <= len(lines) <= 2 and all(0 < len(line) <= 18 for line in lines)
    assert " ".join(lines) == name or lines[-1].endswith("…")


def test_the_map_names_what_is_known_and_nothing_else(ada, browser, school, school_class, world):
    """First all is fog, with a way on; then each known concept has a link with its name, and no page holds an unknown name, key or id, in any attribute."""
    fresh = browser.get("/map/").text
    assert "map__picture" not in fresh and "/chat/" in fresh and leaks(fresh, world, known=()) == []
    meet(ada, "A round arch!")
    answer, place = browser.get("/map/"), f"/map/{row_of(ada, world, 'arch').id}/"
    assert drawn_names(answer) == {"Round arch"} and place in answer.text
    assert str(id_of(world, "arch")) not in answer.text
    details, alone = browser.get(place).text, browser.get(f"{place}?part=details").text
    assert "lean on one another" in details and "into the fog" in details
    assert alone.lstrip().startswith("<article") and "<html" not in alone
    assert [leaks(text, world) for text in (answer.text, details, alone)] == [[], [], []]
    open_concept(school_class, id_of(world, "vault"), by=None, how=Opening.How.TEACHER, now=NOW)
    assert drawn_names(browser.get("/map/")) == {"Round arch", "Barrel vault"}


def test_an_opinion_is_given_by_a_form(knowing, browser, world):
    """Without scripts the form saves words as numbers; a value between two words is not rounded by saving notes, which are shown as text."""
    known = row_of(knowing, world, "arch")
    page = f"/map/{known.id}/"
    given = {"attitude": "4", "familiarity": "0", "notes": "<script>alert(1)"}
    answer = browser.post(page, given)
    assert (answer.status_code, answer.url) == (302, page)
    after = row_of(knowing, world, "arch")
    assert (after.attitude, after.familiarity, after.notes) == (1.0, known.familiarity, given["notes"])
    assert "&lt;script&gt;alert(1)" in browser.get(page).text
    browser.post(page, {**given, "familiarity": "3"})
    assert row_of(knowing, world, "arch").familiarity == 0.75


@pytest.mark.spec("E2")
def test_a_map_is_its_student_s_alone(knowing, browser, school, world):
    """Another student's row and an id of the world are not found, to read and to write; other roles have no map, who has no school an empty one, and a locked space asks for the log-in."""
    page = f"/map/{row_of(knowing, world, 'arch').id}/"
    make_access("bea", school=school)
    given = {"attitude": "4", "familiarity": "4", "notes": ""}
    for address in (page, f"/map/{id_of(world, 'arch')}/"):
        stranger = logged_in("bea")
        assert stranger.get(address).status_code == stranger.post(address, given).status_code == 404
    assert row_of(knowing, world, "arch").attitude == 0.0
    for role in (Person.Role.TEACHER, Person.Role.AUDITOR, Person.Role.STAFF):
        make_student(f"other-{role}", role=role)
    make_business_user("other-business")
    for role in set(Person.Role) - {Person.Role.STUDENT}:
        client = logged_in(f"other-{role}")
        assert {client.get(address).status_code for address in ("/map/", page)} == {404}
    make_student("cleo")
    assert logged_in("cleo").get("/map/").status_code == 200
    del browser.cookies["companion_key"]
    assert {browser.get(address).url for address in ("/map/", page)} == {"/locked/"}
