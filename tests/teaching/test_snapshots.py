"""What a student shares with a teacher: sealed until the teacher opens it, gone when it is taken back before."""

import re
from html import unescape

import pytest
from django.urls import reverse

from companion_site.accounts.models import Person
from companion_site.audit.models import AuditEvent
from companion_site.ids import new_id
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from companion_site.vault.sessions import COOKIE
from memory.student.snapshots import share_snapshot
from memory.teaching.services import observe
from memory.teaching.snapshots import Block, lay_out, list_received
from tests.cases import cases
from tests.factories import NOW, access_of, make_student
from tests.memory.student.pages.conftest import remember
from tests.teaching.conftest import join
from tests.vault.test_inbox import stored

pytestmark = pytest.mark.spec("G14")

LIST = "/teaching/snapshots/"
WORDS = "I find recursion very hard, zebrafinches too"


@pytest.fixture
def ada(place):
    return place.browser("ada")


@pytest.fixture
def box(place, tove) -> SealedBox:
    """A snapshot that waits for Tove."""
    return share_snapshot(place.ada, place.tove.pk, text=f"Struggles\n- {WORDS}", now=NOW)


def address(box):
    return f"{LIST}{box.pk}/"


def said(answer):
    """Return the words of the snapshot as the page shows it."""
    (article,) = re.findall(r"<article.*?</article>", answer.text, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", article)).split()


def test_a_teacher_reads_what_the_student_was_shown(place, tove, ada):
    """From the student's pages to the teacher's: listed without a word, opened by a button, then there to read again."""
    access = access_of(place.ada)
    remember(access, WORDS, valence=-0.5, confidence=0.5)
    remember(access, "Reading maps comes easily to me", valence=0.5)
    asked = {"teacher": place.tove.pk, "sections": ["struggles"]}
    shown = ada.get(reverse("memory:share"), asked).context
    assert f"Perhaps: {WORDS}" in shown["text"] and "maps" not in shown["text"]
    assert ada.post(reverse("memory:share"), {**asked, "digest": shown["digest"]}).status_code == 302
    (box,) = list_received(place.tove)
    assert b"zebra" not in bytes(box.sealed_text)
    assert "1 new" in tove.get("/teaching/").text
    listed = tove.get(LIST).text
    assert address(box) in listed and "Ada" in listed and "not opened yet" in listed and "zebra" not in listed
    closed = tove.get(address(box))
    assert "can no longer take it back" in closed.text and "zebra" not in closed.text
    assert tove.post(address(box)).url == address(box)
    for _ in range(2):
        opened = tove.get(address(box))
        assert f"{WORDS}</li>" in opened.text
        assert said(opened) == re.sub(r"(?m)^- ", "", shown["text"]).split()
        assert "no-store" in opened["Cache-Control"]
    assert "opened" in tove.get(LIST).text and "1 new" not in tove.get("/teaching/").text
    assert not any("zebra" in str(event.data) for event in AuditEvent.objects.all())


def test_once_opened_the_student_cannot_take_it_back(box, tove, ada):
    """Looking opens nothing: a link followed, or fetched ahead by a browser, leaves the right to take it back. The first opening is the
    one that counts, and stands in the record of the teacher's space once."""
    assert tove.get(LIST).status_code == tove.get(address(box)).status_code == 200
    assert tove.head(address(box)).status_code == 200
    assert stored(box).opened_at is None
    tove.post(address(box))
    first = stored(box).opened_at
    tove.post(address(box))
    assert ada.post(reverse("memory:retract", args=[box.pk])).status_code == 409
    page = ada.get(reverse("memory:progress")).text
    assert "opened" in page and "Tove" in page and "Take it back" not in page
    after = stored(box)
    assert (after.opened_at, after.retracted_at) == (first, None) and WORDS in tove.get(address(box)).text
    events = AuditEvent.objects.filter(chain=box.space_id, action="vault.box_opened", subject_id=box.pk)
    assert events.count() == 1 and "zebra" not in str(events.get().data)


def test_what_was_taken_back_says_so(box, tove, ada):
    """A page still open on it tells plainly what happened; the list does not keep it, and its words are gone."""
    assert "Take it back" in ada.get(reverse("memory:progress")).text
    ada.post(reverse("memory:retract", args=[box.pk]))
    for answer in (tove.get(address(box)), tove.post(address(box))):
        assert answer.status_code == 410 and "Ada took this back" in answer.text
    assert (stored(box).opened_at, stored(box).sealed_text) == (None, None)
    assert address(box) not in tove.get(LIST).text and "1 new" not in tove.get("/teaching/").text


@pytest.mark.parametrize(
    "damage", [lambda sealed: sealed[:-1], lambda sealed: sealed[:10], lambda _: b"x" * 2000]
)
def test_a_damaged_one_does_not_count_as_opened(box, tove, ada, damage):
    """Nobody has read it, so the student can still take it back; of one that was opened, only ask for another."""
    with space_scope(box.space_id):
        rows = SealedBox.objects.for_space(box.space_id).filter(pk=box.pk)
        rows.update(sealed_text=damage(bytes(rows.get().sealed_text)))
    answer = tove.post(address(box))
    assert answer.status_code == 409 and "Please ask Ada to take it back" in answer.text
    assert stored(box).opened_at is None
    with space_scope(box.space_id):
        rows.update(opened_at=NOW)
    assert "Please ask Ada to share a new one" in tove.get(address(box)).text
    with space_scope(box.space_id):
        rows.update(opened_at=None)
    assert ada.post(reverse("memory:retract", args=[box.pk])).status_code == 302


def test_a_locked_space_opens_nothing(box, tove):
    """Without the cookie's half of the key the way leads to a new log-in; that something is there can still be seen."""
    del tove.cookies[COOKIE]
    assert "Ada" in tove.get(LIST).text
    for answer in (tove.get(address(box)), tove.post(address(box))):
        assert answer.url == reverse("accounts:locked")
    assert stored(box).opened_at is None


@pytest.mark.usefixtures("strangers")
def test_to_all_others_there_is_nothing(place, box):
    """To others than teachers the pages do not exist: the student who shared it reads it there as little as anybody. Neither does it to
    a teacher of the same class or of another school; ids that are no snapshots are as unknown; and another student takes none back."""
    for username in ("ada", "elsa", "bo", "ulla", "root"):
        browser = place.browser(username)
        for answer in (browser.get(LIST), browser.get(address(box)), browser.post(address(box))):
            assert answer.status_code == 404, username
    join(make_student("nina", role=Person.Role.TEACHER, school=place.school).person, place.school_class)
    for username in ("nina", "eva"):
        browser = place.browser(username)
        assert "Nothing shared with you yet" in browser.get(LIST).text
        assert browser.get(address(box)).status_code == browser.post(address(box)).status_code == 404
    observed = observe(place.tove, place.ada, observation_id=new_id(), text="Draws", now=NOW)
    for wrong in (observed.pk, place.ada.pk):
        assert place.browser("tove").post(f"{LIST}{wrong}/").status_code == 404
    elsa = place.browser("elsa")
    assert elsa.post(reverse("memory:retract", args=[box.pk])).status_code == 404
    assert str(box.pk) not in elsa.get(reverse("memory:progress")).text
    assert (stored(box).opened_at, stored(box).retracted_at) == (None, None)


def test_a_student_s_page_shows_what_that_student_shared(place, box, tove):
    """Theirs and nobody else's, without a word of it. It was shared with this teacher, not with the class: it stays when they leave it."""
    shown = tove.get(f"/teaching/students/{place.ada.pk}/").text
    assert address(box) in shown and "zebra" not in shown
    assert address(box) not in tove.get(f"/teaching/students/{place.elsa.pk}/").text
    place.ada.classes.clear()
    tove.post(address(box))
    assert WORDS in tove.get(address(box)).text


@cases(
    ("text", "blocks"),
    [
        ("A\nB\n\nC\n- d\n- e", [Block(["A", "B"], []), Block(["C"], ["d", "e"])]),
        ("C\n- d\nand more\n- e", [Block(["C"], ["d\nand more", "e"])]),
        ("- d\n\n\n\nx", [Block([], ["d"]), Block(["x"], [])]),
        ("", []),
    ],
)
def test_a_text_is_laid_out_without_losing_a_line(text, blocks):
    """Lines stay lines and items items, also where a memory has several lines."""
    assert lay_out(text) == blocks
