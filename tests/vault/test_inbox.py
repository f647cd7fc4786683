"""Sealed boxes: whoever writes cannot read, whoever owns can, and nothing opens in another's place."""

from datetime import timedelta

import pytest
from django_q.models import OrmQ

from companion_site.accounts import services as accounts
from companion_site.accounts.models import Person
from companion_site.accounts.services import personal_space
from companion_site.audit.models import AuditEvent
from companion_site.audit.services import find_breaks
from companion_site.errors import BoxBroken
from companion_site.ids import new_id
from companion_site.vault import inbox
from companion_site.vault.errors import BoxTaken, NoInbox, SpaceClosed, StatementDiffers
from companion_site.vault.inbox_keys import public_key
from companion_site.vault.models import InboxKey, SealedBox, Space
from companion_site.vault.scope import space_scope
from companion_site.vault.services import grant_lease
from tests.audit.record import actions
from tests.factories import NOW, make_student, open_space

DAMAGE = {
    "empty": lambda sealed: b"",
    "nothing": lambda sealed: None,
    "header only": lambda sealed: sealed[: inbox.HEADER_BYTES],
    "cut short": lambda sealed: sealed[:-1],
    "cut in the key": lambda sealed: sealed[: inbox.HEADER_BYTES + 40],
    "longer": lambda sealed: sealed + b"\x00",
    "one bit": lambda sealed: sealed[:-20] + bytes([sealed[-20] ^ 1]) + sealed[-19:],
    "of another format": lambda sealed: b"\x02" + sealed[1:],
    "noise": lambda sealed: bytes(range(256)) * 8,
}

TEXT = b'{"text": "Ada works best in the morning"}'
LATER = NOW + timedelta(minutes=5)

pytestmark = [pytest.mark.django_db, pytest.mark.spec("G11")]


@pytest.fixture
def joined():
    return make_student("ada")


@pytest.fixture
def ada(joined):
    return joined.person


@pytest.fixture
def tove(db):
    return make_student("tove", role=Person.Role.TEACHER).person


def seal(student, sender, text=TEXT, **given):
    fields = {"kind": SealedBox.Kind.OBSERVATION, "now": NOW, **given}
    return inbox.seal_to(student.space_id, text=text, sender=sender, **fields)


def stored(box):
    with space_scope(box.space_id):
        return SealedBox.objects.for_space(box.space_id).get(pk=box.pk)


def rewrite(box, **values):
    with space_scope(box.space_id):
        SealedBox.objects.for_space(box.space_id).filter(pk=box.pk).update(**values)


def claim(box, now=LATER):
    with space_scope(box.space_id):
        return inbox.claim_box(box, now=now)


def waiting(space):
    return inbox.pending_boxes(space, kinds=[SealedBox.Kind.OBSERVATION, SealedBox.Kind.LESSON])


def test_a_box_opens_for_its_owner_alone(ada, tove):
    """Nobody needs a key to write; to read takes the space's own. Two boxes of one text share their length and what tells repeats apart."""
    boxes = [stored(seal(ada, tove)) for _ in range(2)]
    first, second = (bytes(box.sealed_text)[inbox.HEADER_BYTES :] for box in boxes)
    assert b"morning" not in first and first != second and len(first) == len(second)
    assert inbox.open_box(boxes[0], open_space(ada)) == TEXT
    with pytest.raises(BoxBroken):
        inbox.open_box(boxes[0], open_space(tove))


def test_a_damaged_box_or_one_of_another_kind_or_space_does_not_open(ada, tove):
    """Cut, changed or replaced by noise: a clear error, never half a text. An observation cannot be passed off as a lesson, nor
    what was sent to one student as said of another."""
    box, key = seal(ada, tove), open_space(ada)
    sealed, foreign = bytes(stored(box).sealed_text), stored(seal(make_student("elsa").person, tove))
    changes = [{"sealed_text": damage(sealed)} for damage in DAMAGE.values()]
    changes += [{"kind": SealedBox.Kind.LESSON}, {"sealed_text": bytes(foreign.sealed_text)}]
    for change in changes:
        rewrite(box, **{"sealed_text": sealed, "kind": SealedBox.Kind.OBSERVATION, **change})
        with pytest.raises(BoxBroken):
            inbox.open_box(stored(box), key)


def test_boxes_that_changed_places_do_not_open(ada, tove):
    """Text moved to another box of the same space, also a copy of an old one, opens nowhere but at home."""
    first, second = seal(ada, tove), seal(ada, tove, b"another")
    texts = [bytes(stored(box).sealed_text) for box in (first, second)]
    rewrite(first, sealed_text=texts[1])
    rewrite(second, sealed_text=texts[0])
    key = open_space(ada)
    for box in (first, second):
        with pytest.raises(BoxBroken):
            inbox.open_box(stored(box), key)
    rewrite(first, sealed_text=texts[0])
    assert inbox.open_box(stored(first), key) == TEXT


def test_a_statement_sent_twice_is_one_box(ada, tove):
    """The same id with the same words gives the first box again, waiting, opened or taken back."""
    statement = new_id()
    first = seal(ada, tove, statement_id=statement)
    assert seal(ada, tove, statement_id=statement, now=LATER) == first
    assert claim(first)
    assert seal(ada, tove, statement_id=statement, now=LATER) == first
    with pytest.raises(StatementDiffers):
        seal(ada, tove, b"other words", statement_id=statement)
    assert actions(ada.space_id).count("vault.box_sealed") == 1 and waiting(ada.space_id) == []


