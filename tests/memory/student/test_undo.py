"""Taking back in one click what was changed automatically."""

from datetime import timedelta

import pytest

from companion_site.audit.models import AuditEvent
from companion_site.vault import unlocked
from companion_site.vault.scope import space_scope
from memory.models import Contradiction, MemoryChange, MemoryEdge, MemoryNode
from memory.student.contradictions import list_open, resolve
from memory.student.errors import CannotUndo
from memory.student.undo import undo_change
from tests.cases import cases
from tests.factories import NOW, make_access
from tests.memory.student.settled import Teller
from tests.racing import at_once
from tests.refusals import refused

pytestmark = [pytest.mark.spec("G8")]

DAY = timedelta(days=1)
TWELVE, FORTY, SEVEN = "My room is number 12.", "My room is number 40.", "My room is number 7."
LATER = NOW + 10 * DAY


def chain(teller) -> list[MemoryChange]:
    for day, text in enumerate([TWELVE, FORTY, SEVEN]):
        teller.tell(text, at=NOW + day * DAY)
    return teller.changes()


def test_a_retirement_is_undone_exactly(teller, ada):
    """The memory is believed again with every number it had; the two no longer contradict each other."""
    (twelve,) = teller.tell(TWELVE)
    before = teller.node(twelve)
    teller.tell(FORTY, at=NOW + DAY)
    (change,) = teller.changes()
    undo_change(teller.space, change.pk, now=LATER, actor=ada.person)
    after = teller.node(twelve)
    same = [
        field.name for field in MemoryNode._meta.concrete_fields if field.name not in ("version", "content")
    ]
    assert {name: getattr(after, name) for name in same} == {name: getattr(before, name) for name in same}
    assert after.content == TWELVE and after.version > before.version
    assert teller.held() == {TWELVE, FORTY}
    assert teller.changes()[0].undone_at == LATER
    assert teller.contradictions()[0].state == Contradiction.State.BOTH_TRUE
    with space_scope(teller.space):
        assert not MemoryEdge.objects.for_space(teller.space).filter(type="CONTRADICTS").exists()


def test_a_whole_chain_can_be_undone_in_any_order(teller):
    """Each change stands for itself."""
    for change in chain(teller):
        undo_change(teller.space, change.pk, now=LATER)
    assert teller.held() == {TWELVE, FORTY, SEVEN}


def test_what_was_taken_back_is_not_retired_again_by_the_same_two(teller):
    """The person has said that both are true: saying the later one again retires nothing."""
    teller.tell(TWELVE)
    teller.tell(FORTY, at=NOW + DAY)
    undo_change(teller.space, teller.changes()[0].pk, now=LATER)
    teller.tell(FORTY, at=LATER)
    assert teller.held() == {TWELVE, FORTY}


def test_the_persons_own_decision_is_asked_again(teller):
    """Taking back what one decided oneself opens the question again."""
    teller.tell(TWELVE, trust="teacher")
    teller.tell(FORTY, at=NOW + DAY)
    (row,) = teller.contradictions()
    resolve(teller.space, row.pk, keep="later", now=NOW + 2 * DAY)
    undo_change(teller.space, teller.changes()[0].pk, now=LATER)
    assert teller.held() == {TWELVE, FORTY}
    assert [one.id for one in list_open(teller.space)] == [row.pk]


def test_what_is_held_again_cannot_be_brought_back_beside_itself(teller):
    """Twelve, forty, twelve: the first stays history while the second is believed, and nothing is half-written."""
    teller.tell(TWELVE)
    teller.tell(FORTY, at=NOW + DAY)
    teller.tell(TWELVE, at=NOW + 2 * DAY)
    with refused(CannotUndo, "held-again"):
        undo_change(teller.space, teller.changes()[0].pk, now=LATER)
    assert teller.held() == {TWELVE}
    assert teller.changes()[0].undone_at is None


@cases(("gone", "why"), [({"content": None}, "words-gone"), ({"removed_at": NOW}, "change-buried")])
def test_what_was_removed_since_stays_gone(teller, gone, why):
    """What has no words comes back as no empty memory; what a clean-up took away is had back from the clean-up first."""
    (twelve,) = teller.tell(TWELVE)
    teller.tell(FORTY, at=NOW + DAY)
    with space_scope(teller.space):
        node = MemoryNode.objects.for_space(teller.space).get(pk=twelve)
        for name, value in gone.items():
            setattr(node, name, value)
        node.save(update_fields=list(gone))
    with refused(CannotUndo, why):
        undo_change(teller.space, teller.changes()[0].pk, now=LATER)


def test_a_change_that_something_later_overtook_is_refused(teller):
    """Where the memory is retired by something else now, this change no longer explains it."""
    twelve, seven = teller.tell(TWELVE)[0], None
    teller.tell(FORTY, at=NOW + DAY)
    (seven,) = teller.tell(SEVEN, at=NOW + 2 * DAY)
    with space_scope(teller.space):
        MemoryNode.objects.for_space(teller.space).filter(pk=twelve).update(superseded_by_id=seven)
    with refused(CannotUndo, "cannot-undo"):
        undo_change(teller.space, teller.changes()[0].pk, now=LATER)


def test_a_change_of_a_kind_that_nothing_undoes_is_refused(teller):
    """What was done by hand is taken back by a person alone."""
    with space_scope(teller.space):
        change = MemoryChange.objects.create(
            space_id=teller.space, kind=MemoryChange.Kind.FORGOTTEN, reason="by_hand", at=NOW
        )
    with refused(CannotUndo, "cannot-undo"):
        undo_change(teller.space, change.pk, now=LATER)


def test_two_clicks_at_once_undo_once(committed, sets):
    """Two tabs: one undoes, the other finds it undone; the record tells of one."""
    from tests.memory.conftest import Memory

    ada = make_access("ada")
    with unlocked(ada.space, ada.key):
        teller = Teller(Memory(ada.space, sets))
        teller.tell(TWELVE)
        teller.tell(FORTY, at=NOW + DAY)
        (change,) = teller.changes()

    def click() -> None:
        with unlocked(ada.space, ada.key):
            undo_change(ada.space, change.pk, now=LATER)

    at_once(click, click)
    with unlocked(ada.space, ada.key):
        assert teller.held() == {TWELVE, FORTY}
    assert AuditEvent.objects.filter(chain=ada.space, action="memory.change_undone").count() == 1
