"""Opening a box and taking it back at the same moment: exactly one of the two happens."""

import threading

import pytest
from django.db import connections

from companion_site.accounts.models import Person
from companion_site.vault import inbox
from companion_site.vault.errors import BoxTaken
from companion_site.vault.models import SealedBox
from companion_site.vault.scope import space_scope
from tests.factories import NOW, make_student

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
    with space_scope(box.space_id):
        row = SealedBox.objects.for_space(box.space_id).get(pk=box.pk)
    assert (row.opened_at is None, row.retracted_at is None) == (first == "retract", first == "open")


def seal(student, sender):
    return inbox.seal_to(student.space_id, kind=SealedBox.Kind.OBSERVATION, text=b"x", sender=sender, now=NOW)


def settle(what, box, teacher):
    if what == "open":
        return inbox.claim_box(box, now=NOW)
    try:
        inbox.retract(box, person=teacher, now=NOW)
    except BoxTaken:
        return False
    return True


def wait_until_blocked():
    """Return once some connection waits for another's lock."""
    for _ in range(1000):
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
        threading.Event().wait(0.01)
    pytest.fail("nobody waited")
