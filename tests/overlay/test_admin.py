"""Staff take worlds in by a page that shows first what would change; what students know is shape only."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile

from companion_site.accounts.models import Person, School
from companion_site.audit.models import AuditEvent
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from overlay.admin import pack_world
from overlay.importer import export_world
from overlay.models import KnownConcept, KnownEdge
from overlay.params import BOUNDS
from overlay.services import learn_from_text, set_opinion
from overlay.world_files import parse_world
from overlay.worlds import worlds
from tests.cases import cases
from tests.factories import NOW, make_student, open_space
from tests.live import logged_in, logged_in_staff
from tests.overlay.building import CONCEPTS, NAMES, id_of, make_school, named, take_world, written

pytestmark = pytest.mark.spec("G10")

FILES = "/admin/overlay/concept/world-files/"
LATER = NOW + timedelta(days=1)


@pytest.fixture
def staff(committed):
    return logged_in_staff()


@pytest.fixture
def school(committed):
    """Committed, since the admin's lists read by another role."""
    return make_school()


def upload(staff, school, raw):
    return staff.post(FILES, {"school": school.pk, "file": SimpleUploadedFile("world.json", raw)})


def hidden_fields(answer):
    found = re.findall(r'<input type="hidden" name="(school|version|packed)" value="([^"]*)"', answer.text)
    return {name: unescape(value) for name, value in found}


def names_of(school):
    return [concept.name for concept in worlds.get(School.objects.get(pk=school.pk).world_space_id).concepts]


def test_a_file_is_shown_before_it_is_taken_in(staff, school):
    """The first answer tells what would change and changes nothing; the second takes it in, on record."""
    raw = written(concepts=[*CONCEPTS[:3], *named("Dome")], edges=[])
    answer = upload(staff, school, raw)
    words = answer.text
    assert "Dome (c0)" in words and "Lime mortar (mortar)" in words and "arch → keystone: requires" in words
    assert "Dome" not in names_of(school)
    done = staff.post(FILES, hidden_fields(answer), follow=True)
    assert "1 added, 0 changed, 1 removed" in done.text
    assert names_of(school) == ["Round arch", "Dome", "Keystone", "Barrel vault"]
    event = AuditEvent.objects.filter(action="overlay.world_imported").latest("id")
    assert event.actor_id == Person.objects.get(username="root").pk


def test_a_world_changed_meanwhile_is_shown_anew(staff, school):
    """Who applies an older preview sees what would change now, and nothing is written over."""
    answer = upload(staff, school, written(concepts=CONCEPTS[:1], edges=[]))
    take_world(school, concepts=CONCEPTS[:2], edges=[], now=LATER)
    again = staff.post(FILES, hidden_fields(answer))
    assert "changed meanwhile" in again.text and "Round arch (arch)" in again.text
    assert len(names_of(school)) == 2
    staff.post(FILES, hidden_fields(again))
    assert names_of(school) == ["Keystone"]


@cases(
    "packed",
    [
        "",
        "AAAA",
        signing.dumps(parse_world(written()).model_dump(), compress=True),
        pack_world(parse_world(written()))[:-40],
    ],
)
def test_what_no_preview_made_is_not_applied(staff, school, packed):
    """A made-up or damaged hidden field is refused in words."""
    answer = staff.post(FILES, {"school": school.pk, "version": "1", "packed": packed})
    assert answer.status_code == 200 and "could not be understood" in answer.text
    assert len(names_of(school)) == 4


def test_a_world_is_given_out_as_a_file(staff, school):
    """The download is a world file, named by the school's id."""
    answer = staff.get(FILES, {"export": str(school.pk)})
    assert answer["Content-Disposition"] == f'attachment; filename="world-{school.pk}.json"'
    assert parse_world(answer.content) == export_world(school)
    assert json.loads(answer.content)["format"] == "companion-world/1"
    assert staff.get(FILES, {"export": "nobody"}).status_code == 200