def test_a_statement_id_is_a_space_s_own(ada, tove):
    """One lesson goes to many students under one id; its fingerprint differs, so it cannot be compared or guessed from outside."""
    statement = new_id()
    boxes = [seal(one, tove, statement_id=statement) for one in (ada, make_student("elsa").person)]
    one, other = (bytes(stored(box).sealed_text) for box in boxes)
    assert boxes[0] != boxes[1] and one[: inbox.HEADER_BYTES] != other[: inbox.HEADER_BYTES]


def test_the_sender_alone_takes_back_what_nobody_opened(ada, tove):
    """Taken back, the words are gone for good and the receipt stays; neither the owner, nor another teacher, nor anybody where a system sent it."""
    other = make_student("other", role=Person.Role.TEACHER).person
    box, of_system = seal(ada, tove), seal(ada, None)
    for sent, person in ((box, ada), (box, other), (of_system, ada), (of_system, tove)):
        with pytest.raises(BoxTaken):
            inbox.retract(sent, person=person, now=LATER)
    inbox.retract(box, person=tove, now=LATER)
    row = stored(box)
    assert (row.retracted_at, row.sealed_text, row.sent_at) == (LATER, None, NOW)
    assert waiting(ada.space_id) == [of_system.pk] and actions(ada.space_id)[-1] == "vault.box_retracted"
    with pytest.raises(BoxTaken):
        inbox.retract(box, person=tove, now=LATER)
    assert not claim(row)


def test_a_refused_box_waits_no_longer(ada, tove):
    """A box that does not open is set aside, on record, and looks neither waiting nor opened."""
    box = seal(ada, tove)
    assert inbox.refuse_box(box, now=LATER) and not inbox.refuse_box(box, now=LATER)
    assert inbox.is_refused(stored(box)) and waiting(ada.space_id) == []
    assert actions(ada.space_id)[-1] == "vault.box_refused"


def test_boxes_survive_a_new_password_and_a_recovery(joined, ada, tove):
    """The pair belongs to the space, not to what opens it."""
    box = seal(ada, tove)
    accounts.change_password(ada, key=open_space(ada), password="another long password", now=NOW)
    assert inbox.open_box(stored(box), open_space(ada, "another long password")) == TEXT
    key, _ = accounts.recover(ada, code=joined.recovery_code, password="a fresh password", now=NOW)
    assert inbox.open_box(stored(box), key) == TEXT
    assert actions(ada.space_id).count("vault.inbox_key_made") == 1


@pytest.mark.spec("E4")
def test_what_was_sent_to_a_closed_space_is_lost_with_it(ada, tove):
    """After a new start old boxes hold nothing, a kept copy opens with no key, and nothing more comes in."""
    box, old, old_key = seal(ada, tove), personal_space(ada).pk, open_space(ada)
    copy = bytes(stored(box).sealed_text)
    fresh, _ = accounts.start_anew(ada, password="begin again", now=LATER)
    assert stored(box).sealed_text is None
    with space_scope(old):
        assert not InboxKey.objects.for_space(old).exists()
    rewrite(box, sealed_text=copy)
    for key in (fresh, old_key):
        with pytest.raises((BoxBroken, NoInbox)):
            inbox.open_box(stored(box), key)
    with pytest.raises(SpaceClosed):
        inbox.seal_to(old, kind=SealedBox.Kind.LESSON, text=TEXT, sender=tove, now=LATER)
    assert inbox.open_box(stored(seal(ada, tove)), fresh) == TEXT


def test_a_public_key_put_there_by_somebody_else_is_found_out(ada, tove):
    """Whoever can write to the database reads nothing that is sent after the owner's next unlock; noise is no key at all."""
    elsa = make_student("elsa").person
    with space_scope(elsa.space_id):
        theirs = bytes(InboxKey.objects.for_space(elsa.space_id).get().public_key)
    for times, forged in enumerate((theirs, b"\x00" * 7), start=1):
        with space_scope(ada.space_id):
            InboxKey.objects.for_space(ada.space_id).update(public_key=forged)
            if forged != theirs:
                with pytest.raises(BoxBroken):
                    public_key(ada.space_id)
        key = open_space(ada)
        assert actions(ada.space_id).count("vault.inbox_key_replaced") == times
        assert inbox.open_box(stored(seal(ada, tove)), key) == TEXT


def test_a_box_waits_for_its_owner_or_is_opened_at_once_by_a_lease(ada, tove, settings):
    """The space says that work is waiting, and nothing is queued that could not run; with a lease it is, and carries the space's id only."""
    seal(ada, tove)
    assert Space.objects.get(pk=ada.space_id).awaiting_key_since == NOW
    assert OrmQ.objects.count() == 0
    grant_lease(open_space(ada), now=NOW)
    assert Space.objects.get(pk=ada.space_id).awaiting_key_since is None
    OrmQ.objects.all().delete()
    seal(ada, tove)
    assert {job.task["func"] for job in OrmQ.objects.all()} == set(settings.TASKS_AFTER_UNLOCK)
    assert {job.args() for job in OrmQ.objects.all()} == {(str(ada.space_id),)}
    assert Space.objects.get(pk=ada.space_id).awaiting_key_since is None


def test_the_record_tells_everything_but_the_words(ada, tove):
    """Who sealed what kind of box and what became of it stands in the space's chain, which verifies."""
    claim(seal(ada, tove))
    events = AuditEvent.objects.filter(chain=ada.space_id, subject_type="vault.sealedbox")
    assert [(event.action, event.actor_id, event.data) for event in events.order_by("position")] == [
        ("vault.box_sealed", tove.pk, {"kind": "observation"}),
        ("vault.box_opened", None, {"kind": "observation"}),
    ]
    assert list(find_breaks(ada.space_id)) == []
