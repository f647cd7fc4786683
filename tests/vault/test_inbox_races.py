"""Two at one box, or at one space's boxes, at the same moment: one waits for the other, and neither for ever."""

import threading

import pytest
from django.db import connections

from companion_site.accounts.models import Person
from companion_site.vault import inbox
from companion_site.vault.errors import BoxTaken
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope, write_scope
from companion_site.vault.services import bump_version
from tests.factories import NOW, make_student
from tests.racing import wait_until_blocked
from tests.vault.test_inbox import seal, stored

pytestmark = pytest.mark.spec("G11")


@pytest.mark.parametrize("first", ["open", "retract"])
def test_of_opening_and_taking_back_at_once_one_wins(committed, first):
    """Whoever holds the row first decides; the other waits for it and finds it settled."""
    ada, tove = make_student("ada").person, make_student("tove", role=Person.Role.TEACHER).person
    box, outcome, holding, go = seal(ada, tove), {}, threading.Event(), threading.Event()

    def do(what, hold):
        try:
            with space_scope(box.space_id):
                outcome[what] = settle(what, box, tove)
                if hold:
                    holding.set()
                    go.wait(10)
        finally:
            connections["default"].close()

    second = "retract" if first == "open" else "open"
    threads = [
        threading.Thread(target=do, args=(first, True)),
        threading.Thread(target=do, args=(second, False)),
    ]
    threads[0].start()
    assert holding.wait(10)
    threads[1].start()
    wait_until_blocked()
    go.set()
    for thread in threads:
        thread.join(10)
    assert outcome == {first: True, second: False}
    row = stored(box)
    assert (row.opened_at is None, row.retracted_at is None) == (first == "retract", first == "open")


def test_a_box_is_sealed_while_another_is_taken_in(committed):
    """Who seals waits for who writes the memory of an earlier box; they never wait for each other in a circle."""
    ada, tove = make_student("ada").person, make_student("tove", role=Person.Role.TEACHER).person
    box = seal(ada, tove)

    def seal_another():
        try:
            seal(ada, tove)
        finally:
            connections["default"].close()

    teacher = threading.Thread(target=seal_another)
    with write_scope(box.space_id):
        assert inbox.claim_box(box, now=NOW)
        teacher.start()
        wait_until_blocked()
        assert bump_version(box.space_id) == 1
    teacher.join(10)
    assert len(inbox.pending_boxes(box.space_id, kinds=[SealedBox.Kind.OBSERVATION])) == 1


def settle(what, box, teacher):
    if what == "open":
        return inbox.claim_box(box, now=NOW)
    try:
        inbox.retract(box, person=teacher, now=NOW)
    except BoxTaken:
        return False
    return True
