"""The student's pages of packs: which there are, what stands in them, mounting; a stranger's pack is not there."""

import html

import pytest

from companion_site.accounts.models import Person, School
from companion_site.audit.services import record_event
from companion_site.ids import new_id
from companion_site.vault.models import Space
from companion_site.vault.scope import space_scope
from memory.models import Pack, PackNode
from memory.packs import mounts
from memory.packs.mounts import mount, mounted
from memory.packs.removal import remove_pack
from memory.packs.shipped import list_shipped
from memory.packs.signatures import site_signer
from tests.factories import NOW, make_business_user, make_student, open_space
from tests.memory.packs import making
from tests.memory.packs.making import manifest, node, pack_file

pytestmark = [pytest.mark.django_db(databases=["default", "metadata"]), pytest.mark.spec("K6")]
PACKS = "/memory/packs/"
HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">'


def take_in(name="Knots", nodes=None, *, signer=None, **whose) -> Pack:
    about = manifest(id=name.lower(), name=name, description=f"About {name}.")
    return making.take_in(pack_file(nodes, about=about, signer=signer), **whose)


@pytest.fixture
def ada() -> Person:
    return make_student("ada", school=School.objects.create(name="North")).person


def nodes_of(pack):
    with space_scope(pack.space_id):
        return {row.path: row for row in PackNode.objects.for_space(pack.space_id)}


def test_packs_that_are_still_being_taken_in_are_announced(browser, settings):
    """By their names, until they are ready or an administrator has removed them."""
    settings.SHIPPED_PACKS = True
    names = [pack.name for pack in list_shipped()]
    page = html.unescape(browser.get(PACKS).text)
    assert names and all(name in page for name in names)
    assert "being made ready" in page and "There is none for you yet" not in page
    for pack in list_shipped():
        record_event("memory.pack_removed", chain=pack.space, data={}, now=NOW)
    page = browser.get(PACKS).text
    assert "being made ready" not in page and "There is none for you yet" in page


def test_the_page_lists_packs_with_whose_they_are_and_who_signed(browser, ada):
    """Title, description, number of nodes, and in plain words who stands behind it."""
    take_in("Signed", signer=site_signer())
    take_in("Bare", school_id=ada.school_id)
    page = browser.get(PACKS).text
    for words in ("Signed", "About Signed.", "3 things in it", "Signed by this site", "for everybody"):
        assert words in page
    for words in ("Bare", "Not signed: nobody vouches for what it says", "your school&#x27;s"):
        assert words in page