def test_a_concept_is_found_by_its_name(staff, school):
    """The list is searched by a part of a name, by key and by id."""
    arch = id_of(worlds.get(school.world_space_id), "arch")
    for words in ("round AR", "arch", str(arch)):
        page = staff.get("/admin/overlay/concept/", {"q": words}).text
        assert "Round arch" in page and "Barrel vault" not in page
    assert "Round arch" not in staff.get("/admin/overlay/concept/", {"q": "nobody"}).text


def test_what_students_know_is_shape_only(staff, school):
    """Staff see that something is known and when; not which concept, and not a word of the notes."""
    person = make_student("ada", school=school).person
    key = open_space(person)
    world = worlds.get(school.world_space_id)
    with unlocked(key.space, key):
        learn_from_text(person, key.space, "a round arch and a keystone", now=NOW)
        set_opinion(person, key.space, id_of(world, "arch"), notes="zebrafinch", now=NOW)
    with space_scope(key.space):
        rows = [*KnownConcept.objects.for_space(key.space), *KnownEdge.objects.for_space(key.space)]
    words = ["zebrafinch", *NAMES, *(str(concept.id) for concept in world.concepts)]
    for row in rows:
        base = f"/admin/overlay/{row._meta.model_name}/"
        for page in (base, f"{base}{row.pk}/change/"):
            answer = staff.get(page)
            assert answer.status_code == 200 and str(row.pk)[-6:] in answer.text
            assert [word for word in words if word in answer.text] == []


def test_a_file_that_cannot_be_taken_in_says_why(staff, school):
    """Every problem is on the page with its place, and nothing was changed; markup in a file is no markup, and one taken in already says so."""
    hidden = written(concepts=named("Key\u200bstone", "ab"), edges=[])
    for raw, told in (
        (b"{", "not JSON"),
        (hidden, "cannot be seen"),
        (b" " * (BOUNDS.file_bytes + 1), "16 MB"),
    ):
        assert told in unescape(upload(staff, school, raw).text)
    markup = upload(staff, school, written(concepts=named("<script>alert(1)</script>"), edges=[])).text
    assert "<script>alert" not in markup and "&lt;script&gt;alert" in markup
    same = upload(staff, school, written())
    assert "already what this file says" in same.text and hidden_fields(same) == {}
    assert len(names_of(school)) == 4


def test_a_concept_is_changed_by_hand(staff, school):
    """Names and description have a form of their own, held to the rules of files, with problems at their fields; what is gone has none."""
    world = worlds.get(school.world_space_id)
    arch, mortar = id_of(world, "arch"), id_of(world, "mortar")
    page = "/admin/overlay/concept/{}/names/".format
    assert "rundbåge" in staff.get(page(arch)).text
    given = {
        "name": "Semicircular arch",
        "aliases": "rundbåge\nvalvbåge",
        "kind": "",
        "description": "Stones.",
    }
    for field, wrong in (
        ("name", "ab"),
        ("name", ""),
        ("name", "keystone"),
        ("aliases", "rundbåge\ntunnvalv"),
    ):
        answer = staff.post(page(arch), {**given, field: wrong})
        assert answer.status_code == 200 and list(answer.context["form"].errors) == [field]
    assert staff.post(page(arch), given).status_code == 302
    assert worlds.get(school.world_space_id).get(arch).names == ("Semicircular arch", "rundbåge", "valvbåge")
    take_world(school, concepts=CONCEPTS[:3], edges=[], now=LATER)
    for concept in (mortar, school.pk, "nobody", "1", "%00"):
        assert staff.get(page(concept)).status_code == 404


@pytest.mark.spec("E2")
def test_worlds_are_for_staff_with_the_permission(committed, school):
    """Nobody else uploads, downloads or renames (for the other roles see tests/site/test_access.py)."""
    make_student("other", role=Person.Role.STAFF)
    concept, client = id_of(worlds.get(school.world_space_id), "arch"), logged_in("other")
    for page in (FILES, f"{FILES}?export={school.pk}", f"/admin/overlay/concept/{concept}/names/"):
        assert client.get(page).status_code == client.post(page, {"school": school.pk}).status_code == 403
