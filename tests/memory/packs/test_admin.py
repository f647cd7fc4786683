"""Packs in the admin: taken in with progress, removed once that is confirmed, seen by their shape only."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from companion_site.accounts.models import Person, School
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode
from memory.packs.uploads import import_waiting
from tests.cases import cases
from tests.factories import make_student
from tests.live import logged_in, logged_in_staff
from tests.memory.packs.making import PASSPHRASE, NumbersEmbedder, line, pack_file, take_in, with_lines

pytestmark = pytest.mark.spec("K6")
UPLOAD = "/admin/memory/pack/upload/"


@pytest.fixture
def staff(committed):
    return logged_in_staff()


def send(client, file, **fields):
    upload = SimpleUploadedFile("x.kpack", file.getvalue())
    return client.post(UPLOAD, {"file": upload, "passphrase": PASSPHRASE, **fields})


def test_a_pack_is_taken_in_with_progress(staff):
    """The page leads to one that tells how far the worker is and asks again by itself until the pack is ready, or tells why it is not."""
    school = School.objects.create(name="North")
    answer = send(staff, pack_file(), school=school.pk)
    assert answer.status_code == 302
    space = Space.objects.get(kind="pack")
    assert space.school_id == school.pk
    page = staff.get(answer.url).text
    assert 'hx-select="#pack-progress"' in page and "<progress" in page and "Python core" in page
    import_waiting(space.pk, embedder=NumbersEmbedder())
    page = staff.get(answer.url).text
    assert 'hx-select="#pack-progress"' not in page and "3 nodes, 2 links" in page
    answer = send(staff, with_lines(line("fact.a"), line("fact.a")))
    import_waiting(Space.objects.get(kind="pack", school_id=None).pk, embedder=NumbersEmbedder())
    page = staff.get(answer.url).text
    assert "Node 2" in page and 'hx-select="#pack-progress"' not in page
    assert staff.get("/admin/memory/pack/upload/00000000-0000-0000-0000-000000000000/").status_code == 404


@cases(
    ("file", "passphrase", "told"),
    [
        (pack_file, "another", "does not open"),
        (pack_file, "", "does not open"),
        (lambda: pack_file().__class__(b"PK\x03\x04 no pack"), PASSPHRASE, "no knowledge pack"),
    ],
)
def test_what_shows_at_once_is_told_on_the_form(staff, file, passphrase, told):
    """The form says why, and nothing is written."""
    page = send(staff, file(), passphrase=passphrase)
    assert page.status_code == 200 and told in page.text
    assert passphrase == "" or passphrase not in page.text
    assert not Space.objects.filter(kind="pack").exists()


def test_a_pack_is_removed_once_that_is_confirmed(staff):
    """Until then the lists and the page of a node tell its shape; its path, label and words are not among it."""
    pack = take_in()
    with space_scope(pack.space_id):
        row = PackNode.objects.for_space(pack.space_id).get(position=2)
    for page in ("", f"{row.pk}/change/"):
        text = staff.get(f"/admin/memory/packnode/{page}").text
        assert "Skill" in text and "skill.python" not in text and "Closing" not in text
    address = f"/admin/memory/pack/{pack.pk}/remove/"
    assert "Python core" in staff.get(address).text
    assert Space.objects.filter(pk=pack.space_id).exists()
    staff.post(address)
    assert not Space.objects.filter(pk=pack.space_id).exists()
    assert staff.get(address).status_code == 404


def test_packs_are_for_staff(committed):
    """Nobody else takes a pack in, looks at one being taken in, or removes one."""
    pack = take_in()
    for role in (Person.Role.STUDENT, Person.Role.TEACHER):
        make_student(role.value, role=role)
        client = logged_in(role.value)
        for address in (UPLOAD, f"{UPLOAD}{pack.space_id}/", f"/admin/memory/pack/{pack.pk}/remove/"):
            assert client.get(address).status_code in (302, 403)
            assert client.post(address).status_code in (302, 403)
    assert Pack.objects.using("metadata").count() == 1