def test_a_strange_signature_is_told_as_one(browser, settings):
    """The key stands there; with the key among the trusted it is said to be."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    pack = take_in(signer=Ed25519PrivateKey.generate())
    page = browser.get(PACKS).text
    assert "Signed by a key that this site does not know" in page and pack.signed_by in page
    settings.PACK_TRUSTED_KEYS = [pack.signed_by]
    assert "Signed by a key that this site trusts" in browser.get(PACKS).text


def test_mounting_and_taking_off(browser, ada):
    """By a button each; the list says what is mounted, and so does the memory."""
    pack, key = take_in(), open_space(ada)
    answer = browser.post(f"{PACKS}{pack.space_id}/mount/", follow=True)
    assert "In use." in answer.text and "Stop using it" in answer.text
    assert [one.space_id for one in mounted(key.space)] == [pack.space_id]
    answer = browser.post(f"{PACKS}{pack.space_id}/unmount/", follow=True)
    assert "No longer in use." in answer.text and mounted(key.space) == []
    assert browser.post(f"{PACKS}{pack.space_id}/unmount/").status_code == 404
    assert browser.get(f"{PACKS}{pack.space_id}/mount/").status_code == 405


def test_too_many_mounts_are_told(browser, ada, monkeypatch):
    monkeypatch.setattr(mounts, "MOST_MOUNTED", 1)
    first, second = take_in("One"), take_in("Two")
    browser.post(f"{PACKS}{first.space_id}/mount/")
    answer = browser.post(f"{PACKS}{second.space_id}/mount/", follow=True)
    assert "reads as many packs as it may" in answer.text
    assert [one.key for one in mounted(ada.space_id)] == ["one"]


def test_what_stands_in_a_pack_can_be_looked_at(browser):
    """Its nodes page by page and by words, each whole, with the nodes it leads to."""
    pack = take_in()
    address = f"{PACKS}{pack.space_id}/"
    before = Space.objects.get(pk=pack.space_id).version
    page = browser.get(address).text
    assert all(label in page for label in ("Closing files", "with statement", "Resource"))
    found = browser.get(address, {"q": "context manager"}).text
    assert "Closing files" in found and "Resource" not in found
    assert "Nothing in it has “zebra”" in browser.get(address, {"q": "zebra"}).text
    row = nodes_of(pack)["skill.python.files"]
    one = browser.get(f"{address}{row.pk}/").text
    assert "A context manager closes a file whatever happens." in one
    assert f'href="{address}{nodes_of(pack)["concept.resource"].pk}/"' in one
    assert Space.objects.get(pk=pack.space_id).version == before


def test_many_nodes_come_page_by_page(browser):
    pack = take_in(nodes=[node(f"fact.n{number:03}") for number in range(90)])
    address = f"{PACKS}{pack.space_id}/"
    first, last = browser.get(address).text, browser.get(address, {"page": "3"}).text
    assert "fact.n000" in first and "fact.n089" not in first and "Page 1 of 3" in first
    assert "fact.n089" in last and browser.get(address, {"page": "x"}).status_code == 200


def test_a_pack_s_words_are_words(browser):
    """Markup in any part of it is written out; endless words in a search are taken as they come."""
    nodes = [
        node(
            "evil",
            label=HOSTILE,
            payload={"definition": HOSTILE, "code": HOSTILE, HOSTILE: HOSTILE},
            tags=[HOSTILE],
        )
    ]
    pack = take_in(name="Evil", nodes=nodes)
    address = f"{PACKS}{pack.space_id}/"
    row = nodes_of(pack)["evil"]
    for where in (address, f"{address}{row.pk}/", PACKS):
        text = browser.get(where).text
        assert "<script>alert" not in text and "<img src=x" not in text
    assert "&lt;script&gt;alert(1)" in browser.get(f"{address}{row.pk}/").text
    for words in ("x" * 10_000, "' OR 1=1 --", HOSTILE):
        assert browser.get(address, {"q": words}).status_code == 200


@pytest.mark.spec("E2")
def test_a_stranger_s_pack_is_not_there(browser, ada):
    """Neither another's own, another school's or a company's, nor one that is not ready, nor what is no pack."""
    eve, firm = make_student("eve").person, make_business_user("bo").company
    south = School.objects.create(name="South")
    there = take_in("Mine", owner=ada)
    unready = take_in("Unready")
    with space_scope(unready.space_id):
        Pack.objects.for_space(unready.space_id).update(state=Pack.State.EMBEDDING)
    theirs = [
        take_in("Theirs", owner=eve),
        take_in("South", school_id=south.pk),
        take_in("Firm", company_id=firm.pk),
        unready,
    ]
    page = browser.get(PACKS).text
    assert "About Mine." in page and not any(f"About {pack.name}." in page for pack in theirs)
    spaces = [(pack.space_id, next(iter(nodes_of(pack).values())).pk) for pack in theirs]
    spaces += [(eve.space_id, new_id()), (new_id(), new_id()), (ada.space_id, new_id())]
    for space, row in spaces:
        for answer in (
            browser.get(f"{PACKS}{space}/"),
            browser.get(f"{PACKS}{space}/{row}/"),
            browser.post(f"{PACKS}{space}/mount/"),
            browser.post(f"{PACKS}{space}/unmount/"),
        ):
            assert answer.status_code == 404, space
    other = nodes_of(theirs[0])
    assert browser.get(f"{PACKS}{there.space_id}/{next(iter(other.values())).pk}/").status_code == 404
    assert mounted(ada.space_id) == []


def test_what_was_mounted_and_is_gone_can_be_taken_off(browser, ada):
    """A pack that was removed still stands in the list, as one that is gone."""
    pack = take_in()
    mount(open_space(ada), pack.space_id, person=ada, now=NOW)
    remove_pack(pack.space_id, actor=None, now=NOW)
    page = browser.get(PACKS).text
    assert "Used, and not there any more" in page
    answer = browser.post(f"{PACKS}{pack.space_id}/unmount/", follow=True)
    assert "not there any more" not in answer.text
